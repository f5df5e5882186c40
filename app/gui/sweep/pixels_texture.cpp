#include "app/gui/sweep/pixels_texture.h"

namespace simscope::gui {

void PixelsTexture::show(const std::vector<std::uint8_t>& rgb, int width, int height) {
  shown_ = 1 - shown_;
  Slot& slot = slots_[shown_];
  if (slot.width != width || slot.height != height) {
    slot.texture = render::makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(slot.texture.get(), 1, GL_RGBA8, width, height);
    glTextureParameteri(slot.texture.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(slot.texture.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(slot.texture.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(slot.texture.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    slot.width = width;
    slot.height = height;
  }
  GLint alignment = 4;
  glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTextureSubImage2D(slot.texture.get(), 0, 0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, rgb.data());
  glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
  render::checkGl("showing the picture of a sweep");
  width_ = width;
  height_ = height;
}

ImTextureID PixelsTexture::id() const noexcept {
  return (ImTextureID)(intptr_t)slots_[shown_].texture.get();  // a pointer or a number, as Dear ImGui has it
}

}  // namespace simscope::gui
