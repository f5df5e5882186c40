// Pixels in host memory as a texture that Dear ImGui draws. Each picture has a new name, so that the window's kept
// picture is redrawn. Owner: of the texture. Thread: the OpenGL context's.
#pragma once

#include <imgui.h>

#include <cstdint>
#include <vector>

#include "app/render/gl/gl_objects.h"

namespace simscope::gui {

class PixelsTexture {
 public:
  // RGB, top row first.
  void show(const std::vector<std::uint8_t>& rgb, int width, int height);
  void clear() { width_ = height_ = 0; }
  bool empty() const noexcept { return width_ == 0; }
  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  ImTextureID id() const noexcept;

 private:
  struct Slot {
    render::GlTexture texture;
    int width = 0, height = 0;
  };
  Slot slots_[2];
  int shown_ = 0, width_ = 0, height_ = 0;
};

}  // namespace simscope::gui
