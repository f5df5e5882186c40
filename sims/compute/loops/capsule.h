// The places within a radius of a line from one point to another: what a round brush covers on its way. In any unit of
// length. Any thread; device code too.
#pragma once

#include "sims/compute/host_device.h"

namespace simscope::compute {

struct Capsule {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0, radius = 0;

  // The square of how far (x, y) is from the line.
  SIMSCOPE_HD double distanceSquared(double x, double y) const {
    const double dx = x1 - x0, dy = y1 - y0, length2 = dx * dx + dy * dy;
    double along = length2 > 0 ? ((x - x0) * dx + (y - y0) * dy) / length2 : 0;
    along = along < 0 ? 0 : along > 1 ? 1 : along;
    const double off_x = x - x0 - along * dx, off_y = y - y0 - along * dy;
    return off_x * off_x + off_y * off_y;
  }
  SIMSCOPE_HD bool holds(double x, double y) const { return distanceSquared(x, y) <= radius * radius; }
};

}  // namespace simscope::compute
