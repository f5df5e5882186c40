// Complex-to-complex Fourier transforms in place: cuFFT on a CUDA device, FFTW on the CPU.
//
//   forward:  X[k] = Σ x[j] exp(-2πi jk/N)      inverse:  x[j] = Σ X[k] exp(+2πi jk/N)   (neither is normalised:
//   inverse(forward(x)) = N x, with N the product of the dimensions.)
// Shapes: 1D {n}, 2D {rows, columns}, 3D {planes, rows, columns}; the last dimension is contiguous. `batch` transforms
// lie one after another, or, for 1D ones on request, side by side: element j of transform b at j·batch + b, so that
// they are the columns of n rows.
// Owner: the plan holds the device; plans of equal shape share FFTW's or cuFFT's work through a process-wide cache.
// Thread: as Device; creating plans is safe from several threads. Errors: UsageError (bad shape), Error, OutOfMemory.
// FFTW plans are estimated, so that every run gives the same bits.
#pragma once

#include <memory>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"

namespace simscope::compute {

struct FftShape {
  std::vector<int> dimensions;  // 1 to 3 entries, each ≥ 1
  int batch = 1;
  bool side_by_side = false;
  bool operator==(const FftShape&) const = default;
};

template <class T>  // float or double
class Fft {
 public:
  Fft(DevicePtr device, FftShape shape);
  ~Fft();
  Fft(Fft&&) noexcept;
  Fft& operator=(Fft&&) noexcept;

  // `data`: product(dimensions)·batch elements on the plan's device. Enqueued on its stream.
  void forward(Complex<T>* data) const;
  void inverse(Complex<T>* data) const;

  const FftShape& shape() const noexcept;
  std::size_t elements() const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

extern template class Fft<float>;
extern template class Fft<double>;

}  // namespace simscope::compute
