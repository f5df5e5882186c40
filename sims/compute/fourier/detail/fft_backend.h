// The implementation of Fft<T>: one object a plan, made by the backend of the plan's device.
#pragma once

#include <memory>

#include "sims/compute/fourier/fft.h"

namespace simscope::compute::detail {

enum class Direction { Forward, Inverse };

template <class T>
class FftBackend {
 public:
  FftBackend() = default;
  virtual ~FftBackend() = default;
  FftBackend(const FftBackend&) = delete;
  FftBackend& operator=(const FftBackend&) = delete;
  virtual void execute(Complex<T>* data, Direction direction) = 0;
};

template <class T>
std::unique_ptr<FftBackend<T>> makeCpuFft(Device& device, const FftShape& shape);
template <class T>
std::unique_ptr<FftBackend<T>> makeCudaFft(Device& device, const FftShape& shape);

// Elements of all transforms of the shape. Throws UsageError unless there are 1 to 3 dimensions, each ≥ 1, batch ≥ 1.
std::size_t checkedElements(const FftShape& shape);

}  // namespace simscope::compute::detail
