// A buffer that the CPU fills anew while OpenGL may still be reading what it held.
//
// OpenGL promises that glBufferSubData and glBufferData stay behind what was submitted before. NVIDIA's driver (H100)
// lets them overtake compute programs that still have to read the buffer as shader storage: a picture in flight then
// shows the values of the next one or the one after. So two immutable buffers take turns, and one is written again once
// a fence has told that nothing reads it any more, which also spares the wait for the picture before.
//
// Owner: the buffers and fences. Thread: the GL context's. Errors: simscope::Error (out of memory, a driver that
// hangs).
#pragma once

#include <array>
#include <cstddef>

#include "app/render/gl/gl_objects.h"

namespace simscope::render {

class StreamBuffer {
 public:
  // Takes a copy of the bytes; returns the GL buffer that begins with them until the next call. Whatever reads the
  // former contents must have been submitted.
  GLuint fill(const void* data, std::size_t bytes);

 private:
  struct Half {
    GlBuffer buffer;
    GlSync read;  // signalled once what was submitted before the other half was filled is done
    std::size_t capacity = 0;
  };
  std::array<Half, 2> halves_;
  std::size_t current_ = 0;
};

}  // namespace simscope::render
