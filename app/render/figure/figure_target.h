// The off-screen picture that a figure is drawn into, tile by tile.
//
// The picture lies in one texture or, if it is larger than a texture can be, in several. A picture of one tile without
// supersampling is drawn in place; otherwise each tile is drawn separately, and copied or averaged into it.
//
// Owner: of the textures and framebuffers. Thread: the GL context's. Errors: simscope::Error if OpenGL cannot draw into
// pictures of this size (or has no memory for them); the target is then unchanged.
#pragma once

#include <vector>

#include "app/render/figure/picture_reader.h"
#include "app/render/figure/theme.h"
#include "app/render/figure/tile.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"

namespace simscope::render {

class FigureTarget {
 public:
  explicit FigureTarget(const FigureLimits& limits) : limits_(limits) {}

  // Whether the existing target fits these settings.
  bool fits(int width, int height, int supersampling) const noexcept {
    return width_ == width && height_ == height && supersampling_ == supersampling;
  }
  // Makes the target; keeps the existing one if nothing has changed.
  void provide(int width, int height, int supersampling);
  // The tiles to draw, in order; in drawn pixels: `supersampling` times the picture's.
  const std::vector<Tile>& tiles() const noexcept { return tiles_; }

  // Binds a tile and sets every state that drawing depends on. Blending is on.
  void begin(const Tile& tile);
  // Restricts drawing to a rectangle of drawn pixels, until widen(). False: it does not meet the tile.
  bool narrow(const PlotArea& rectangle);
  void widen();
  // Fills the region to which drawing is restricted.
  void fill(Colour colour);
  // The texture of a picture of one tile drawn in place, bottom row first; else 0.
  GLuint whole() const noexcept { return beside_.texture ? 0 : texture(); }
  // For such a picture: stores what has been drawn so far, to be restored in a later picture, until provide() changes
  // something.
  void keep();
  void bringBack();
  // Unbinds everything bound since begin(); the tile is then part of the picture.
  void end();

  GLuint texture() const noexcept { return pieces_.size() == 1 ? pieces_.front().texture.get() : 0; }
  // Of the whole picture.
  std::vector<PictureReader::Source> sources() const;
  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }

 private:
  struct Piece {
    Tile place;
    GlTexture texture;
    GlFramebuffer framebuffer;
  };
  static Piece makePiece(const Tile& place);
  const Piece& pieceOf(const Tile& tile) const;

  FigureLimits limits_;
  std::vector<Piece> pieces_;
  GlTexture kept_;
  Piece beside_;  // where tiles are drawn; no texture: in place
  std::vector<Tile> tiles_;
  Tile tile_;  // being drawn
  Program average_{{{GL_VERTEX_SHADER, "field.vert"}, {GL_FRAGMENT_SHADER, "average.frag"}}};
  GlVertexArray empty_ = makeVertexArray();
  int width_ = 0, height_ = 0, supersampling_ = 1;
};

}  // namespace simscope::render
