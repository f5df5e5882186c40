// A buffer that the CPU refills while OpenGL may still be reading its previous content.
//
// OpenGL guarantees that glBufferSubData and glBufferData take effect after earlier commands. NVIDIA's driver (H100)
// lets them overtake compute programs that still have to read the buffer as shader storage: a picture in flight then
// shows the values of one of the next two. Therefore two immutable buffers alternate, and each is rewritten only after
// a fence has shown that nothing reads it any more. This also avoids waiting for the previous picture.
//
// Owner: of the buffers and fences. Thread: the GL context's. Errors: simscope::Error (out of memory, a driver that
// hangs).
#pragma once

#include <array>
#include <cstddef>

#include "app/render/gl/gl_objects.h"

namespace simscope::render {

class StreamBuffer {
 public:
  // Copies the bytes; returns the GL buffer that begins with them until the next call. All commands that read the
  // previous content must have been submitted.
  GLuint fill(const void* data, std::size_t bytes);

 private:
  struct Half {
    GlBuffer buffer;
    GlSync read;  // signalled once the commands submitted before the other half was filled are done
    std::size_t capacity = 0;
  };
  std::array<Half, 2> halves_;
  std::size_t current_ = 0;
};

}  // namespace simscope::render
