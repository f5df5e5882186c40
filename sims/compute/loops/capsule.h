// The area of a brush: the points within a radius of the line between two points, its path; or the rectangle or the
// ellipse between two corners. In any unit of length. Any thread; device code too.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"

namespace simscope::compute {

enum class Outline { Way, Rectangle, Ellipse };

struct Capsule {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, radius = 0;
  Outline outline = Outline::Way;  // of other outlines (x0, y0) and (x1, y1) are corners, and the radius is 0

  // The square of the distance of (x, y) from the line.
  SIMSCOPE_HD double distanceSquared(double x, double y) const {
    const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    double along = length2 > 0 ? ((x - x0) * dx + (y - y0) * dy) / length2 : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    const double off_x = x - x0 - along * dx, off_y = y - y0 - along * dy;
    return off_x * off_x + off_y * off_y;
  }
  // The distance of (x, y) from the border, positive inside, negative outside. For an ellipse it is approximate, and
  // exact at the border.
  SIMSCOPE_HD double depth(double x, double y) const {
    if (outline == Outline::Way) return radius - sqrt(distanceSquared(x, y));
    const double a = 0.5 * fabs(x1 - x0), b = 0.5 * fabs(y1 - y0);
    const double off_x = fabs(x - 0.5 * (x0 + x1)), off_y = fabs(y - 0.5 * (y0 + y1));
    if (outline == Outline::Rectangle) return a - off_x < b - off_y ? a - off_x : b - off_y;
    const double u = off_x / a, v = off_y / b, share = sqrt(u * u + v * v);
    const double slope = sqrt(u * u / (a * a) + v * v / (b * b));  // share times the length of its gradient
    return slope > 0 ? (1 - share) * share / slope : a < b ? a : b;
  }
  SIMSCOPE_HD bool holds(double x, double y) const {
    return outline == Outline::Way ? distanceSquared(x, y) <= radius * radius : depth(x, y) >= 0;
  }
  // Half of its smaller width.
  SIMSCOPE_HD double reach() const {
    if (outline == Outline::Way) return radius;
    const double a = 0.5 * fabs(x1 - x0), b = 0.5 * fabs(y1 - y0);
    return a < b ? a : b;
  }
};

}  // namespace simscope::compute
