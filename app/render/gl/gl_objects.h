// OpenGL objects as owning handles, and the check that turns GL's errors into exceptions.
//
// Owner: each handle owns one object of the current context, which must still be current when the handle is destroyed.
// Thread: the context's. Errors: simscope::Error from checkGl and from the functions that make objects.
#pragma once

#include <glad/gl.h>

#include <string_view>

#include "app/render/gl/handle.h"

namespace simscope::render {

struct BufferPolicy {
  using Name = GLuint;
  static constexpr Name null() noexcept { return 0; }
  static void release(Name name) noexcept { glDeleteBuffers(1, &name); }
};
struct TexturePolicy {
  using Name = GLuint;
  static constexpr Name null() noexcept { return 0; }
  static void release(Name name) noexcept { glDeleteTextures(1, &name); }
};
struct FramebufferPolicy {
  using Name = GLuint;
  static constexpr Name null() noexcept { return 0; }
  static void release(Name name) noexcept { glDeleteFramebuffers(1, &name); }
};
struct VertexArrayPolicy {
  using Name = GLuint;
  static constexpr Name null() noexcept { return 0; }
  static void release(Name name) noexcept { glDeleteVertexArrays(1, &name); }
};
struct ProgramPolicy {
  using Name = GLuint;
  static constexpr Name null() noexcept { return 0; }
  static void release(Name name) noexcept { glDeleteProgram(name); }
};
struct ShaderPolicy {
  using Name = GLuint;
  static constexpr Name null() noexcept { return 0; }
  static void release(Name name) noexcept { glDeleteShader(name); }
};
struct SyncPolicy {
  using Name = GLsync;
  static constexpr Name null() noexcept { return nullptr; }
  static void release(Name name) noexcept { glDeleteSync(name); }
};

using GlBuffer = UniqueHandle<BufferPolicy>;
using GlTexture = UniqueHandle<TexturePolicy>;
using GlFramebuffer = UniqueHandle<FramebufferPolicy>;
using GlVertexArray = UniqueHandle<VertexArrayPolicy>;
using GlProgram = UniqueHandle<ProgramPolicy>;
using GlShader = UniqueHandle<ShaderPolicy>;
using GlSync = UniqueHandle<SyncPolicy>;

inline GlBuffer makeBuffer() {
  GLuint name = 0;
  glCreateBuffers(1, &name);
  return GlBuffer(name);
}
inline GlTexture makeTexture(GLenum target) {
  GLuint name = 0;
  glCreateTextures(target, 1, &name);
  return GlTexture(name);
}
inline GlFramebuffer makeFramebuffer() {
  GLuint name = 0;
  glCreateFramebuffers(1, &name);
  return GlFramebuffer(name);
}
inline GlVertexArray makeVertexArray() {
  GLuint name = 0;
  glCreateVertexArrays(1, &name);
  return GlVertexArray(name);
}

// Throws for GL errors since the last check (in debug builds with the driver's message). `where` names the operation.
void checkGl(std::string_view where);

// Waits until the fence is signalled, and deletes it. Error after a minute.
void waitFor(GlSync& fence, std::string_view where);

}  // namespace simscope::render
