#include "sims/compute/fourier/fft.h"

#include <fmt/format.h>

#include <limits>

#include "sims/compute/fault.h"
#include "sims/compute/fourier/detail/fft_backend.h"
#include "sims/compute/library_missing.h"

namespace simscope::compute {

std::size_t detail::checkedElements(const FftShape& shape) {
  if (shape.dimensions.empty() || shape.dimensions.size() > 3) {
    throw UsageError(
        fmt::format("Fft: {} dimensions; give 1 {{n}}, 2 {{rows, columns}}, or 3 {{planes, rows, columns}}",
                    shape.dimensions.size()));
  }
  if (shape.batch < 1) throw UsageError(fmt::format("Fft: batch = {}; the least is 1", shape.batch));
  if (shape.side_by_side && shape.dimensions.size() != 1) {
    throw UsageError("Fft: transforms side by side must have one dimension {n}");
  }
  std::size_t elements = static_cast<std::size_t>(shape.batch);
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(Complex<double>);
  for (const int n : shape.dimensions) {
    if (n < 1) throw UsageError(fmt::format("Fft: a dimension of {}; the least is 1", n));
    if (static_cast<std::size_t>(n) > kMost / elements) {
      throw UsageError("Fft: the shape has more elements than memory can address; choose smaller dimensions");
    }
    elements *= static_cast<std::size_t>(n);
  }
  return elements;
}

template <class T>
struct Fft<T>::Plan {
  DevicePtr device;
  FftShape shape;
  std::size_t elements;
  std::unique_ptr<detail::FftBackend<T>> backend;

  Plan(DevicePtr on, FftShape of)
      : device(std::move(on)), shape(std::move(of)), elements(detail::checkedElements(shape)) {
    if (faultAt(FaultPlace::Library)) throw LibraryMissing("a library is missing, as SIMSCOPE_FAULT asks");
#if SIMSCOPE_HAVE_CUDA
    if (device->isCuda()) {
      backend = detail::makeCudaFft<T>(*device, shape);
      return;
    }
#endif
    backend = detail::makeCpuFft<T>(*device, shape);
  }

  void execute(Complex<T>* data, detail::Direction direction) const {
    if (!data) throw UsageError("Fft: the data pointer is null; give a buffer of elements() complex numbers");
    backend->execute(data, direction);
    device->countLaunches();
  }
};

template <class T>
Fft<T>::Fft(DevicePtr device, FftShape shape) {
  if (!device) throw UsageError("Fft: no device given; open one with Device::open");
  plan_ = std::make_unique<Plan>(std::move(device), std::move(shape));
}

template <class T>
Fft<T>::~Fft() = default;
template <class T>
Fft<T>::Fft(Fft&&) noexcept = default;
template <class T>
Fft<T>& Fft<T>::operator=(Fft&&) noexcept = default;

template <class T>
void Fft<T>::forward(Complex<T>* data) const {
  plan_->execute(data, detail::Direction::Forward);
}

template <class T>
void Fft<T>::inverse(Complex<T>* data) const {
  plan_->execute(data, detail::Direction::Inverse);
}

template <class T>
const FftShape& Fft<T>::shape() const noexcept {
  return plan_->shape;
}

template <class T>
std::size_t Fft<T>::elements() const noexcept {
  return plan_->elements;
}

template class Fft<float>;
template class Fft<double>;

}  // namespace simscope::compute
