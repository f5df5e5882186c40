// The camera of views of points: maps places in space to pixels, and pixels to places in a plane.
//
// Plain data; any thread. Pixels: y down, as in the figure.
#pragma once

#include <array>

#include "sims/core/description.h"

namespace simscope::render {

class Projection {
 public:
  static constexpr double kFieldOfView = 30;  // degrees, over the shorter side of the plot

  // `half_edge`: of the cube around the origin that fits exactly at zoom 1; the rest: the plot's rectangle in pixels.
  Projection(const Camera& camera, double half_edge, double left, double top, double width, double height);

  // Projects onto the xy plane, whose limits the rectangle shows; the axes may have different scales.
  static Projection ofPlane(double x_low, double x_high, double y_low, double y_high, double left, double top,
                            double width, double height);

  struct Pixel {
    double x = 0, y = 0;
    double depth = 0;     // distance from the eye along the line of sight, simulation units; ≤ 0: behind it
    double per_unit = 0;  // pixels per simulation unit at this depth
  };
  Pixel project(double x, double y, double z) const;
  // The place in the plane through the camera's target that faces the eye.
  std::array<double, 3> onTargetPlane(double pixel_x, double pixel_y) const;

  // Rows: right, up, and towards the eye; orthonormal. For ofPlane(): pixels per unit, and zero towards the eye.
  const std::array<std::array<double, 3>, 3>& axes() const noexcept { return axes_; }
  const Camera& camera() const noexcept { return camera_; }
  double distance() const noexcept { return distance_; }         // of the eye from the target
  double focalPixels() const noexcept { return focal_pixels_; }  // pixel = centre ± focal · lateral / depth
  double centreX() const noexcept { return centre_x_; }
  double centreY() const noexcept { return centre_y_; }

 private:
  Projection() = default;

  Camera camera_;
  std::array<std::array<double, 3>, 3> axes_{};
  double distance_ = 1, focal_pixels_ = 1, centre_x_ = 0, centre_y_ = 0;
};

}  // namespace simscope::render
