// How fast a device works through single-precision instructions when nothing else holds it up: what a simulation whose
// limit is arithmetic is measured against.
//
// An instruction counts once for each lane that it works on: a fused multiply-add over 32 threads of a warp, or over
// the 16 lanes of an AVX-512 register, is 32 or 16 operations. Independent chains of them run on every multiprocessor
// or core; the best of a few short trials counts, as clocks go.
// Thread: inside Device::run; waits (some milliseconds). Errors: as Device.
#pragma once

#include "sims/compute/device.h"

namespace simscope::compute {

struct LaneRate {
  double per_second = 0;
  const char* instructions = "";  // "AVX-512 FMA", "AVX2 FMA", "portable", "CUDA FMA"
};

LaneRate laneRate(Device& device);

}  // namespace simscope::compute
