// Draws fields from GL buffers: first reduced to the plot's pixels by a compute shader (nearest cell, or the exact mean
// of a pixel's cells), then coloured by table, with contours on top.
//
// Owner: of the reduced pictures and the table of one panel; the programs, which panels share, must outlive it. Reads
// the channels' buffers, never copies them. Thread: the GL context's. Call begin() once per tile, reduce() for its
// fields, then draw() with the target framebuffer bound and blending on. Errors: simscope::Error.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "app/render/figure/colour_range.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/colour_table.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"
#include "app/render/layers/field/field_place.h"

namespace simscope::render {

struct FieldSource {
  unsigned values = 0;  // GL buffer of floats, as in the channel
  int width = 0, height = 0, components = 1;
  Limits x, y;                  // from the first cell's low edge to the last one's high edge
  const float* host = nullptr;  // the same values if they are in host memory; then `values` may be 0
};

// Position of the cells along an axis of a plot.
struct CellStart {
  int base = 0;          // the cell at the plot's low edge; may lie outside the field
  double offset = 0;     // of the edge within it
  double per_pixel = 0;  // cells
};
// For `shown` on this many pixels, with `covered` divided into this many cells.
CellStart cellStart(const Limits& shown, double pixels, const Limits& covered, int cells);

// Pixels around a tile that its contours read.
int contourMargin(double level_width, double overlay_width);

struct FieldPrograms {
  Program reduce{{{GL_COMPUTE_SHADER, "field.comp"}}};
  Program draw{{{GL_VERTEX_SHADER, "field.vert"}, {GL_FRAGMENT_SHADER, "field.frag"}}};
};

class FieldLayer {
 public:
  static constexpr std::size_t kMostLevels = 24;
  // Main: cells as they are. Joined and Overlay: straight lines between cells, to be contoured.
  enum class Picture { Main, Joined, Overlay };

  explicit FieldLayer(FieldPrograms& programs);

  struct Contours {
    std::vector<double> levels;  // positions in the range; at most kMostLevels are drawn
    double level_width = 0;      // pixels; 0: none. Needs Picture::Joined
    double overlay_width = 0;    // 0: none. Needs Picture::Overlay, reduced against the range 0 to 1
    double overlay_level = 0;
  };
  // `area`: the plot's, in drawn pixels; `tile` shows a part of it. `table`: for a scalar field the colormap, for a
  // complex one the phase wheel; may be empty for colours.
  void begin(const PlotArea& area, const Tile& tile, Contours contours, std::span<const std::uint32_t> table);
  void reduce(Picture picture, const FieldSource& source, FieldStyle style, const ColourRange& range);
  // `missing`: for cells without a number.
  void draw(FieldStyle style, Colour missing);
  // The key of a complex field: hue by angle, brightness by distance from the centre.
  void drawWheel(double left, double top, double diameter);

 private:
  struct Reduced {
    GlTexture image;
    GLenum format = 0;
    int width = 0, height = 0;
  };

  int rowsBelow() const;  // of the plot, below the reduced part
  GLuint prepared(double left, double top, double width, double height, int style);

  FieldPrograms& programs_;
  GlVertexArray empty_;
  ColourTable table_;
  std::array<Reduced, 3> pictures_;
  PlotArea area_;
  Tile tile_, part_;  // part_: the part of the plot being reduced
  Contours contours_;
};

}  // namespace simscope::render
