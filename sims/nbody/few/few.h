// A few bodies, in double precision, many steps at a time: on CUDA one block of threads keeps them on the chip, a body
// a thread, for all steps of a launch. Trails are recorded meanwhile.
//
// Thread: inside Device::run; enqueued. n steps in one launch give the same bits as n single ones.
#pragma once

#include <cstdint>

#include "sims/compute/device.h"
#include "sims/nbody/parameters.h"
#include "sims/nbody/system.h"

namespace simscope::nbody {

// A ring of samples for each body: sample k of body b at places[3 (b · kTrailSamples + k)].
struct TrailRing {
  float* places;
  int next;        // sample that is written next
  int stride;      // steps from one sample to the next
  int since_last;  // steps made since the last sample

  int samplesIn(int steps) const { return static_cast<int>((std::int64_t{since_last} + steps) / stride); }
  TrailRing after(int steps) const {
    const auto next_sample = static_cast<int>((std::int64_t{next} + samplesIn(steps)) % kTrailSamples);
    return {places, next_sample, stride, static_cast<int>((std::int64_t{since_last} + steps) % stride)};
  }
};

struct FewSteps {
  System system;  // up to kFew bodies; field: null
  Integrator integrator;
  double time_step;
  int steps;
  TrailRing trail;
  std::uint64_t* longest;   // LongestStep::kept; steps of adaptive length leave it
  std::int64_t first_step;  // the number of the first of these steps
};

void advanceFew(compute::Device& device, const FewSteps& work);

}  // namespace simscope::nbody
