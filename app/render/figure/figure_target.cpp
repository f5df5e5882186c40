#include "app/render/figure/figure_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sims/compute/error.h"

namespace simscope::render {
namespace {

bool holds(const Tile& outer, const Tile& inner) {
  return inner.left >= outer.left && inner.top >= outer.top && inner.left + inner.width <= outer.left + outer.width &&
         inner.top + inner.height <= outer.top + outer.height;
}

}  // namespace

FigureTarget::Piece FigureTarget::makePiece(const Tile& place) {
  Piece piece{place, makeTexture(GL_TEXTURE_2D), makeFramebuffer()};
  const GLuint texture = piece.texture.get();
  glTextureStorage2D(texture, 1, GL_RGBA8, place.width, place.height);
  glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(texture, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glNamedFramebufferTexture(piece.framebuffer.get(), GL_COLOR_ATTACHMENT0, texture, 0);
  checkGl(fmt::format("making a target of {}x{} pixels", place.width, place.height));
  if (glCheckNamedFramebufferStatus(piece.framebuffer.get(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    throw Error(fmt::format("OpenGL cannot draw into a picture of {}x{} pixels; choose a smaller size.", place.width,
                            place.height));
  }
  return piece;
}

void FigureTarget::provide(int width, int height, int supersampling) {
  if (fits(width, height, supersampling)) return;
  std::vector<Piece> pieces;
  std::vector<Tile> tiles;
  const int n = supersampling;
  for (const Tile& place : tilesOf({0, 0, width, height}, {limits_.side, INT64_MAX})) {
    pieces.push_back(makePiece(place));
    for (const Tile& tile : tilesOf({n * place.left, n * place.top, n * place.width, n * place.height}, limits_, n)) {
      tiles.push_back(tile);
    }
  }
  Piece beside;
  if (n > 1 || tiles.size() > pieces.size()) {
    Tile largest;
    for (const Tile& tile : tiles) {
      largest.width = std::max(largest.width, tile.width);
      largest.height = std::max(largest.height, tile.height);
    }
    beside = makePiece(largest);
  }
  kept_.reset();
  pieces_ = std::move(pieces);
  tiles_ = std::move(tiles);
  beside_ = std::move(beside);
  width_ = width;
  height_ = height;
  supersampling_ = supersampling;
}

const FigureTarget::Piece& FigureTarget::pieceOf(const Tile& tile) const {
  const int n = supersampling_;
  const Tile own{tile.left / n, tile.top / n, tile.width / n, tile.height / n};
  return *std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& piece) { return holds(piece.place, own); });
}

void FigureTarget::begin(const Tile& tile) {
  tile_ = tile;
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (beside_.texture ? beside_ : pieceOf(tile)).framebuffer.get());
  glDrawBuffer(GL_COLOR_ATTACHMENT0);
  glViewport(0, 0, tile.width, tile.height);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glDisable(GL_STENCIL_TEST);
  glDisable(GL_FRAMEBUFFER_SRGB);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

bool FigureTarget::narrow(const PlotArea& rectangle) {
  const Tile part = partOf(rectangle, tile_);
  if (part.empty()) return false;
  const int left = static_cast<int>(rectangle.left) + part.left - tile_.left;
  const int top = static_cast<int>(rectangle.top) + part.top - tile_.top;
  glEnable(GL_SCISSOR_TEST);
  glScissor(left, tile_.height - (top + part.height), part.width, part.height);
  return true;
}

void FigureTarget::fill(Colour colour) {
  glClearColor(static_cast<float>((colour >> 16) & 0xff) / 255, static_cast<float>((colour >> 8) & 0xff) / 255,
               static_cast<float>(colour & 0xff) / 255, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void FigureTarget::keep() {
  if (!kept_) {
    kept_ = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(kept_.get(), 1, GL_RGBA8, width_, height_);
  }
  glCopyImageSubData(texture(), GL_TEXTURE_2D, 0, 0, 0, 0, kept_.get(), GL_TEXTURE_2D, 0, 0, 0, 0, width_, height_, 1);
}

void FigureTarget::bringBack() {
  glCopyImageSubData(kept_.get(), GL_TEXTURE_2D, 0, 0, 0, 0, texture(), GL_TEXTURE_2D, 0, 0, 0, 0, width_, height_, 1);
}

void FigureTarget::widen() {
  glDisable(GL_SCISSOR_TEST);
}

void FigureTarget::end() {
  glDisable(GL_BLEND);
  if (beside_.texture) {
    const Piece& piece = pieceOf(tile_);
    const int n = supersampling_, w = tile_.width / n, h = tile_.height / n;
    const int x = tile_.left / n - piece.place.left;
    const int y = piece.place.height - (tile_.top / n - piece.place.top + h);  // bottom row first
    if (n == 1) {
      glCopyImageSubData(beside_.texture.get(), GL_TEXTURE_2D, 0, 0, 0, 0, piece.texture.get(), GL_TEXTURE_2D, 0, x, y,
                         0, w, h, 1);
    } else {
      const GLuint program = average_.get();
      glProgramUniform4f(program, 0, 0, 0, 1, 1);  // all of the viewport
      glProgramUniform4f(program, 1, 0, 0, 1, 1);
      glProgramUniform2i(program, 2, x, y);
      glProgramUniform1i(program, 3, n);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, piece.framebuffer.get());
      glViewport(x, y, w, h);
      glUseProgram(program);
      glBindVertexArray(empty_.get());
      glBindTextureUnit(0, beside_.texture.get());
      glDrawArrays(GL_TRIANGLES, 0, 6);
    }
  }
  glUseProgram(0);
  glBindVertexArray(0);
  for (GLuint unit = 0; unit < 4; ++unit) glBindTextureUnit(unit, 0);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
}

std::vector<PictureReader::Source> FigureTarget::sources() const {
  std::vector<PictureReader::Source> all;
  for (const Piece& piece : pieces_) all.push_back({piece.framebuffer.get(), piece.place});
  return all;
}

}  // namespace simscope::render
