// Draws curves from GL buffers: first reduced to one column per pixel by a compute shader (so that no sample is missed
// and the cost of drawing depends only on the picture), then filled or stroked with smooth edges.
//
// Owner: of the reduced columns of one panel; the programs, which panels share, must outlive it. Reads the channels'
// buffers, never copies them. Thread: the GL context's. Call begin() once per picture, reduce() for each curve, then,
// for each tile, fill() and line() in the order of painting; the target framebuffer is bound and blending is on.
// Errors: simscope::Error.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "app/render/figure/theme.h"
#include "app/render/gl/colour_table.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"
#include "app/render/gl/stream_buffer.h"
#include "app/render/layers/curves/curve_raster.h"

namespace simscope::render {

struct CurveSource {
  unsigned values = 0;  // GL buffer of floats
  int stride = 1;       // floats from one sample to the next
  unsigned phases = 0;  // GL buffer of angles [rad]; 0: none
  int phase_stride = 1;
  int count = 0;                // samples
  double x_min = 0, x_max = 1;  // of the first sample and one past the last
  bool bars = false;            // each sample fills its width
  // The same numbers if they are in host memory; the GL buffers may then be 0.
  const float* host_values = nullptr;
  const float* host_phases = nullptr;
};

struct CurvePrograms {
  Program reduce{{{GL_COMPUTE_SHADER, "columns.comp"}}};
  Program fill{{{GL_VERTEX_SHADER, "column_fill.vert"}, {GL_FRAGMENT_SHADER, "column_fill.frag"}}};
  Program line{{{GL_VERTEX_SHADER, "column_line.vert"}, {GL_FRAGMENT_SHADER, "column_line.frag"}}};
};

class CurveLayer {
 public:
  explicit CurveLayer(CurvePrograms& programs);

  // `area`: the plot's, in drawn pixels.
  void begin(const PlotArea& area, const ThemeColours& colours);
  // Reduces a curve relative to `y`, the range of its axis.
  void reduce(std::size_t slot, const CurveSource& source, const Limits& y);
  // The tile that fill() and line() draw into.
  void show(const Tile& tile) { tile_ = tile; }
  // The area between curve and zero, in one colour or (nullopt) in the phase's colours.
  void fill(std::size_t slot, std::optional<Colour> colour);
  // Outline: fades on the axis, where there is nothing to outline; Fringes: also where it would cover dense fringes.
  enum class LineFade { Plain, Outline, Fringes };
  void line(std::size_t slot, double width, Colour colour, LineFade stroke = LineFade::Plain, double opacity = 1);

 private:
  struct Slot {
    GlBuffer columns;
    StreamBuffer filled;  // the same, computed on the CPU
    GlTexture view;       // the same memory as a texture: storage buffers are optional in vertex shaders
    int capacity = 0;
    float zero = 0;  // height of the axis's zero in pixels
  };

  Slot& slot(std::size_t index);
  void provide(Slot& slot);
  void draw(GLuint program);

  CurvePrograms& programs_;
  GlVertexArray empty_;
  ColourTable wheel_;
  std::vector<Slot> slots_;
  PlotArea area_;
  int columns_ = 0;
  CurveColumns scratch_;
  Tile tile_;
};

}  // namespace simscope::render
