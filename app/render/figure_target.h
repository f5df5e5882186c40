// The off-screen picture that a figure is drawn into.
//
// Owner: the texture and the framebuffer. Thread: the GL context's. Errors: simscope::Error where OpenGL cannot draw
// into a picture of the size; the target then stays as it was.
#pragma once

#include "app/render/gl_objects.h"
#include "app/render/theme.h"

namespace simscope::render {

class FigureTarget {
 public:
  // Keeps what there is where the size is the same.
  void provide(int width, int height);

  // Binds it, sets every state that drawing depends on, and fills it with a colour. Blending is on.
  void begin(Colour background);
  // Restricts drawing to a rectangle of pixels (y down) filled with a colour, until widen().
  void narrow(int left, int top, int width, int height, Colour ground);
  void widen();
  // Unbinds all that was bound in between.
  void end();

  GLuint texture() const noexcept { return texture_.get(); }
  GLuint framebuffer() const noexcept { return framebuffer_.get(); }
  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }

 private:
  GlTexture texture_;
  GlFramebuffer framebuffer_;
  int width_ = 0, height_ = 0;
};

}  // namespace simscope::render
