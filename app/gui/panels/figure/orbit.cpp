#include "app/gui/panels/figure/orbit.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr double kIsometric = 35.264389682754654;  // atan(1/√2): the three axes equally foreshortened

constexpr Standpoint kStandpoints[] = {
    {"top", "Top", "From above: x to the right, y up", 0, 90},
    {"front", "Front", "Along y: x to the right, z up", 0, 0},
    {"side", "Side", "Along x, from its end: y to the right, z up", 90, 0},
    {"iso", "Iso", "From a corner: all three axes equally long", 45, kIsometric},
};

double wrapped(double degrees) {
  const double turn = std::remainder(degrees, 360.0);
  return turn == -180 ? 180 : turn;
}

}  // namespace

Camera turned(Camera camera, double right, double down) {
  if (!std::isfinite(right) || !std::isfinite(down)) return camera;
  camera.azimuth = wrapped(camera.azimuth - right);
  camera.elevation = std::clamp(camera.elevation + down, -90.0, 90.0);
  return camera;
}

Camera zoomed(Camera camera, double factor) {
  if (!(factor > 0) || !std::isfinite(factor)) return camera;
  // What a scene chose beyond the limits stays, until it comes back within them.
  const double low = std::min(kFarthestZoom, camera.zoom), high = std::max(kNearestZoom, camera.zoom);
  camera.zoom = std::clamp(camera.zoom * factor, low, high);
  return camera;
}

Camera moved(const render::Projection& projection, double from_x, double from_y, double to_x, double to_y) {
  const auto from = projection.onTargetPlane(from_x, from_y), to = projection.onTargetPlane(to_x, to_y);
  Camera camera = projection.camera();
  camera.x += from[0] - to[0];
  camera.y += from[1] - to[1];
  camera.z += from[2] - to[2];
  const bool finite = std::isfinite(camera.x) && std::isfinite(camera.y) && std::isfinite(camera.z);
  return finite ? camera : projection.camera();
}

std::span<const Standpoint> standpoints() {
  return kStandpoints;
}

Camera seenFrom(Camera camera, const Standpoint& standpoint) {
  camera.azimuth = standpoint.azimuth;
  camera.elevation = standpoint.elevation;
  return camera;
}

int standpointOf(const Camera& camera) {
  for (int i = 0; const Standpoint& each : kStandpoints) {
    const bool same = std::abs(wrapped(camera.azimuth - each.azimuth)) < 1e-6;
    if (same && std::abs(camera.elevation - each.elevation) < 1e-6) return i;
    ++i;
  }
  return -1;
}

}  // namespace simscope::gui
