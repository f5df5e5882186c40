#include "sims/schrodinger2d/propagation/propagator.h"

#include <type_traits>
#include <utility>

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/fourier/plane_fft_cpu.h"
#include "sims/compute/loops/parallel.h"
#include "sims/core/words.h"
#include "sims/schrodinger2d/propagation/fused.h"
#include "sims/schrodinger2d/propagation/slab_propagator.h"

namespace simscope::schrodinger2d {
namespace functors {

template <class T>
struct Multiply {
  Complex<T>* psi;
  const Complex<T>* factor;
  SIMSCOPE_HD void operator()(std::size_t i) const { psi[i] = psi[i] * factor[i]; }
};

template <class T>
struct MultiplyTwice {
  Complex<T>* psi;
  const Complex<T>* factor;
  SIMSCOPE_HD void operator()(std::size_t i) const { psi[i] = (psi[i] * factor[i]) * factor[i]; }
};

template <class T>
struct MultiplyKinetic {
  Complex<T>* phi;
  const Complex<T>*along_x, *along_y;
  std::size_t points;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    phi[i] = phi[i] * (along_x[i & (points - 1)] * along_y[i / points]);
  }
};

}  // namespace functors

// The factors of the kinetic step on the device.
template <class T>
class KineticLines {
 public:
  KineticLines(const compute::DevicePtr& device, std::size_t points) : x_(device, points), y_(device, points) {}
  void upload(std::span<const Complex<T>> along_x, std::span<const Complex<T>> along_y) {
    x_.upload(along_x);
    y_.upload(along_y);
  }
  const Complex<T>* x() const { return x_.data(); }
  const Complex<T>* y() const { return y_.data(); }

 private:
  compute::Buffer<Complex<T>> x_, y_;
};

template <class T>
class LibraryPropagator final : public Propagator<T> {
 public:
  LibraryPropagator(const compute::DevicePtr& device, int points)
      : device_(device),
        points_(static_cast<std::size_t>(points)),
        fft_(device, {.dimensions = {points, points}}),
        kinetic_(device, points_) {}

  void setKinetic(std::span<const Complex<T>> along_x, std::span<const Complex<T>> along_y) override {
    kinetic_.upload(along_x, along_y);
  }

  void advance(Complex<T>* psi, const Complex<T>* half, int n) override {
    const auto multiply = [&](auto functor) { compute::parallelFor(*device_, fft_.elements(), functor); };
    multiply(functors::Multiply<T>{psi, half});
    for (int step = 1; step <= n; ++step) {
      fft_.forward(psi);
      multiply(functors::MultiplyKinetic<T>{psi, kinetic_.x(), kinetic_.y(), points_});
      fft_.inverse(psi);
      if (step < n) multiply(functors::MultiplyTwice<T>{psi, half});
    }
    multiply(functors::Multiply<T>{psi, half});
  }

  std::string method() const override {
    return device_->isCuda() ? "cuFFT and separate products" : "FFTW and separate products";
  }

 private:
  compute::DevicePtr device_;
  std::size_t points_;
  compute::Fft<T> fft_;
  KineticLines<T> kinetic_;
};

// Two passes over memory a step: along the rows with the potential, down the columns with the kinetic factors.
template <class T>
class CpuPropagator final : public Propagator<T> {
 public:
  CpuPropagator(const compute::DevicePtr& device, int points)
      : device_(device), plane_(device, points, points), kinetic_(device, static_cast<std::size_t>(points)) {}

  void setKinetic(std::span<const Complex<T>> along_x, std::span<const Complex<T>> along_y) override {
    kinetic_.upload(along_x, along_y);
  }

  void advance(Complex<T>* psi, const Complex<T>* half, int n) override {
    plane_.alongRows(psi, false, half, 1, true);
    for (int step = 1; step <= n; ++step) {
      plane_.downColumns(psi, kinetic_.x(), kinetic_.y());
      plane_.alongRows(psi, true, half, step < n ? 2 : 1, step < n);
    }
  }

  std::string method() const override {
    return "FFTW in two passes over memory, " + counted(device_->info().threads, "thread");
  }

 private:
  compute::DevicePtr device_;
  compute::PlaneFftCpu<T> plane_;
  KineticLines<T> kinetic_;
};

class FusedPropagator final : public Propagator<float> {
 public:
  explicit FusedPropagator(std::unique_ptr<FusedSteps> steps) : steps_(std::move(steps)) {}

  void setKinetic(std::span<const Complex<float>> along_x, std::span<const Complex<float>> along_y) override {
    steps_->setKinetic(along_x, along_y);
  }
  void advance(Complex<float>* psi, const Complex<float>* half, int n) override { steps_->advance(psi, half, n); }
  std::string method() const override { return "fused transforms in two passes over memory"; }

 private:
  std::unique_ptr<FusedSteps> steps_;
};

template <class T>
std::unique_ptr<Propagator<T>> makePropagator(const compute::DevicePtr& device, const compute::Slab& slab,
                                              Route route) {
  if (device->ranks() || route == Route::Slabs) return std::make_unique<SlabPropagator<T>>(device, slab);
  const int points = slab.n;
  if (route == Route::Fastest) {
    if (!device->isCuda()) return std::make_unique<CpuPropagator<T>>(device, points);
    if constexpr (std::is_same_v<T, float>) {
      if (auto fused = makeFusedSteps(device, points)) return std::make_unique<FusedPropagator>(std::move(fused));
      // Larger planes are propagated like those of ranks: with these passes an H100 needs two thirds of the time of
      // cuFFT's.
      if (points > 4096 && points <= 16384) {
        auto slabs = std::make_unique<SlabPropagator<T>>(device, slab);
        if (slabs->inFusedPasses()) return slabs;
      }
    }
  }
  return std::make_unique<LibraryPropagator<T>>(device, points);
}

template std::unique_ptr<Propagator<float>> makePropagator(const compute::DevicePtr&, const compute::Slab&, Route);
template std::unique_ptr<Propagator<double>> makePropagator(const compute::DevicePtr&, const compute::Slab&, Route);

}  // namespace simscope::schrodinger2d
