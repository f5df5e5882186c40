// For the tests of discs: boxes by their parameters, and hard discs by an event-driven simulation, one collision after
// the other over all pairs, as a reference.
#pragma once

#include <cmath>
#include <vector>

#include "sims/core/testing/testing.h"
#include "sims/maxwell_boltzmann/discs.h"
#include "sims/maxwell_boltzmann/maxwell_boltzmann.h"
#include "sims/maxwell_boltzmann/start.h"

namespace simscope::maxwell_boltzmann {

inline Parameters boxOf(int discs, double packing, Boundary boundary, double time_step = 0.05,
                        Start start = Start::Equilibrium) {
  Parameters p{.model = Model::Discs, .molecules = discs};
  p.packing = packing;
  p.boundary = boundary;
  p.time_step = time_step;
  p.start = start;
  return p;
}

class EventDriven {
 public:
  EventDriven(const Parameters& p, std::vector<Disc> discs)
      : length_(p.boxLength()), diameter_(p.diameter), walls_(p.walls()), discs_(std::move(discs)) {}

  // Returns the number of collisions of pairs.
  int advance(double duration) {
    int collisions = 0;
    for (double left = duration;;) {
      double first = left;
      std::size_t a = discs_.size(), b = 0;  // b: a partner, or beyond the discs: a wall across x or y
      for (std::size_t i = 0; i < discs_.size(); ++i) {
        for (std::size_t axis = 0; walls_ && axis < 2; ++axis) {
          const double at = axis == 0 ? discs_[i].x : discs_[i].y, v = axis == 0 ? discs_[i].vx : discs_[i].vy;
          const double time = v == 0 ? left : (std::copysign(0.5 * (length_ - diameter_), v) - at) / v;
          if (time < first) first = time, a = i, b = discs_.size() + axis;
        }
        for (std::size_t j = i + 1; j < discs_.size(); ++j) {
          const double time = contactOf(discs_[i], discs_[j]);
          if (time < first) first = time, a = i, b = j;
        }
      }
      for (Disc& disc : discs_) {
        disc.x = wrapped(disc.x + disc.vx * first);
        disc.y = wrapped(disc.y + disc.vy * first);
      }
      left -= first;
      if (a == discs_.size()) return collisions;
      if (b >= discs_.size()) {
        (b == discs_.size() ? discs_[a].vx : discs_[a].vy) *= -1;
        continue;
      }
      ++collisions;
      const double x = wrapped(discs_[b].x - discs_[a].x) / diameter_,
                   y = wrapped(discs_[b].y - discs_[a].y) / diameter_;
      const double normal = (discs_[b].vx - discs_[a].vx) * x + (discs_[b].vy - discs_[a].vy) * y;
      discs_[a].vx += normal * x;
      discs_[a].vy += normal * y;
      discs_[b].vx -= normal * x;
      discs_[b].vy -= normal * y;
    }
  }
  const std::vector<Disc>& discs() const { return discs_; }

 private:
  double wrapped(double d) const {
    if (walls_) return d;
    return d - length_ * std::round(d / length_);
  }
  double contactOf(const Disc& a, const Disc& b) const {
    const double x = wrapped(b.x - a.x), y = wrapped(b.y - a.y), vx = b.vx - a.vx, vy = b.vy - a.vy;
    const double approach = x * vx + y * vy, gap = x * x + y * y - diameter_ * diameter_;
    const double inside = approach * approach - (vx * vx + vy * vy) * gap;
    if (approach >= 0 || inside <= 0) return HUGE_VAL;
    return gap <= 0 ? 0 : gap / (std::sqrt(inside) - approach);
  }

  double length_, diameter_;
  bool walls_;
  std::vector<Disc> discs_;
};

}  // namespace simscope::maxwell_boltzmann
