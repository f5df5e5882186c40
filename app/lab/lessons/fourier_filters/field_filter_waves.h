// The steps of FieldFilter on a device: each enqueues its work. Thread: inside Device::run. Errors: as parallelFor.
#pragma once

#include "sims/compute/complex.h"
#include "sims/compute/device.h"

namespace simscope::lab::fourier_filters {

struct FieldShape {
  int width, height, components;  // 1: real, 2: complex, 3: colours, of which the luminance is used
  std::size_t cells() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

// A cell without a number counts as 0.
void takeField(compute::Device& device, const FieldShape& shape, const float* field, compute::Complex<float>* waves);
void weighWaves(compute::Device& device, std::size_t n, const float* factors, compute::Complex<float>* waves);
// Decimal logarithms of amplitudes, the wave with the lowest frequency in the middle.
void putSpectrum(compute::Device& device, const FieldShape& shape, const compute::Complex<float>* waves, float* to);
// Real numbers, or complex ones if the field has those; no number where the field has none.
void putField(compute::Device& device, const FieldShape& shape, const compute::Complex<float>* waves,
              const float* field, float* to);

}  // namespace simscope::lab::fourier_filters
