#include "tests/soak/audit.h"

#include <fmt/format.h>
#include <glad/gl.h>
#include <malloc.h>
#include <unistd.h>

#include <fstream>
#include <mutex>
#include <utility>

namespace simscope::soak {

namespace {

constexpr GLuint kNames = 20'000;

std::mutex& mutex() {
  static std::mutex one;
  return one;
}
std::vector<std::string>& heard() {
  static std::vector<std::string> all;
  return all;
}

void GLAPIENTRY onMessage(GLenum, GLenum type, GLuint, GLenum, GLsizei, const GLchar* text, const void*) {
  if (type != GL_DEBUG_TYPE_ERROR && type != GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR) return;
  const std::lock_guard lock(mutex());
  heard().emplace_back(text);
}

template <class Is>
int count(const Is& is) {
  int found = 0;
  for (GLuint name = 1; name < kNames; ++name) found += is(name) == GL_TRUE;
  return found;
}

}  // namespace

std::string GlObjects::text() const {
  return fmt::format("{} textures, {} buffers, {} framebuffers, {} vertex arrays, {} programs, {} shaders", textures,
                     buffers, framebuffers, vertex_arrays, programs, shaders);
}

GlObjects countGlObjects() {
  return {.buffers = count(glIsBuffer),
          .textures = count(glIsTexture),
          .framebuffers = count(glIsFramebuffer),
          .vertex_arrays = count(glIsVertexArray),
          .programs = count(glIsProgram),
          .shaders = count(glIsShader)};
}

void listenToGl() {
  glEnable(GL_DEBUG_OUTPUT);
  glDebugMessageCallback(onMessage, nullptr);
}

std::vector<std::string> takeGlErrors() {
  std::vector<std::string> all;
  {
    const std::lock_guard lock(mutex());
    all = std::exchange(heard(), {});
  }
  for (GLenum code = glGetError(); code != GL_NO_ERROR && all.size() < 100; code = glGetError()) {
    all.push_back(fmt::format("glGetError: 0x{:04x}", code));
  }
  return all;
}

std::size_t residentBytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace simscope::soak
