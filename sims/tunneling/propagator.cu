#include "sims/tunneling/propagator.h"

#include <algorithm>
#include <vector>

#include "sims/compute/fourier/detail/complex_kernels.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/loops/parallel.h"
#include "sims/tunneling/absorbed.h"
#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::tunneling {

// psi · scale · factor, or with the factor twice; factors are kept less 1.
template <class T, int kTimes>
struct Multiply {
  Complex<T>* psi;
  T scale;
  const Complex<T>* factor;
  std::size_t points;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    Complex<T> z = scale * psi[i];
    for (int time = 0; time < kTimes; ++time) z = turned(z, factor[i]);
    psi[i] = z;
  }
  // The same on the CPU, by its widest instructions, block by block.
  static constexpr std::size_t kBlock = 8192;
  static void block(const void* context, std::size_t index) {
    const Multiply& m = *static_cast<const Multiply*>(context);
    const std::size_t first = index * kBlock, count = std::min(kBlock, m.points - first);
    for (int time = 0; time < kTimes; ++time) {
      compute::detail::multiplyLess1(m.psi + first, time == 0 ? m.scale : T(1), m.factor + first, count);
    }
  }
};

// The same with a sum of the probability that the edges take at every multiplication. On CUDA the first N/16 threads
// take the four edge points of a column each, the others a point.
template <class T, int kTimes>
struct MultiplyAtEdges {
  Complex<T>* psi;
  const Complex<T>* factor;
  T* tallies;
  int columns;

  std::size_t threads() const { return static_cast<std::size_t>(columns) * (1 + kRows - 2 * kEdgeRows); }
  SIMSCOPE_HD void operator()(std::size_t index) const {
    const int i = static_cast<int>(index);
    if (i < columns) {
      side(i, 0, false);
      side(i, kRows - kEdgeRows, true);
    } else {
      const int at = i + (kEdgeRows - 1) * columns;
      Complex<T> z = psi[at];
      for (int time = 0; time < kTimes; ++time) z = turned(z, factor[at]);
      psi[at] = z;
    }
  }
  SIMSCOPE_HD void side(int column, int first_row, bool right) const {
    Tally<T> tally = tallyOf(tallies, columns, column, right);
    Complex<T> z[kEdgeRows];
    for (int q = 0; q < kEdgeRows; ++q) z[q] = psi[column + (first_row + q) * columns];
    for (int time = 0; time < kTimes; ++time) {
      T taken = 0;
      for (int q = 0; q < kEdgeRows; ++q) {
        const Complex<T> before = z[q];
        z[q] = turned(before, factor[column + (first_row + q) * columns]);
        taken += densityOf(before) - densityOf(z[q]);
      }
      tally.add(taken);
    }
    for (int q = 0; q < kEdgeRows; ++q) psi[column + (first_row + q) * columns] = z[q];
    keepTally(tallies, columns, column, right, tally);
  }
};

// Sums over the columns' edge points on one side, into `sums`; then adds their decrease to the tallies.
template <class T>
void sumColumns(const Complex<T>* side, int columns, T* sums) {
  for (int t = 0; t < columns; ++t) sums[t] = densityOf(side[t]);
  for (int t = 0; t < columns; ++t) sums[columns + t] = densityOf(side[columns + t]);
}
template <class T>
void tallyColumns(const Complex<T>* side, int columns, const T* sums, T* sum, T* lost) {
  for (int t = 0; t < columns; ++t) {
    T taken = sums[t] - densityOf(side[t]);
    taken += sums[columns + t] - densityOf(side[columns + t]);
    Tally<T> tally{sum[t], lost[t]};
    tally.add(taken);
    sum[t] = tally.sum;
    lost[t] = tally.lost;
  }
}

#if SIMSCOPE_HAVE_CUDA
// Steps of one psi, recorded once and launched as one: a launch costs the host less than the four kernels of a step.
class StepGraph {
 public:
  static constexpr int kSteps = 16;

  bool holds(const void* psi) const noexcept { return exec_ && psi_ == psi; }

  // `enqueue` enqueues kSteps steps of psi on the device's stream.
  template <class Enqueue>
  void record(compute::Device& device, const void* psi, const Enqueue& enqueue) {
    const auto stream = static_cast<cudaStream_t>(device.stream());
    const std::uint64_t before = device.counters().launches;
    SIMSCOPE_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    cudaGraph_t raw = nullptr;
    try {
      enqueue();
    } catch (...) {
      cudaStreamEndCapture(stream, &raw);  // the stream is unusable while it captures
      if (raw) cudaGraphDestroy(raw);
      throw;
    }
    SIMSCOPE_CUDA_CHECK(cudaStreamEndCapture(stream, &raw));
    const std::unique_ptr<CUgraph_st, GraphDeleter> graph(raw);
    cudaGraphExec_t exec = nullptr;
    SIMSCOPE_CUDA_CHECK(cudaGraphInstantiateWithFlags(&exec, graph.get(), 0));
    exec_.reset(exec);
    psi_ = psi;
    kernels_ = device.counters().launches - before;
    counted_ = true;
  }

  void launch(compute::Device& device) {
    SIMSCOPE_CUDA_CHECK(cudaGraphLaunch(exec_.get(), static_cast<cudaStream_t>(device.stream())));
    // Recording has counted the kernels of the first launch already.
    if (!counted_) device.countLaunches(kernels_);
    counted_ = false;
  }

 private:
  struct GraphDeleter {
    void operator()(cudaGraph_t graph) const noexcept { cudaGraphDestroy(graph); }
  };
  struct ExecDeleter {
    void operator()(cudaGraphExec_t exec) const noexcept { cudaGraphExecDestroy(exec); }
  };
  std::unique_ptr<CUgraphExec_st, ExecDeleter> exec_;
  const void* psi_ = nullptr;
  std::uint64_t kernels_ = 0;
  bool counted_ = false;
};
#endif

template <class T>
class LibraryPropagator final : public Propagator<T> {
 public:
  LibraryPropagator(const compute::DevicePtr& device, int points)
      : device_(device),
        fft_(device, {.dimensions = {points}}),
        half_(device, static_cast<std::size_t>(points)),
        kinetic_(device, static_cast<std::size_t>(points)),
        columns_(points / kRows),
        before_(device->isCuda() ? 0 : static_cast<std::size_t>(2 * kEdgeRows * columns_)) {}

  void setFactors(const Factors<T>& factors) override {
    half_.upload(factors.half);
    kinetic_.upload(factors.kinetic);
#if SIMSCOPE_HAVE_CUDA
    if (absorbing_ != factors.absorbing) graph_ = {};  // it has other kernels
#endif
    absorbing_ = factors.absorbing;
  }

  void advance(Complex<T>* psi, T* tallies, int n) override {
    if (n <= 0) return;
    half<1>(psi, tallies);
    int left = n - 1;
#if SIMSCOPE_HAVE_CUDA
    if (device_->isCuda()) left = advanceByGraphs(psi, tallies, left);
#endif
    for (; left > 0; --left) stepAndBegin(psi, tallies);
    kineticStep(psi);
    half<1>(psi, tallies);
  }

  std::string method() const override {
    if (!device_->isCuda()) return "FFTW, both potential half-steps in one pass";
    return "cuFFT, recorded in CUDA graphs";
  }

 private:
  template <int kTimes>
  void multiply(Complex<T>* psi, T scale, const compute::Buffer<Complex<T>>& factor) {
    using Product = Multiply<T, kTimes>;
    const Product product{psi, scale, factor.data(), factor.size()};
    if (device_->isCuda()) {
      compute::parallelFor(*device_, product.points, product);
    } else {
      compute::detail::runBlocks(*device_, (product.points + Product::kBlock - 1) / Product::kBlock, &Product::block,
                                 &product);
      device_->countLaunches();
    }
  }
  // kTimes potential half-steps.
  template <int kTimes>
  void half(Complex<T>* psi, T* tallies) {
    if (!absorbing_) {
      multiply<kTimes>(psi, T(1), half_);
    } else if (device_->isCuda()) {
      const MultiplyAtEdges<T, kTimes> product{psi, half_.data(), tallies, columns_};
      compute::parallelFor(*device_, product.threads(), product);
    } else {
      const int right = (kRows - kEdgeRows) * columns_;
      T* const right_sums = before_.data() + kEdgeRows * columns_;
      for (int time = 0; time < kTimes; ++time) {
        sumColumns(psi, columns_, before_.data());
        sumColumns(psi + right, columns_, right_sums);
        multiply<1>(psi, T(1), half_);
        tallyColumns(psi, columns_, before_.data(), tallies, tallies + columns_);
        tallyColumns(psi + right, columns_, right_sums, tallies + 2 * columns_, tallies + 3 * columns_);
      }
    }
  }
  void kineticStep(Complex<T>* psi) {
    fft_.forward(psi);
    multiply<1>(psi, T(1) / static_cast<T>(kinetic_.size()), kinetic_);
    fft_.inverse(psi);
  }
  // The rest of a step, and the first half-step of the next one.
  void stepAndBegin(Complex<T>* psi, T* tallies) {
    kineticStep(psi);
    half<2>(psi, tallies);
  }

#if SIMSCOPE_HAVE_CUDA
  // Returns the remaining steps. The first step runs alone: the libraries load their kernels at first use, which a
  // capture does not allow.
  int advanceByGraphs(Complex<T>* psi, T* tallies, int left) {
    if (left > StepGraph::kSteps && !graph_.holds(psi)) {
      stepAndBegin(psi, tallies);
      --left;
      graph_.record(*device_, psi, [&] {
        for (int i = 0; i < StepGraph::kSteps; ++i) stepAndBegin(psi, tallies);
      });
    }
    if (!graph_.holds(psi)) return left;
    for (; left >= StepGraph::kSteps; left -= StepGraph::kSteps) graph_.launch(*device_);
    return left;
  }
  StepGraph graph_;
#endif

  compute::DevicePtr device_;
  compute::Fft<T> fft_;
  compute::Buffer<Complex<T>> half_, kinetic_;
  int columns_;
  std::vector<T> before_;  // CPU: densities at the edges before a multiplication
  bool absorbing_ = false;
};

template <class T>
std::unique_ptr<Propagator<T>> makePropagator(const compute::DevicePtr& device, int points, Route route) {
  if (route == Route::Fastest) {
    if (auto on_chip = makeOnChipPropagator<T>(device, points)) return on_chip;
  }
  return std::make_unique<LibraryPropagator<T>>(device, points);
}

template std::unique_ptr<Propagator<float>> makePropagator(const compute::DevicePtr&, int, Route);
template std::unique_ptr<Propagator<double>> makePropagator(const compute::DevicePtr&, int, Route);

}  // namespace simscope::tunneling
