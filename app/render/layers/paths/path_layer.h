// Draws lines over the picture of a plot, from GL buffers of places, with smooth edges and a border of another colour,
// so that they are visible on any background.
//
// Owner: of no data; the programs, which panels share, must outlive it. Reads the channels' buffers, never
// copies them. Thread: the GL context's; the target framebuffer is bound, blending is on, and lines are clipped to the
// plot.
#pragma once

#include "app/render/figure/figure.h"
#include "app/render/figure/theme.h"
#include "app/render/figure/tile.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"

namespace simscope::render {

struct PathSource {
  unsigned places = 0;  // GL buffer of floats, `components` per place: x, y, and unused ones
  int components = 2;
  int samples = 0;  // places per path
  int count = 0;    // paths
};

class PathLayer {
 public:
  PathLayer();

  // `area` in drawn pixels; `width` and `edge_width`, on either side, in drawn pixels.
  void draw(const PathSource& source, const PlotArea& area, const Tile& tile, Colour colour, double width, Colour edge,
            double edge_width);

 private:
  Program program_{{{GL_VERTEX_SHADER, "path.vert"}, {GL_FRAGMENT_SHADER, "path.frag"}}};
  GlVertexArray empty_;
};

}  // namespace simscope::render
