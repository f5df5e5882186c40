#include "app/render/figure_target.h"

#include <fmt/format.h>

#include <utility>

#include "sims/compute/error.h"

namespace simscope::render {
namespace {

void clear(Colour colour) {
  glClearColor(static_cast<float>((colour >> 16) & 0xff) / 255, static_cast<float>((colour >> 8) & 0xff) / 255,
               static_cast<float>(colour & 0xff) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

void FigureTarget::provide(int width, int height) {
  if (texture_ && width_ == width && height_ == height) return;
  GlTexture colour = makeTexture(GL_TEXTURE_2D);
  glTextureStorage2D(colour.get(), 1, GL_RGBA8, width, height);
  glTextureParameteri(colour.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(colour.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(colour.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(colour.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  GlFramebuffer target = makeFramebuffer();
  glNamedFramebufferTexture(target.get(), GL_COLOR_ATTACHMENT0, colour.get(), 0);
  checkGl(fmt::format("making a target of {}x{} pixels", width, height));
  if (glCheckNamedFramebufferStatus(target.get(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw Error(
        fmt::format("OpenGL cannot draw into a picture of {}x{} pixels; choose a smaller size.", width, height));
  }
  texture_ = std::move(colour);
  framebuffer_ = std::move(target);
  width_ = width;
  height_ = height;
}

void FigureTarget::begin(Colour background) {
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer_.get());
  glDrawBuffer(GL_COLOR_ATTACHMENT0);
  glViewport(0, 0, width_, height_);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  clear(background);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void FigureTarget::narrow(int left, int top, int width, int height, Colour ground) {
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, height_ - (top + height), width, height);
  clear(ground);
}

void FigureTarget::widen() {
  glDisable(GL_SCISSOR_TEST);
}

void FigureTarget::end() {
  glDisable(GL_BLEND);
  glUseProgram(0);
  glBindVertexArray(0);
  for (GLuint unit = 0; unit < 4; ++unit) glBindTextureUnit(unit, 0);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

}  // namespace simscope::render
