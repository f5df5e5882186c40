// The geometry of discs in a window of time: cells, the time when two discs touch, and the effect of a collision. Host
// and device.
#pragma once

#include <cmath>
#include <cstdint>

#include "sims/compute/host_device.h"
#include "sims/compute/loops/whole.h"
#include "sims/maxwell_boltzmann/discs.h"

namespace simscope::maxwell_boltzmann {

struct Window {
  double length = 1, diameter = 1, dt = 0;  // nm, ps
  double wall = 0;                          // |x| of a centre that touches it; unused without walls
  bool walls = true;
  int cells = 1;  // along a side

  SIMSCOPE_HD int columnOf(double x) const { return compute::wholeWithin((x / length + 0.5) * cells, 0, cells - 1); }
  SIMSCOPE_HD int cellOf(const Disc& disc) const { return columnOf(disc.y) * cells + columnOf(disc.x); }
  // The nearest of a partner's images; exactly the negative from the other side.
  SIMSCOPE_HD double nearest(double d) const {
    if (walls) return d;
    return d > 0.5 * length ? d - length : d < -0.5 * length ? d + length : d;
  }
};

struct Apart {
  double x, y;    // from one centre to the other, at a time
  double vx, vy;  // relative velocity
};
SIMSCOPE_HD inline Apart apart(const Window& w, const Disc& a, const Disc& b, double at) {
  const double vx = b.vx - a.vx, vy = b.vy - a.vy;
  return {w.nearest((b.x - a.x) + vx * at), w.nearest((b.y - a.y) + vy * at), vx, vy};
}

// The time when they touch, from `from` on; at once where they overlap and approach. False: not before the window ends.
SIMSCOPE_HD inline bool contact(const Window& w, const Disc& a, const Disc& b, double from, double& time) {
  const Apart d = apart(w, a, b, from);
  const double approach = d.x * d.vx + d.y * d.vy;
  const double gap = (d.x * d.x + d.y * d.y) - w.diameter * w.diameter;
  // Most pairs are too far apart for the rest of the window, in any direction: one test rejects them.
  if (gap >= -2 * approach * w.dt || !(approach < 0)) return false;
  if (gap <= 0) {
    time = from;
    return from < w.dt;
  }
  const double v2 = d.vx * d.vx + d.vy * d.vy, inside = approach * approach - v2 * gap;
  if (!(inside > 0)) return false;
  time = from + gap / (std::sqrt(inside) - approach);
  return time < w.dt;
}

// The time when a flight meets a wall across x (axis 0) or y; the window's end if it does not.
SIMSCOPE_HD inline double wallTime(const Window& w, double x, double v, double from) {
  if (v == 0) return w.dt;
  const double time = ((v > 0 ? w.wall : -w.wall) - x) / v;
  return time < from ? from : time;
}

// Changes the velocity at a time; the stored flight is then that of the new velocity at all times.
SIMSCOPE_HD inline void turn(double& x, double& v, double to, double at) {
  x += (v - to) * at;
  v = to;
}

// Exchanges the components of the two velocities along the line of their centres. Returns |Δv·d|.
SIMSCOPE_HD inline double collide(const Window& w, Disc& a, Disc& b, double at) {
  const Apart d = apart(w, a, b, at);
  const double along = d.x * d.vx + d.y * d.vy, share = along / (d.x * d.x + d.y * d.y);
  const double jx = share * d.x, jy = share * d.y;
  turn(a.x, a.vx, a.vx + jx, at);
  turn(a.y, a.vy, a.vy + jy, at);
  turn(b.x, b.vx, b.vx - jx, at);
  turn(b.y, b.vy, b.vy - jy, at);
  return along < 0 ? -along : along;
}

}  // namespace simscope::maxwell_boltzmann
