// Interpolated intensities of a whole region on the CPU, as Element::at<6> gives them one by one: what the rows of bins
// add up to at each column is found once, and shared by the elements above and below.
//
// Thread: inside Device::run; done when it returns. The memory is the host's.
#pragma once

#include <cstddef>
#include <functional>

#include "sims/compute/cpu_device.h"
#include "sims/diffraction/present/sampling.h"

namespace simscope::diffraction {

// region.reduce is 1. out: `rows` of it, of region.size() elements each; what they are made of must lie in the
// sampler's slab or its halo. `finish` has each row once it is there: it may change the elements, on any thread.
using RowWork = std::function<void(float* row, std::size_t elements)>;
void sampleRegion(compute::CpuDevice& device, const Sampler& sampler, const Region& region, const compute::Cut& rows,
                  float* out, const RowWork& finish = {});

// log₁₀ of scale times each of them, at least `low`; within 3e-7 of the decades' number. None is negative or NaN.
void decadesOf(float* values, std::size_t count, float scale, float low);

}  // namespace simscope::diffraction
