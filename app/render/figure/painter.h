// The interface of a kind of view to the figure. A picture is made in stages: the panels are planned; every painter
// prepares its panels' data and writes their surroundings; then, for each tile, it reduces the data to the tile's
// pixels, and paints.
//
// Owner: the painter owns the GL objects of its panels, found by their index and kept from picture to picture. Thread:
// the GL context's. Errors: simscope::Error, before anything is painted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/render/figure/canvas.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"
#include "app/render/figure/tile.h"
#include "app/render/gl/transfer.h"

namespace simscope::render {

// The inputs of a picture's drawing.
struct Drawing {
  const Frame& frame;
  const FigureOptions& options;
  const ThemeColours& colours;
  Transfer& transfer;
  Canvas& canvas;
  Tile tile = {};  // being reduced and painted; in drawn pixels
  // A texture of the picture into which finished pixels are copied instead of drawn, bottom row first; 0: none.
  unsigned whole = 0;

  // Drawn pixels per pixel of the plan, in both directions.
  int supersampling() const noexcept { return options.supersampling; }
  PlotArea drawn(const PlotArea& area) const { return enlarged(area, options.supersampling); }
};

// A value read at the marker.
struct Reading {
  std::string name;   // "|ψ|²"
  std::string value;  // "0.0345"
  Colour colour;      // of the name
  double y = 0;       // height of the point in pixels
  bool dot = false;   // whether it lies on a curve of the plot
};

class Painter {
 public:
  Painter() = default;
  virtual ~Painter() = default;
  Painter(const Painter&) = delete;
  Painter& operator=(const Painter&) = delete;

  // The colour to which the plot is cleared.
  virtual Colour background(const ThemeColours& colours) const { return colours.plot; }
  // Transfers the panel's channels to OpenGL. Completes the parts of the plan that depend on their data.
  virtual void prepare(PanelPlan& panel, const Drawing& drawing) = 0;
  // Axes, titles, and keys, onto the canvas.
  virtual void decorate(const PanelPlan& panel, const Drawing& drawing) = 0;
  // The marker of the options and the values read there, onto the canvas, over everything else.
  virtual void mark(const PanelPlan& panel, const Drawing& drawing) = 0;
  // The work repeated for each tile, before any of it is painted.
  virtual void reduce(const PanelPlan&, const Drawing&) {}
  // Paints into the bound target: blending is on, and pixels outside the plot are kept.
  virtual void paint(const PanelPlan& panel, const Drawing& drawing) = 0;
  // Likewise, outside the plot.
  virtual void paintKey(const PanelPlan&, const Drawing&) {}
  // The point of a panel of the last picture nearest to a pixel, within `reach` pixels; −1: none. Waits.
  virtual std::int64_t pick(std::size_t, const Projection&, double, double, double) { return -1; }
  // The name of the kind of a point of that panel ("Earth"); empty: no name. Waits.
  virtual std::string kindName(std::size_t, std::int64_t) { return {}; }
};

// The layer of a panel, made if there is none yet.
template <class Layer, class Programs>
Layer& layerOf(std::vector<std::unique_ptr<Layer>>& layers, std::size_t index, Programs& programs) {
  if (layers.size() <= index) layers.resize(index + 1);
  if (!layers[index]) layers[index] = std::make_unique<Layer>(programs);
  return *layers[index];
}

}  // namespace simscope::render
