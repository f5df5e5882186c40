// Draws points in space as light, and their trails, from GL buffers. A compute shader adds every point to integer sums
// per pixel, whose order does not matter: equal points give equal pixels in any order. The sums are then compressed to
// the display's range: light on a dark background, or ink on a bright one (see point_tone.h).
//
// Brightness: a point is a disc of constant surface brightness, whose radius shrinks with the cube root of the count,
// so that two bodies and a million both fill the picture well. If the disc is smaller than a pixel, its light is spread
// over about one. Nothing adapts to the picture: no flicker.
//
// Owner: the layer owns its sums and tables. Reads the channels' buffers, never copies them. Thread: the GL context's.
// Call gather(), then draw() for each tile with the target framebuffer bound and blending on. Errors: simscope::Error.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/render/figure/camera.h"
#include "app/render/figure/colour_range.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"
#include "app/render/layers/points/point_tone.h"

namespace simscope::render {

// GL buffers of floats, as in the channels of a PointView.
struct PointSource {
  unsigned points = 0;
  int count = 0;
  unsigned values = 0;  // 0: all points show the table's first colour
  unsigned trails = 0;  // 0: none
  int trail_samples = 0, trails_count = 0;
};

struct PointLook {
  std::span<const std::uint32_t> table;  // colours by value
  bool subtractive = false;              // the table holds inks
  ColourRange range;
  double half_edge = 1;   // of the cube, simulation units
  double point_size = 1;  // factor on every size
  double exposure = 0;    // stops
  double scale = 1;       // of the figure
};

struct PointPrograms {
  PointPrograms();
  Program gather, resolve, trails, pick;
};

class PointLayer {
 public:
  // The programs must outlive the layer; several layers can share them.
  explicit PointLayer(PointPrograms& programs);

  // Adds up the light of a plot of whole pixels, or of the part that a tile shows. Projection, plot, and tile are in
  // drawn pixels from the figure's corner.
  void gather(const PointSource& source, const Projection& projection, const PointLook& look, const PlotArea& area,
              const Tile& tile);
  // Draws into the tile. Sets the blending function.
  void draw();

  // The first of the points nearest to a pixel, within `reach` pixels; −1: none. Waits for the device.
  std::int64_t nearest(const PointSource& source, const Projection& projection, double x, double y, double reach);
  // The light of the last gather(), for each pixel of the part, top row first; without trails, exposure, and tone.
  // Waits.
  std::vector<LinearLight> light() const;

 private:
  void drawTrails(const PointSource& source, const Projection& projection, const PointLook& look);
  void provide(int width, int height, int count);
  void provideTable(std::span<const std::uint32_t> table, bool subtractive);

  PointPrograms& programs_;
  GlVertexArray empty_;
  GlBuffer sums_, large_, picked_, table_buffer_;
  GlTexture table_, trail_picture_;
  GlTexture sums_view_;  // the same memory as a texture: storage buffers are optional in fragment shaders
  GlFramebuffer trail_target_;
  std::vector<std::uint32_t> colours_;
  PlotArea area_;
  Tile tile_, part_;            // part_: the part of the plot covered by the sums
  int width_ = 0, height_ = 0;  // of the sums
  std::int64_t capacity_ = 0;   // in bytes
  int room_ = 0;                // entries in the list of large discs
  bool has_trails_ = false;
  bool subtractive_ = false;  // of the table
  double exposure_ = 0;
};

}  // namespace simscope::render
