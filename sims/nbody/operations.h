// All operations on bodies except the force between them. One functor, two executors.
//
// Thread: inside Device::run. Calls that return a value wait; the others are enqueued.
#pragma once

#include <cstdint>

#include "sims/compute/device.h"
#include "sims/nbody/system.h"

namespace simscope::nbody {

// Kicks for two durations one after the other (0: none), then drifts, and writes the sources at the new places.
struct Move {
  double finish;  // the second half of the kick before
  double begin;   // the first half of the next one
  double drift;
};
// Where a kick begins, the step is compared with the longest one.
void move(compute::Device& device, const System& system, const Move& move, Vec4* sources, const LongestStep& longest);
void packSources(compute::Device& device, const System& system, Vec4* sources);

struct Totals {
  double mass;
  double kinetic, potential;
  double momentum[3], angular_momentum[3];
  double largest_acceleration;
  double speed2, acceleration2;  // Σ v², Σ a²
  double not_finite;             // number of bodies with a value that is not finite
};
Totals measure(compute::Device& device, const System& system);

struct MassRange {
  double least, most;
  double log_sum;  // Σ ln m over bodies of m > 0
  double count;    // of them
};
MassRange massRange(compute::Device& device, const System& system);

// How much of the mass lies in each of kBins shells of equal thickness around the origin, as a share of `total_mass` in
// units of 1/kWhole. Mass beyond `radius` is in none.
inline constexpr int kBins = 512;
inline constexpr double kWhole = 1ull << 50;
void massInShells(compute::Device& device, const System& system, double radius, double total_mass,
                  std::uint64_t* shells);

}  // namespace simscope::nbody
