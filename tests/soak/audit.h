// What a long run may not lose: objects of OpenGL, registrations with CUDA, memory. Thread: the OpenGL context's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace simscope::soak {

struct GlObjects {
  int buffers = 0, textures = 0, framebuffers = 0, vertex_arrays = 0, programs = 0, shaders = 0;
  int all() const { return buffers + textures + framebuffers + vertex_arrays + programs + shaders; }
  std::string text() const;
};

// Of the current context, by asking for each name: drivers give the smallest that are free.
GlObjects countGlObjects();

// From now on the context tells its errors to takeGlErrors().
void listenToGl();
// Those since the last call, what glGetError has to say included.
std::vector<std::string> takeGlErrors();

std::size_t residentBytes();  // of this process, what the allocator can give back given back

}  // namespace simscope::soak
