#include "app/render/figure/element_reader.h"

#include <algorithm>
#include <limits>

namespace simscope::render {

namespace {

constexpr GLuint kGroup = 64;

void provide(GlBuffer& buffer, std::size_t& room, std::size_t bytes) {
  if (room >= bytes) return;
  buffer = makeBuffer();
  room = 0;
  glNamedBufferStorage(buffer.get(), static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_STORAGE_BIT);
  checkGl("making room for elements of a channel");
  room = bytes;
}

std::size_t elementsOf(const Channel& channel) {
  return static_cast<std::size_t>(std::max(channel.width, 0)) * static_cast<std::size_t>(std::max(channel.height, 0));
}

}  // namespace

bool ElementReader::start(Transfer& transfer, const Frame& frame, const std::vector<ElementRequest>& requests) {
  if (reading_) return false;
  values_.assign(requests.size(), {});
  waiting_.clear();
  std::vector<std::uint32_t> indices;
  std::size_t floats = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const auto& [key, elements] = requests[i];
    const Channel* channel = frame.find(key);
    const bool there = channel && !channel->data.empty() && channel->components > 0;
    const std::size_t components = there ? static_cast<std::size_t>(channel->components) : 1;
    values_[i].assign(elements.size() * components, std::numeric_limits<float>::quiet_NaN());
    if (!there || elements.empty()) continue;
    if (const float* host = through_gl_ ? nullptr : transfer.host(frame, key)) {
      const std::size_t count = elementsOf(*channel);
      for (std::size_t k = 0; k < elements.size(); ++k) {
        if (elements[k] >= count) continue;
        std::copy_n(host + elements[k] * components, components, &values_[i][k * components]);
      }
      continue;
    }
    waiting_.push_back({i, indices.size(), floats});
    indices.insert(indices.end(), elements.begin(), elements.end());
    floats += values_[i].size();
  }
  reading_ = true;
  if (waiting_.empty()) return true;
  if (!program_) program_ = std::make_unique<Program>(std::vector<Program::Stage>{{GL_COMPUTE_SHADER, "gather.comp"}});
  // Nothing reads them any more: the last request's fence has been passed.
  provide(indices_, indices_room_, indices.size() * sizeof(std::uint32_t));
  provide(gathered_, gathered_room_, floats * sizeof(float));
  glNamedBufferSubData(indices_.get(), 0, static_cast<GLsizeiptr>(indices.size() * sizeof(std::uint32_t)),
                       indices.data());
  for (const Waiting& each : waiting_) {
    const ElementRequest& request = requests[each.request];
    gather(transfer.buffer(frame, request.channel), *frame.find(request.channel), request.elements.size(), each);
  }
  done_ = GlSync(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  glFlush();
  checkGl("gathering elements of a channel");
  return true;
}

void ElementReader::gather(unsigned values, const Channel& channel, std::size_t count, const Waiting& at) {
  const GLuint program = program_->get();
  glProgramUniform1ui(program, 0, static_cast<GLuint>(count));
  glProgramUniform1ui(program, 1, static_cast<GLuint>(channel.components));
  glProgramUniform1ui(program, 2, static_cast<GLuint>(elementsOf(channel)));
  glProgramUniform1ui(program, 3, static_cast<GLuint>(at.first));
  glProgramUniform1ui(program, 4, static_cast<GLuint>(at.offset));
  glUseProgram(program);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, values);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, indices_.get());
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, gathered_.get());
  dispatch((static_cast<GLuint>(count) + kGroup - 1) / kGroup, 1, GL_BUFFER_UPDATE_BARRIER_BIT);
  glUseProgram(0);
}

std::optional<std::vector<std::vector<float>>> ElementReader::take() {
  if (!reading_) return std::nullopt;
  if (!waiting_.empty()) {
    const GLenum state = glClientWaitSync(done_.get(), 0, 0);
    if (state == GL_TIMEOUT_EXPIRED) return std::nullopt;
    done_ = {};
    for (const Waiting& each : waiting_) {
      std::vector<float>& values = values_[each.request];
      glGetNamedBufferSubData(gathered_.get(), static_cast<GLintptr>(each.offset * sizeof(float)),
                              static_cast<GLsizeiptr>(values.size() * sizeof(float)), values.data());
    }
    checkGl("reading elements of a channel");
  }
  reading_ = false;
  return std::move(values_);
}

}  // namespace simscope::render
