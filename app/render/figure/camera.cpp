#include "app/render/figure/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::render {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// Right angles give whole numbers, so that a view along an axis is exactly that.
double cosine(double degrees) {
  const double value = std::cos(degrees * kDegree);
  return std::abs(value) < 1e-15 ? 0 : value;
}
double sine(double degrees) {
  const double value = std::sin(degrees * kDegree);
  return std::abs(value) < 1e-15 ? 0 : value;
}

double dot(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace

Projection::Projection(const Camera& camera, double half_edge, double left, double top, double width, double height)
    : camera_(camera) {
  const double ca = cosine(camera.azimuth), sa = sine(camera.azimuth);
  const double ce = cosine(camera.elevation), se = sine(camera.elevation);
  axes_ = {{{ca, sa, 0}, {-sa * se, ca * se, ce}, {sa * ce, -ca * ce, se}}};
  // The ball around the cube touches the cone of sight; its corners then lie within, wherever the eye is.
  const double half_angle = kFieldOfView / 2 * kDegree;
  distance_ = std::sqrt(3.0) * half_edge / std::sin(half_angle) / camera.zoom;
  focal_pixels_ = std::min(width, height) / 2 / std::tan(half_angle);
  centre_x_ = left + width / 2;
  centre_y_ = top + height / 2;
}

// An eye at a distance of one, however far away: neither depth nor size depend on the place.
Projection Projection::ofPlane(double x_low, double x_high, double y_low, double y_high, double left, double top,
                               double width, double height) {
  Projection flat;
  flat.camera_.x = (x_low + x_high) / 2;
  flat.camera_.y = (y_low + y_high) / 2;
  flat.axes_[0][0] = width / (x_high - x_low);
  flat.axes_[1][1] = height / (y_high - y_low);
  flat.centre_x_ = left + width / 2;
  flat.centre_y_ = top + height / 2;
  return flat;
}

Projection::Pixel Projection::project(double x, double y, double z) const {
  const std::array<double, 3> from = {x - camera_.x, y - camera_.y, z - camera_.z};
  const double depth = distance_ - dot(axes_[2], from);
  if (!(depth > 0)) return {centre_x_, centre_y_, depth, 0};
  const double per_unit = focal_pixels_ / depth;
  return {centre_x_ + dot(axes_[0], from) * per_unit, centre_y_ - dot(axes_[1], from) * per_unit, depth, per_unit};
}

std::array<double, 3> Projection::onTargetPlane(double pixel_x, double pixel_y) const {
  const double unit = distance_ / focal_pixels_;
  const double right = (pixel_x - centre_x_) * unit, up = (centre_y_ - pixel_y) * unit;
  std::array<double, 3> place = {camera_.x, camera_.y, camera_.z};
  for (std::size_t k = 0; k < 3; ++k) place[k] += right * axes_[0][k] + up * axes_[1][k];
  return place;
}

}  // namespace simscope::render
