#include "sims/tunneling/propagator.h"

#include "sims/compute/fft.h"
#include "sims/compute/parallel.h"
#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include "sims/compute/cuda_check.h"
#endif

namespace simscope::tunneling {

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
    multiply(Multiply<T>{psi, half_.data()});
    int left = n - 1;
#if SIMSCOPE_HAVE_CUDA
    if (device_->isCuda()) left = advanceByGraphs(psi, left);
#endif
    for (; left > 0; --left) stepAndBegin(psi);
    kineticStep(psi);
    multiply(Multiply<T>{psi, half_.data()});
  }

  std::string method() const override {
    if (!device_->isCuda()) return "FFTW, both potential half-steps in one pass";
    return "cuFFT, recorded in CUDA graphs";
  }

 private:
  template <class Functor>
  void multiply(const Functor& functor) {
    compute::parallelFor(*device_, half_.size(), functor);
  }
  void kineticStep(Complex<T>* psi) {
    fft_.forward(psi);
    multiply(Multiply<T>{psi, kinetic_.data()});
    fft_.inverse(psi);
  }
  // The rest of a step, and the first half-step of the next one.
  void stepAndBegin(Complex<T>* psi) {
    kineticStep(psi);
    multiply(MultiplyTwice<T>{psi, half_.data()});
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
