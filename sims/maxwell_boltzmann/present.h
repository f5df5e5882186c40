// The views of a gas: histograms beside the exact curves, molecules as points, and the discs' records over time.
#pragma once

#include "sims/core/frame.h"
#include "sims/maxwell_boltzmann/discs.h"
#include "sims/maxwell_boltzmann/sample.h"

namespace simscope::maxwell_boltzmann {

inline constexpr int kCurvePoints = 512;     // of an exact curve
inline constexpr int kIdealShown = 1 << 13;  // molecules of an ideal gas that are drawn, at most

// Speeds and components: shares over the width of a bin [s/km] from `counts`, of `total` molecules; the exact curves,
// and the most probable, the mean, and the r.m.s. speed.
void presentHistograms(Frame& frame, const Parameters& parameters, double kelvin, const Counts& counts, double total);

// The channels "box", "velocities", "speed", and "circle" that the frame wants, and their number of points; null: not
// wanted.
struct PointChannels {
  float *box = nullptr, *velocities = nullptr, *speed = nullptr;
  int shown = 0, every = 1;
  float box_size = 1, velocity_size = 1;
};
PointChannels pointChannels(Frame& frame, const Parameters& parameters, double kelvin);
void presentDiscs(compute::Device& device, const DiscBox& box, const PointChannels& to);
void presentIdeal(compute::Device& device, const Draw& draw, const Parameters& parameters, double kelvin,
                  const PointChannels& to);

// Pressure [mN/m] = ideal + virial·(increase of Totals::virial in 1 ps), or walls·(increase of Totals::walls).
struct PressureUnits {
  double ideal = 0, virial = 0, walls = 0;
};
PressureUnits pressureUnits(const Parameters& parameters, double kelvin);

// Records `newest` and the available - 1 before it, in the ring; the newest is shown at the right; missing ones at the
// left repeat the oldest. Null: an ideal gas, which has none.
struct Shown {
  const Record* records = nullptr;
  int newest = 0, available = 0;
  double interval = 1;  // between records [ps]
  double h_start = 0;   // H at the start
};
void presentRecords(Frame& frame, const Parameters& parameters, double kelvin, const Shown& shown);

}  // namespace simscope::maxwell_boltzmann
