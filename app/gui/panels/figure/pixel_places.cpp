#include "app/gui/panels/figure/pixel_places.h"

#include <cmath>
#include <limits>

namespace simscope::gui {

int panelAt(std::span<const PanelArea> panels, PixelPlace pixel) {
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const render::PlotArea& area = panels[i].area;
    if (!(area.width > 0 && area.height > 0)) continue;
    const bool across = pixel.x >= area.left && pixel.x <= area.left + area.width;
    if (across && pixel.y >= area.top && pixel.y <= area.top + area.height) return static_cast<int>(i);
  }
  return -1;
}

Spot spotAt(const PanelArea& panel, PixelPlace pixel) {
  if (panel.projection) {
    const auto [x, y, z] = panel.projection->onTargetPlane(pixel.x, pixel.y);
    return {x, y, z};
  }
  return {panel.area.xAt(pixel.x), panel.area.yAt(pixel.y), 0};
}

std::optional<PixelPlace> pixelOf(const PanelArea& panel, Domain domain, const Spot& spot) {
  if (panel.projection) {
    const render::Projection::Pixel pixel = panel.projection->project(spot.x, spot.y, spot.z);
    if (!(pixel.depth > 0)) return std::nullopt;
    return PixelPlace{pixel.x, pixel.y};
  }
  const render::PlotArea& area = panel.area;
  const double x = area.left + (spot.x - area.x.low) / (area.x.high - area.x.low) * area.width;
  if (domain == Domain::Line) return PixelPlace{x, area.top + area.height / 2};
  return PixelPlace{x, area.top + (area.y.high - spot.y) / (area.y.high - area.y.low) * area.height};
}

double unitsPerPixel(const PanelArea& panel) {
  if (panel.projection) {
    const Camera& camera = panel.projection->camera();
    const double per_unit = panel.projection->project(camera.x, camera.y, camera.z).per_unit;
    return per_unit > 0 ? 1 / per_unit : 0;
  }
  const render::PlotArea& area = panel.area;
  return area.width > 0 ? (area.x.high - area.x.low) / area.width : 0;
}

}  // namespace simscope::gui
