// Limits of a picture: checked by the command line, scenes, the window, and the figure itself.
#pragma once

#include <algorithm>

namespace simscope {

inline constexpr int kSmallestSide = 64, kLargestSide = 16384;       // pixels
inline constexpr double kSmallestScale = 0.5, kLargestScale = 8;     // of letters and lines
inline constexpr int kMostSupersampling = 4;                         // in each direction
inline constexpr double kMostDegrees = 1e6;                          // of azimuth, which may exceed a full turn
inline constexpr double kSmallestZoom = 1e-3, kLargestZoom = 1e6;    // of the camera
inline constexpr double kFarthestTarget = 1e30;                      // simulation units, on each axis
inline constexpr double kMostStops = 30;                             // of exposure, in both directions
inline constexpr double kSmallestPoint = 0.01, kLargestPoint = 100;  // factor on the size of points

// The scale of a figure on a display with `density` times the usual letter size: valid for any valid `scale`.
constexpr double scaleOnScreen(double scale, double density) {
  return std::clamp(scale * density, kSmallestScale, kLargestScale);
}

}  // namespace simscope
