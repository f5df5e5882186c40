// All starts of a run, and many iterations of all of them at once: a start stays in registers for all iterations of a
// launch. n iterations in one launch give the same bits as n single ones, on either backend.
//
// After the grid's starts come the witnesses: starts that are spread evenly over the square (Roberts' sequence in two
// dimensions, 2018) and whose losses are recorded; the first of them are the tracers, whose places are recorded, too.
//
// Thread: inside Device::run; enqueued. Memory is device memory that the caller owns.
#pragma once

#include <cstdint>

#include "sims/compute/device.h"
#include "sims/descent/minima.h"

namespace simscope::descent {

inline constexpr int kWitnesses = 512, kTracers = 12, kSamples = 512;
// At most; a kernel of this many takes some 10 ms for a million starts.
inline constexpr int kIterationsOfALaunch = 256;

// What `since` holds where a start is not within the tolerance of a minimum: it still moves, or has diverged.
inline constexpr int kOnItsWay = -1, kDiverged = -2;

// Number k of start i at memory[k · n + i]; since[i]: the iteration since which it has been within the tolerance of a
// minimum.
struct Starts {
  double *x, *y, *memory;
  int* since;
  std::int64_t n;  // with the witnesses
};

// Sample k of witness w at losses[k · kWitnesses + w], f − f*; of tracer t at places[2 (t · kSamples + k)], x and y.
// It is of iteration k · stride.
struct History {
  float *losses, *places;
  std::int64_t stride;
};

struct Advance {
  const SurfaceData& surface;
  Rule rule;
  Starts starts;
  History history;
  Nearest nearest;     // its pointers to device memory
  double lowest;       // f*
  std::int64_t now;    // iterations made
  std::int64_t began;  // their number when the method began
};
// `history` must have room for the samples of these iterations.
void advance(compute::Device& device, const Advance& what, int iterations);
// Sets the values before the first iteration: `since`, and with `sampled` the first sample.
void begin(compute::Device& device, const Advance& what, bool sampled);
// Keeps every second sample, at half its number.
void halve(compute::Device& device, const History& history);

}  // namespace simscope::descent
