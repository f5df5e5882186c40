// The off-screen picture that a figure is drawn into, tile by tile.
//
// The picture lies in one texture or, where it is larger than a texture can be, in several. Where it is one tile
// without supersampling, it is drawn in place; else each tile is drawn beside it, and copied or averaged into it.
//
// Owner: the textures and framebuffers. Thread: the GL context's. Errors: simscope::Error where OpenGL cannot draw into
// pictures of the size (or has no memory for them); the target then stays as it was.
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

  // Whether there is nothing to be made for this.
  bool fits(int width, int height, int supersampling) const noexcept {
    return width_ == width && height_ == height && supersampling_ == supersampling;
  }
  // Keeps what there is where nothing has changed.
  void provide(int width, int height, int supersampling);
  // What is to be drawn, one after another; in drawn pixels: `supersampling` times as many as the picture's.
  const std::vector<Tile>& tiles() const noexcept { return tiles_; }

  // Binds a tile and sets every state that drawing depends on. Blending is on.
  void begin(const Tile& tile);
  // Restricts drawing to a rectangle of drawn pixels, until widen(). False: none of it is in the tile.
  bool narrow(const PlotArea& rectangle);
  void widen();
  // All that drawing is restricted to.
  void fill(Colour colour);
  // The texture where the picture is one tile that is drawn in place, bottom row first; else 0.
  GLuint whole() const noexcept { return beside_.texture ? 0 : texture(); }
  // Of such a picture: what has been drawn so far is to be brought back, in a later picture, until provide() changes
  // something.
  void keep();
  void bringBack();
  // Unbinds all that was bound in between; the tile is part of the picture then.
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
  Tile tile_;  // that is being drawn
  Program average_{{{GL_VERTEX_SHADER, "field.vert"}, {GL_FRAGMENT_SHADER, "average.frag"}}};
  GlVertexArray empty_ = makeVertexArray();
  int width_ = 0, height_ = 0, supersampling_ = 1;
};

}  // namespace simscope::render
