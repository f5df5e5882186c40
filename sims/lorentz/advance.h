// The particles of a run, and many steps of all of them at once: a particle stays in registers for all steps of a
// launch. On CUDA a thread takes one particle; on the CPU a block of particles, as wide as the processor's vectors,
// makes all steps. n steps in one launch give the same bits as n single ones, on either backend.
//
// Thread: inside Device::run; enqueued. Memory is device memory that the caller owns.
#pragma once

#include <cstdint>

#include "sims/compute/device.h"
#include "sims/lorentz/setup.h"

namespace simscope::lorentz {

inline constexpr int kTracers = 16;    // the first particles, whose past is recorded
inline constexpr int kSamples = 2048;  // of each, at most
// At most; a kernel of this many steps takes some 10 ms for ten million particles.
inline constexpr int kStepsOfALaunch = 512;

// x, y, z of all particles one after the other: component c of particle i at [c · n + i]; with the carries of the sums.
struct Particles {
  float *x, *x_carry, *u, *u_carry;
  std::int64_t n;
};

// A ring of samples of each tracer, x and u: sample k of tracer b at data[6 (b · kSamples + k)].
struct History {
  float* data;
  int next;    // sample that is written next
  int stride;  // steps from one sample to the next
  int since;   // steps made since the last sample

  int samplesIn(int steps) const { return static_cast<int>((std::int64_t{since} + steps) / stride); }
  History after(int steps) const {
    return {data, static_cast<int>((std::int64_t{next} + samplesIn(steps)) % kSamples), stride,
            static_cast<int>((std::int64_t{since} + steps) % stride)};
  }
};

void advance(compute::Device& device, const Setup& setup, const Particles& particles, const History& history,
             int steps);

}  // namespace simscope::lorentz
