// What is shown of a gas: histograms beside the exact curves, molecules as points, and the discs' records over time.
#pragma once

#include "sims/core/frame.h"
#include "sims/maxwell_boltzmann/discs.h"
#include "sims/maxwell_boltzmann/sample.h"

namespace simscope::maxwell_boltzmann {

inline constexpr int kCurvePoints = 512;     // of an exact curve
inline constexpr int kIdealShown = 1 << 13;  // molecules of an ideal gas that are drawn, at most

// Speeds and components: shares over the width of a bin [s/km] from `counts`, of `total` molecules in all; the exact
// curves, and where the most probable, the mean, and the r.m.s. speed are.
void presentHistograms(Frame& frame, const Parameters& parameters, double kelvin, const Counts& counts, double total);

// The channels "box", "velocities", "speed", and "circle" that the frame wants, of so many points; null: nobody wants
// it.
struct PointChannels {
  float *box = nullptr, *velocities = nullptr, *speed = nullptr;
  int shown = 0, every = 1;
  float box_size = 1, velocity_size = 1;
};
PointChannels pointChannels(Frame& frame, const Parameters& parameters, double kelvin);
void presentDiscs(compute::Device& device, const DiscBox& box, const PointChannels& to);
void presentIdeal(compute::Device& device, const Draw& draw, const Parameters& parameters, double kelvin,
                  const PointChannels& to);

// Pressure [mN/m] = ideal + virial·(what Totals::virial gains in 1 ps), or walls·(what Totals::walls gains).
struct PressureUnits {
  double ideal = 0, virial = 0, walls = 0;
};
PressureUnits pressureUnits(const Parameters& parameters, double kelvin);

// Records `newest` and the available - 1 before it, in the ring; the newest is shown at the right, and at the left what
// the oldest was until there are enough. Null: an ideal gas, which has none.
struct Shown {
  const Record* records = nullptr;
  int newest = 0, available = 0;
  double interval = 1;  // between records [ps]
  double h_start = 0;   // H at the start
};
void presentRecords(Frame& frame, const Parameters& parameters, double kelvin, const Shown& shown);

}  // namespace simscope::maxwell_boltzmann
