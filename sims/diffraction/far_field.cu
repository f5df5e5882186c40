#include "sims/diffraction/far_field.h"

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/loops/parallel.h"
#include "sims/diffraction/fused.h"

namespace simscope::diffraction {
namespace functors {

using Complexf = compute::Complex<float>;

struct Load {
  const float* aperture;
  Complexf* plane;
  SIMSCOPE_HD void operator()(std::size_t i) const { plane[i] = {aperture[i], 0}; }
};

struct ShiftedIntensity {
  const Complexf* plane;
  float* intensity;
  int n;  // a power of two
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const {
    const std::size_t from = static_cast<std::size_t>(y ^ (n / 2)) * n + (x ^ (n / 2));
    intensity[i] = norm2(plane[from]);
  }
};

}  // namespace functors

namespace {

class ReferenceFarField final : public FarField {
 public:
  ReferenceFarField(const compute::DevicePtr& device, int n)
      : device_(device),
        n_(n),
        plane_(device, static_cast<std::size_t>(n) * static_cast<std::size_t>(n)),
        fft_(device, {.dimensions = {n, n}}) {}

  void intensity(const float* aperture, const CellRange&, float* intensity) override {
    compute::parallelFor(device_, plane_.size(), functors::Load{aperture, plane_.data()});
    fft_.forward(plane_.data());
    compute::parallelFor2d(device_, n_, n_, functors::ShiftedIntensity{plane_.data(), intensity, n_});
  }
  std::string method() const override { return device_->isCuda() ? "cuFFT, three passes" : "FFTW, whole plane"; }

 private:
  compute::DevicePtr device_;
  int n_;
  compute::Buffer<compute::Complex<float>> plane_;
  compute::Fft<float> fft_;
};

class FusedFarField final : public FarField {
 public:
  explicit FusedFarField(std::unique_ptr<FusedFraunhofer> fused) : fused_(std::move(fused)) {}
  void intensity(const float* aperture, const CellRange& box, float* intensity) override {
    fused_->intensity(aperture, box, intensity);
  }
  std::string method() const override { return "fused FFT, the aperture's columns and half of the rows"; }

 private:
  std::unique_ptr<FusedFraunhofer> fused_;
};

}  // namespace

std::unique_ptr<FarField> makeReferenceFarField(const compute::DevicePtr& device, int n) {
  return std::make_unique<ReferenceFarField>(device, n);
}

std::unique_ptr<FarField> makeFarField(const compute::DevicePtr& device, int n) {
  if (!device->isCuda()) return makeCpuFarField(device, n);
  if (auto fused = makeFusedFraunhofer(device, n)) return std::make_unique<FusedFarField>(std::move(fused));
  return makeReferenceFarField(device, n);
}

double farFieldBytes(compute::Backend backend, int n) {
  const double whole = 8.0 * n * n;
  return backend == compute::Backend::Cuda ? whole : 0.5 * whole + 8.0 * 64 * n;
}

}  // namespace simscope::diffraction
