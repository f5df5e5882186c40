// Draws fields in host memory with software OpenGL: the CPU's threads make the pixels (field_raster.h), OpenGL copies
// them into the picture. The pixels equal FieldLayer's.
//
// Owner: of the pictures of one panel; the programs, which panels share, must outlive it. Reads the fields' memory only
// within reduce(). Thread: the GL context's. Call begin() once per tile, reduce() for its fields, finish(), then draw()
// with the target framebuffer bound and blending on. Errors: simscope::Error.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "app/render/layers/field/field_layer.h"
#include "app/render/layers/field/field_raster.h"

namespace simscope::render {

class FieldBitmapPrograms {
 public:
  Program finished{{{GL_VERTEX_SHADER, "field.vert"}, {GL_FRAGMENT_SHADER, "bitmap.frag"}}};
  // Converts means to colours; made when first needed, because software OpenGL executes every branch of a shader.
  Program& means(FieldStyle style, bool lines);

 private:
  std::map<std::pair<FieldStyle, bool>, std::unique_ptr<Program>> means_;
};

class FieldBitmap {
 public:
  explicit FieldBitmap(FieldBitmapPrograms& programs);

  // As FieldLayer::begin. Isolines need a range that is not logarithmic.
  void begin(const PlotArea& area, const Tile& tile, FieldLayer::Contours contours,
             std::span<const std::uint32_t> table);
  void reduce(FieldLayer::Picture picture, const FieldSource& source, FieldStyle style, const ColourRange& range);
  // `missing`: for cells without a number; `outside`: for pixels beyond the field. `whole`: a texture of a one-tile
  // picture into which finished pixels may be copied (bottom row first); 0: they are drawn.
  void finish(Colour missing, Colour outside, unsigned whole);
  void draw();

 private:
  struct Texture {
    GlTexture texture;
    GLenum format = 0;
    int width = 0, height = 0;
  };
  void upload(Texture& texture, GLenum format, GLenum layout, GLenum type, const void* pixels);

  FieldBitmapPrograms& programs_;
  GlVertexArray empty_;
  ColourTable table_;
  PlotArea area_;
  Tile tile_, part_;
  FieldLayer::Contours contours_;
  FieldStyle style_ = FieldStyle::Scalar;
  FieldPlace place_;
  Colour missing_ = 0;
  unsigned whole_ = 0;
  std::array<std::vector<float>, 3> pictures_;
  std::array<bool, 3> made_{};
  std::vector<float> coverage_;
  RasterScratch scratch_;
  std::vector<std::uint32_t> pixels_;
  Texture bitmap_, means_, lines_;
};

}  // namespace simscope::render
