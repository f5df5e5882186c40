#include "app/render/gl/stream_buffer.h"

namespace simscope::render {

GLuint StreamBuffer::fill(const void* data, std::size_t bytes) {
  if (halves_[current_].buffer) halves_[current_].read = GlSync(glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  current_ = 1 - current_;
  Half& half = halves_[current_];
  if (half.read) waitFor(half.read, "waiting for values to be drawn");
  const bool wasteful = half.capacity / 4 > bytes;
  if (half.capacity < bytes || wasteful) {
    half.buffer = makeBuffer();
    half.capacity = 0;
    glNamedBufferStorage(half.buffer.get(), static_cast<GLsizeiptr>(bytes), data, GL_DYNAMIC_STORAGE_BIT);
    checkGl("making a buffer for values to draw");
    half.capacity = bytes;
  } else {
    glNamedBufferSubData(half.buffer.get(), 0, static_cast<GLsizeiptr>(bytes), data);
  }
  return half.buffer.get();
}

}  // namespace simscope::render
