// How the mouse and the keys move the camera of a view of points: rotation about its target, zoom, and translation in
// the plane that faces the eye.
//
// Plain functions of the camera; any thread.
#pragma once

#include <span>

#include "app/render/figure/camera.h"

namespace simscope::gui {

// Limits for the mouse and the keys; a scene may exceed them.
inline constexpr double kFarthestZoom = 0.05, kNearestZoom = 1e5;

// Turns by degrees: positive `right` turns the scene to the right, positive `down` shows more of it from above. The
// elevation is limited to straight up and down; the azimuth stays within (-180, 180].
Camera turned(Camera camera, double right, double down);
// Magnifies about the target, within the limits; a factor that is not positive changes nothing.
Camera zoomed(Camera camera, double factor);
// Moves the target so that the point at the first pixel lies under the second one.
Camera moved(const render::Projection& projection, double from_x, double from_y, double to_x, double to_y);

struct Standpoint {
  const char* key;
  const char* title;
  const char* help;
  double azimuth, elevation;
};
// Top, front, side, and the isometric one. Zoom and target are unchanged.
std::span<const Standpoint> standpoints();
Camera seenFrom(Camera camera, const Standpoint& standpoint);
// Index of the camera's standpoint; −1: none of them.
int standpointOf(const Camera& camera);

}  // namespace simscope::gui
