// Sums over all particles, in double precision. Thread: inside Device::run; waits.
#pragma once

#include "sims/lorentz/advance.h"

namespace simscope::lorentz {

struct Totals {
  double kinetic;    // Σ u²/(γ+1)
  double potential;  // −Σ q E x
  double gyration;   // Σ ½ |u across B, in the frame that drifts with E×B|²
  double guide;      // Σ y of guiding centres, times q in a gradient, where charges drift apart
  double drift;      // Σ of the formulas' rates for it
  double spread2;    // Σ of squared distances from the moving line on which a beam started
  double spread2_exact;
  double moving;  // how many are not lost
  double coarse;  // how many of them turn by more than kCoarse in a step
  double bad;     // how many have a NaN
  double turn;    // the largest angle by which one that is not lost turns in a step
  double wide;    // how many of them have a gyroradius of more than kWide lengths B/|∇B|
};
inline constexpr double kWide = 0.3;
inline constexpr double kCoarse = 0.5;  // radians

// time, line_y: of the frame in which a beam's spread is measured.
// Copies `count` samples (six numbers each) from the first on, every so-manieth of a ring of `wrap` samples. Enqueued.
void copySamples(compute::Device& device, const float* ring, std::int64_t first, std::int64_t every, std::int64_t wrap,
                 float* to, std::int64_t count);

Totals measure(compute::Device& device, const Setup& setup, const Particles& particles, double time, double line_y);

}  // namespace simscope::lorentz
