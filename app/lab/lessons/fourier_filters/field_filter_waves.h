// The steps of FieldFilter on a device: each is enqueued. Thread: inside Device::run. Errors: as parallelFor.
#pragma once

#include "sims/compute/complex.h"
#include "sims/compute/device.h"

namespace simscope::lab::fourier_filters {

struct FieldShape {
  int width, height, components;  // 1: numbers, 2: complex ones, 3: colours, of which the luminance counts
  std::size_t cells() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

// A cell without a number counts as 0.
void takeField(compute::Device& device, const FieldShape& shape, const float* field, compute::Complex<float>* waves);
void weighWaves(compute::Device& device, std::size_t n, const float* factors, compute::Complex<float>* waves);
// Decimal logarithms of amplitudes, the slowest wave in the middle.
void putSpectrum(compute::Device& device, const FieldShape& shape, const compute::Complex<float>* waves, float* to);
// Numbers, or complex ones where the field has those; none where it has none.
void putField(compute::Device& device, const FieldShape& shape, const compute::Complex<float>* waves,
              const float* field, float* to);

}  // namespace simscope::lab::fourier_filters
