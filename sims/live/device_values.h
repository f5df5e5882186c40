// Arrays of another program in a device's memory: converted to single precision, measured, and shown, on the device.
//
// Pointers are the device's. Thread: inside Device::run. gather and wave are enqueued, measure and lost wait: only the
// extremes and the mean are copied to the host.
#pragma once

#include <cstdint>

#include "sims/compute/device.h"
#include "sims/live/elements.h"

namespace simscope::live {

// height × width elements to `to`, row by row; complex ones as re, im. Values beyond single precision become infinite.
void gather(compute::Device& device, const void* from, ElementType type, const Layout& layout, int width, int height,
            float* to);

// As in Picture (mailbox.h).
struct Measured {
  double low = 0, high = 1, mean = 0;
  std::uint64_t not_finite = 0;
};
Measured measure(compute::Device& device, const float* values, std::int64_t elements, int components);

// Of these elements, by a pass over them. Nothing for types that are exact in single precision.
Lost lost(compute::Device& device, const void* from, ElementType type, const Layout& layout, int width, int height);

// The parts of a complex curve; null: not wanted.
struct WaveParts {
  float *density = nullptr, *phase = nullptr, *real = nullptr, *imaginary = nullptr;
};
void wave(compute::Device& device, const float* psi, std::int64_t elements, const WaveParts& parts);

}  // namespace simscope::live
