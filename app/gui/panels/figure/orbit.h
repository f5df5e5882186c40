// How the mouse and the keys move the camera of a view of points: turned about its target, nearer or farther, and along
// the plane that faces the eye.
//
// Plain functions of the camera; any thread.
#pragma once

#include <span>

#include "app/render/figure/camera.h"

namespace simscope::gui {

// How far the mouse and the keys go; a scene may go farther.
inline constexpr double kFarthestZoom = 0.05, kNearestZoom = 1e5;

// Turns by degrees: positive `right` turns the scene to the right, positive `down` shows more of it from above. The
// elevation stops at straight up and down; the azimuth stays within (-180, 180].
Camera turned(Camera camera, double right, double down);
// Magnifies about the target, within the limits; a factor that is no positive number changes nothing.
Camera zoomed(Camera camera, double factor);
// Moves the target so that what was at the first pixel lies under the second one.
Camera moved(const render::Projection& projection, double from_x, double from_y, double to_x, double to_y);

struct Standpoint {
  const char* key;
  const char* title;
  const char* help;
  double azimuth, elevation;
};
// Top, front, side, and the isometric one. They keep zoom and target.
std::span<const Standpoint> standpoints();
Camera seenFrom(Camera camera, const Standpoint& standpoint);
// Index of the standpoint that the camera has; −1: another.
int standpointOf(const Camera& camera);

}  // namespace simscope::gui
