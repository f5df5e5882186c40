#include "app/render/gl/shader.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>

#include "sims/compute/error.h"

namespace simscope::render {
namespace {

constexpr const char* kCommon = "common.glsl";

std::string source(const std::string& name) {
#ifdef SIMSCOPE_SHADER_DIR
  if (std::ifstream file(std::string(SIMSCOPE_SHADER_DIR) + "/" + name, std::ios::binary); file) {
    return {std::istreambuf_iterator<char>(file), {}};
  }
#endif
  return std::string(embeddedShader(name));
}

template <class GetInt, class GetLog>
std::string infoLog(GLuint name, GetInt get, GetLog log) {
  GLint length = 0;
  get(name, GL_INFO_LOG_LENGTH, &length);
  std::string text(static_cast<std::size_t>(std::max(length, 1)), '\0');
  GLsizei written = 0;
  log(name, static_cast<GLsizei>(text.size()), &written, text.data());
  text.resize(static_cast<std::size_t>(written));
  return text;
}

GlShader compiled(const Program::Stage& stage) {
  GlShader shader(glCreateShader(stage.kind));
  const std::string common = source(kCommon), own = "\n" + stage.choices + "#line 1 1\n" + source(stage.file);
  const std::array<const char*, 2> texts = {common.c_str(), own.c_str()};
  glShaderSource(shader.get(), texts.size(), texts.data(), nullptr);
  glCompileShader(shader.get());
  GLint done = GL_FALSE;
  glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &done);
  if (done != GL_TRUE) {
    throw Error(fmt::format("shaders/{} (source 1; 0 is {}) does not compile:\n{}", stage.file, kCommon,
                            infoLog(shader.get(), glGetShaderiv, glGetShaderInfoLog)));
  }
  return shader;
}

GlProgram linked(const std::vector<Program::Stage>& stages) {
  GlProgram program(glCreateProgram());
  std::vector<GlShader> shaders;
  for (const auto& stage : stages) {
    shaders.push_back(compiled(stage));
    glAttachShader(program.get(), shaders.back().get());
  }
  glLinkProgram(program.get());
  for (const auto& shader : shaders) glDetachShader(program.get(), shader.get());
  GLint done = GL_FALSE;
  glGetProgramiv(program.get(), GL_LINK_STATUS, &done);
  if (done != GL_TRUE) {
    throw Error(fmt::format("The program with shaders/{} does not link:\n{}", stages.front().file,
                            infoLog(program.get(), glGetProgramiv, glGetProgramInfoLog)));
  }
  return program;
}

}  // namespace

Program::Program(std::vector<Stage> stages) : stages_(std::move(stages)) {
  program_ = linked(stages_);
}

GLuint Program::get() {
#ifdef SIMSCOPE_SHADER_DIR
  std::string now = source(kCommon);
  for (const auto& stage : stages_) now += source(stage.file);
  if (now != seen_) {
    const bool first = seen_.empty();
    seen_ = std::move(now);
    if (!first) {
      try {
        program_ = linked(stages_);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
      }
    }
  }
#endif
  return program_.get();
}

void setColour(GLuint program, GLint location, std::uint32_t colour) {
  glProgramUniform3f(program, location, static_cast<float>((colour >> 16) & 0xff) / 255,
                     static_cast<float>((colour >> 8) & 0xff) / 255, static_cast<float>(colour & 0xff) / 255);
}

void setColour(GLuint program, GLint location, std::uint32_t colour, double opacity) {
  glProgramUniform4f(program, location, static_cast<float>((colour >> 16) & 0xff) / 255,
                     static_cast<float>((colour >> 8) & 0xff) / 255, static_cast<float>(colour & 0xff) / 255,
                     static_cast<float>(opacity));
}

void setTile(GLuint program, GLint location, const Tile& tile) {
  glProgramUniform4f(program, location, static_cast<float>(tile.left), static_cast<float>(tile.top),
                     static_cast<float>(tile.width), static_cast<float>(tile.height));
}

void dispatch(GLuint x, GLuint y, GLbitfield readers) {
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
  glDispatchCompute(x, y, 1);
  glMemoryBarrier(readers);
}

}  // namespace simscope::render
