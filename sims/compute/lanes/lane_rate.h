// A device's rate of floating-point instructions without other limits: the reference for simulations whose limit is
// arithmetic.
//
// An instruction counts once for each lane that it works on: a fused multiply-add over 32 threads of a warp, or over
// the 16 lanes of an AVX-512 register, is 32 or 16 operations (8 lanes in double precision). Independent chains of them
// run on every multiprocessor or core; the best of a few short trials counts, because clocks vary. Thread: inside
// Device::run; waits (some milliseconds). Errors: as Device.
#pragma once

#include "sims/compute/device.h"

namespace simscope::compute {

struct LaneRate {
  double per_second = 0;
  const char* instructions = "";  // "AVX-512 FMA", "AVX2 FMA", "portable", "CUDA FMA"
  // Additions and products per operation: two for a fused multiply-add.
  double arithmetic = 2;
};

LaneRate laneRate(Device& device);        // single precision
LaneRate doubleLaneRate(Device& device);  // the same in double precision

}  // namespace simscope::compute
