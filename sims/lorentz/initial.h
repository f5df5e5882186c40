// The start, made on the host in double precision, so that both backends begin with the same bits.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/compute/device.h"
#include "sims/lorentz/parameters.h"

namespace simscope::lorentz {

struct Start {
  std::vector<float> x, u;  // component c of particle i at [c · n + i]
};
// Particle 0 starts in the middle of the cloud with the requested pitch angle. If all directions are equally likely,
// the pitch cosines of the others follow Weyl's sequence, so that their distribution has no noise. Any thread; uses
// the threads of `device` if that is the CPU, else those of a CPU device of its own.
Start makeStart(const compute::DevicePtr& device, const Parameters& parameters, std::uint64_t seed);

}  // namespace simscope::lorentz
