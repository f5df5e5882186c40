// Counts converted for the figure. On the device, inside Device::run; enqueued. n: elements of `values`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/device.h"

namespace simscope::histograms {

// Counts times `scale`; or log₁₀ of that, and 0 where that is below 1.
void copyCounts(compute::Device& device, const std::uint64_t* counts, float scale, bool decades, float* values,
                std::size_t n);
// The same as a line through the middles of bins: 2 elements a bin.
void copyLine(compute::Device& device, const std::uint64_t* counts, float scale, float* values, std::size_t n);
// A plane of `width` columns; `beyond` of them at either side are NaN.
void copyPlane(compute::Device& device, const std::uint64_t* counts, float scale, int width, int beyond, float* values,
               std::size_t n);
// No visible points: all at one place, with size 0.
void copyNothing(compute::Device& device, float* points, float* values, std::size_t n);

}  // namespace simscope::histograms
