// Colours as a texture, one texel per entry, rebuilt when they change.
//
// Owner: of the texture and its buffer. Thread: the GL context's. Errors: simscope::Error.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/render/gl/gl_objects.h"

namespace simscope::render {

class ColourTable {
 public:
  void provide(std::span<const std::uint32_t> colours);  // 0xRRGGBB
  GLuint texture() const noexcept { return texture_.get(); }
  const std::vector<std::uint32_t>& colours() const noexcept { return colours_; }

 private:
  GlBuffer buffer_;
  GlTexture texture_;
  std::vector<std::uint32_t> colours_;
};

}  // namespace simscope::render
