// Converts between pixels of the figure and places of the simulation, by panel. Plain functions; any thread. Pixels: y
// down, as in the figure.
#pragma once

#include <optional>
#include <span>

#include "app/render/figure/figure.h"
#include "app/session/mouse_stroke.h"

namespace simscope::gui {

using PanelArea = render::Figure::PanelArea;

struct PixelPlace {
  double x = 0, y = 0;
};

// The panel whose plot contains the pixel; −1: none.
int panelAt(std::span<const PanelArea> panels, PixelPlace pixel);
// The place under a pixel: on axes, or in the plane through the camera's target. Not finite if there is none.
Spot spotAt(const PanelArea& panel, PixelPlace pixel);
// The pixel of a place; nothing if it lies behind the eye. In a view of curves y is the plot's middle.
std::optional<PixelPlace> pixelOf(const PanelArea& panel, Domain domain, const Spot& spot);
// Length of a pixel's edge along x [simulation units]; in space at the distance of the camera's target.
double unitsPerPixel(const PanelArea& panel);

}  // namespace simscope::gui
