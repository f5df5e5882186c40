#include "sims/tunneling/propagator.h"

#include <algorithm>

#include "sims/compute/detail/complex_kernels.h"
#include "sims/compute/detail/cpu_blocks.h"
#include "sims/compute/fft.h"
#include "sims/compute/parallel.h"
#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include "sims/compute/cuda_check.h"
#endif

namespace simscope::tunneling {

// psi · factor, or (psi · factor) · factor.
template <class T, int kTimes>
struct Multiply {
  Complex<T>* psi;
  const Complex<T>* factor;
  std::size_t points;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    Complex<T> z = psi[i];
    for (int time = 0; time < kTimes; ++time) z = z * factor[i];
    psi[i] = z;
  }
  // The same on the CPU, by its widest instructions, block by block.
  static constexpr std::size_t kBlock = 8192;
  static void block(const void* context, std::size_t index) {
    const Multiply& m = *static_cast<const Multiply*>(context);
    const std::size_t first = index * kBlock, count = std::min(kBlock, m.points - first);
    for (int time = 0; time < kTimes; ++time) compute::detail::multiply(m.psi + first, m.factor + first, count);
  }
};

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
      cudaStreamEndCapture(stream, &raw);  // the stream is of no use to anyone while it captures
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
        kinetic_(device, static_cast<std::size_t>(points)) {}

  void setFactors(const Factors<T>& factors) override {
    half_.upload(factors.half);
    kinetic_.upload(factors.kinetic);
  }

  void advance(Complex<T>* psi, int n) override {
    if (n <= 0) return;
    multiply<1>(psi, half_);
    int left = n - 1;
#if SIMSCOPE_HAVE_CUDA
    if (device_->isCuda()) left = advanceByGraphs(psi, left);
#endif
    for (; left > 0; --left) stepAndBegin(psi);
    kineticStep(psi);
    multiply<1>(psi, half_);
  }

  std::string method() const override {
    if (!device_->isCuda()) return "FFTW, both potential half-steps in one pass";
    return "cuFFT, recorded in CUDA graphs";
  }

 private:
  template <int kTimes>
  void multiply(Complex<T>* psi, const compute::Buffer<Complex<T>>& factor) {
    using Product = Multiply<T, kTimes>;
    const Product product{psi, factor.data(), factor.size()};
    if (device_->isCuda()) {
      compute::parallelFor(*device_, product.points, product);
    } else {
      compute::detail::runBlocks(*device_, (product.points + Product::kBlock - 1) / Product::kBlock, &Product::block,
                                 &product);
      device_->countLaunches();
    }
  }
  void kineticStep(Complex<T>* psi) {
    fft_.forward(psi);
    multiply<1>(psi, kinetic_);
    fft_.inverse(psi);
  }
  // The rest of a step, and the first half-step of the next one.
  void stepAndBegin(Complex<T>* psi) {
    kineticStep(psi);
    multiply<2>(psi, half_);
  }

#if SIMSCOPE_HAVE_CUDA
  // Returns the steps left over. The first one runs by itself: the libraries load their kernels on first use,
  // which a capture would not allow.
  int advanceByGraphs(Complex<T>* psi, int left) {
    if (left > StepGraph::kSteps && !graph_.holds(psi)) {
      stepAndBegin(psi);
      --left;
      graph_.record(*device_, psi, [&] {
        for (int i = 0; i < StepGraph::kSteps; ++i) stepAndBegin(psi);
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
