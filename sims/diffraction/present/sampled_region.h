// Interpolated intensities of a whole region on the CPU, equal to those of Element::at<6>: the sums over rows of bins
// at each column are computed once, and shared by the elements above and below.
//
// Thread: inside Device::run; done when it returns. The memory is the host's.
#pragma once

#include <cstddef>
#include <functional>

#include "sims/compute/cpu_device.h"
#include "sims/diffraction/present/sampling.h"

namespace simscope::diffraction {

// region.reduce is 1. out: `rows` of it, of region.size() elements each; the bins that they read must lie in the
// sampler's slab or its halo. `finish` gets each finished row, and may change the elements, on any thread.
using RowWork = std::function<void(float* row, std::size_t elements)>;
void sampleRegion(compute::CpuDevice& device, const Sampler& sampler, const Region& region, const compute::Cut& rows,
                  float* out, const RowWork& finish = {});

// log₁₀ of scale times each of them, at least `low`; within 3e-7 of the decades' number. No value may be negative or
// NaN.
void decadesOf(float* values, std::size_t count, float scale, float low);

}  // namespace simscope::diffraction
