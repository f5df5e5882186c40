// Draws a vector field as a lattice of arrows over a plot: a compute shader reduces GL buffers to one mean vector per
// lattice point, then the arrows are drawn with smooth edges, each centred on its point.
//
// Owner: of the reduced arrows of one panel; the programs, which panels share, must outlive it. Reads the channel's
// buffer, never copies it. Thread: the GL context's. Call reduce() once per picture, then draw() for each tile with the
// target framebuffer bound and blending on. Errors: simscope::Error.
#pragma once

#include "app/render/figure/theme.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"
#include "app/render/layers/field/field_layer.h"

namespace simscope::render {

// Points `step` pixels apart, as many as fit a plot, centred in it.
struct ArrowLattice {
  int columns = 0, rows = 0;
  double left = 0, bottom = 0;  // of its first square, whose centre is a point; pixels, y down
  double step = 0;
};
ArrowLattice arrowLattice(const PlotArea& area, double scale);
// The longest arrow that does not reach its neighbours [pixels].
double longestArrow(double scale);
// Shorter arrows are not drawn; as a fraction of the longest.
constexpr double kShortestArrow = 0.03;

struct ArrowPrograms {
  Program reduce{{{GL_COMPUTE_SHADER, "arrows.comp"}}};
  Program draw{{{GL_VERTEX_SHADER, "arrow.vert"}, {GL_FRAGMENT_SHADER, "arrow.frag"}}};
};

class ArrowLayer {
 public:
  explicit ArrowLayer(ArrowPrograms& programs);

  // `longest`: pixels of a vector of length `high`; longer ones are clipped to it. `gaps`: cells without a number are
  // left out of the means, and no arrow touches one; otherwise an arrow whose mean includes one is not drawn.
  void reduce(const PlotArea& area, double scale, const FieldSource& source, double high, double longest,
              bool gaps = false);
  void draw(const Tile& tile);
  // One arrow in a colour, without an edge, starting at `left` towards the right.
  void drawKey(const Tile& tile, double left, double middle, double length, Colour colour);

 private:
  GLuint prepared(const Tile& tile);

  ArrowPrograms& programs_;
  GlVertexArray empty_;
  GlBuffer arrows_;
  GlTexture view_;  // the same memory as a texture: storage buffers are optional in vertex shaders
  int count_ = 0, capacity_ = 0;
  float scale_ = 1;
};

}  // namespace simscope::render
