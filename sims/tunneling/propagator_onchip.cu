// The propagator that keeps ψ on one multiprocessor: one block a run, ψ in registers, exchanges through shared memory,
// all steps of a batch in one launch. See sims/compute/fourier/block_fft.h for the transform.
#include "sims/tunneling/propagator.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/loops/parallel.h"
#include "sims/tunneling/block_steps.h"
#endif

namespace simscope::tunneling {

#if SIMSCOPE_HAVE_CUDA

template <class T>
struct BlockArguments {
  Complex<T>* psi;
  const Complex<T>* half;                     // natural order
  const Complex<T>*kinetic, *outer, *middle;  // as in BlockTables
  std::size_t half_stride, kinetic_stride;    // from a run to the next; 0: all runs share them
  T* tallies;                                 // as in absorbed.h
  int steps;
  bool absorbing;
};

// A thread's points and tables. Single precision keeps the tables in registers; in double precision they would not fit,
// and come from the first-level cache at each use (the barriers keep the compiler from hoisting the loads).
template <int N, class T>
struct Lane;

template <int N>
struct Lane<N, float> {
  using Shape = BlockShape<N>;
  int t;
  Complex<float> z[16];
  Tally<float> left, right;
  Complex<float> outer_[16], middle_[16], kinetic_[16], half_[16];

  __device__ Lane(const BlockArguments<float>& a, int thread)
      : t(thread),
        left(tallyOf(a.tallies, Shape::kThreads, thread, false)),
        right(tallyOf(a.tallies, Shape::kThreads, thread, true)) {
#pragma unroll
    for (int q = 0; q < 16; ++q) {
      outer_[q] = a.outer[q * Shape::kThreads + t];
      middle_[q] = a.middle[q * 16 + t % 16];
      kinetic_[q] = a.kinetic[q * Shape::kThreads + t];
      half_[q] = a.half[Shape::natural(t, q)];
    }
  }
  SIMSCOPE_HD Complex<float> outer(int q) const {
    return outer_[q];
  }
  SIMSCOPE_HD Complex<float> middle(int q) const {
    return middle_[q];
  }
  SIMSCOPE_HD Complex<float> kinetic(int q) const {
    return kinetic_[q];
  }
  SIMSCOPE_HD Complex<float> potential(int q) const {
    return half_[q];
  }
};

template <int N>
struct Lane<N, double> {
  using Shape = BlockShape<N>;
  int t;
  Complex<double> z[16];
  Tally<double> left, right;
  const Complex<double>*outer_, *middle_, *kinetic_, *half_;

  __device__ Lane(const BlockArguments<double>& a, int thread)
      : t(thread),
        left(tallyOf(a.tallies, Shape::kThreads, thread, false)),
        right(tallyOf(a.tallies, Shape::kThreads, thread, true)),
        outer_(a.outer + thread),
        middle_(a.middle + thread % 16),
        kinetic_(a.kinetic + thread),
        half_(a.half + thread) {}
  SIMSCOPE_HD Complex<double> outer(int q) const { return outer_[q * Shape::kThreads]; }
  SIMSCOPE_HD Complex<double> middle(int q) const { return middle_[q * 16]; }
  SIMSCOPE_HD Complex<double> kinetic(int q) const { return kinetic_[q * Shape::kThreads]; }
  SIMSCOPE_HD Complex<double> potential(int q) const { return half_[q * Shape::kThreads]; }
};

template <int N, class T>
struct BlockTeam {
  Lane<N, T>& lane;
  Complex<T>* memory;

  template <class Phase>
  SIMSCOPE_HD void each(const Phase& phase) {
    phase(lane);
  }
  SIMSCOPE_HD Complex<T>* shared(const Lane<N, T>&) const { return memory; }
  SIMSCOPE_HD void blockBarrier() {
#if defined(__CUDA_ARCH__)
    __syncthreads();
#endif
  }
  SIMSCOPE_HD void warpBarrier() {
#if defined(__CUDA_ARCH__)
    constexpr int kThreads = BlockShape<N>::kThreads;
    __syncwarp(kThreads < 32 ? (1u << (kThreads % 32)) - 1u : 0xffffffffu);
#endif
  }
};

namespace kernels {

template <int N, class T>
__global__ void __launch_bounds__(BlockShape<N>::kThreads) propagateBlock(BlockArguments<T> all) {
  using Shape = BlockShape<N>;
  // Each block's own run.
  const std::size_t run = blockIdx.x;
  BlockArguments<T> a = all;
  a.psi += run * N;
  a.half += run * all.half_stride;
  a.kinetic += run * all.kinetic_stride;
  a.tallies += run * (4 * Shape::kThreads);
  extern __shared__ __align__(16) unsigned char memory[];
  Lane<N, T> lane(a, static_cast<int>(threadIdx.x));
  const auto half = [&](int q) { return lane.potential(q); };
#pragma unroll
  for (int q = 0; q < 16; ++q) lane.z[q] = a.psi[Shape::natural(lane.t, q)];
  if (a.absorbing) {
    scaleAndTally(lane.z, half, lane.left, lane.right);
  } else {
    turnEach(lane.z, half);
  }
  BlockTeam<N, T> team{lane, reinterpret_cast<Complex<T>*>(memory)};
  propagate<N, T>(team, a.steps, a.absorbing);
#pragma unroll
  for (int q = 0; q < 16; ++q) a.psi[Shape::natural(lane.t, q)] = lane.z[q];
  if (!a.absorbing) return;
  keepTally(a.tallies, Shape::kThreads, lane.t, false, lane.left);
  keepTally(a.tallies, Shape::kThreads, lane.t, true, lane.right);
}

}  // namespace kernels

template <class T>
struct ScaleTurns {
  const Complex<double>* turns;
  const double* gain;
  Complex<T>* kinetic;
  std::size_t points, stride;  // of turns, from a run to the next

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t run = i / points;
    kinetic[i] = factorLess1<T>(gain[run], turns[run * stride + i % points]);
  }
};

// A launch of this many steps takes some hundredths of a second: short enough for a desktop that shares the device.
// With more runs than multiprocessors a launch has fewer steps.
inline constexpr int kStepsPerLaunch = 8192, kFewestPerLaunch = 256;

template <int N, class T>
class OnChipPropagator final : public Propagator<T> {
 public:
  using Shape = BlockShape<N>;
  static constexpr std::size_t kSharedBytes = Shape::kSharedElements * sizeof(Complex<T>);

  OnChipPropagator(const compute::DevicePtr& device, std::size_t runs)
      : device_(device),
        runs_(runs),
        steps_per_launch_(stepsPerLaunch(runs, device->info().threads)),
        tables_(makeBlockTables<N, T>()),
        outer_(device, std::span<const Complex<T>>(tables_.outer)),
        middle_(device, std::span<const Complex<T>>(tables_.middle)),
        half_(device, runs * N),
        kinetic_(device, runs * N) {
    SIMSCOPE_CUDA_CHECK(cudaFuncSetAttribute(kernels::propagateBlock<N, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(kSharedBytes)));
  }

  void setFactors(const Factors<T>& factors) override {
    half_stride_ = kinetic_stride_ = 0;
    std::vector<Complex<T>> kinetic;
    kinetic.reserve(N);
    for (int i = 0; i < N; ++i) kinetic.push_back(factors.kinetic[tables_.frequency[i]]);
    device_->upload(half_.data(), factors.half.data(), N * sizeof(Complex<T>));
    device_->upload(kinetic_.data(), kinetic.data(), N * sizeof(Complex<T>));
    absorbing_ = factors.absorbing;
  }

  // Where runs differ only in their packets, one table of turns is uploaded, and the device multiplies it for each.
  void setFactorsOfEach(const FactorsOfRuns<T>& factors) override {
    half_stride_ = factors.half.size() > N ? N : 0;
    kinetic_stride_ = N;
    std::vector<Complex<double>> turns;
    turns.reserve(factors.turns.size());
    for (std::size_t run = 0; run < factors.turns.size(); run += N) {
      for (int i = 0; i < N; ++i) turns.push_back(factors.turns[run + tables_.frequency[i]]);
    }
    const compute::Buffer<Complex<double>> turns_here(device_, turns);
    const compute::Buffer<double> gain_here(device_, factors.gain);
    device_->upload(half_.data(), factors.half.data(), factors.half.size_bytes());
    compute::parallelFor(
        *device_, runs_ * N,
        ScaleTurns<T>{turns_here.data(), gain_here.data(), kinetic_.data(), N, turns.size() > N ? std::size_t{N} : 0});
    absorbing_ = factors.absorbing;
  }

  void advance(Complex<T>* psi, T* tallies, int n) override {
    for (int done = 0; done < n;) {
      const int steps = std::min(n - done, steps_per_launch_);
      const BlockArguments<T> arguments{psi,          half_.data(),    kinetic_.data(), outer_.data(), middle_.data(),
                                        half_stride_, kinetic_stride_, tallies,         steps,         absorbing_};
      kernels::propagateBlock<N, T><<<static_cast<unsigned>(runs_), Shape::kThreads, kSharedBytes,
                                      static_cast<cudaStream_t>(device_->stream())>>>(arguments);
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      device_->countLaunches();
      done += steps;
    }
  }

  std::string method() const override {
    return runs_ == 1 ? "FFT on one multiprocessor, one launch per batch"
                      : "FFT on one multiprocessor per run, one launch for all";
  }
  bool onChip() const override { return true; }

 private:
  static int stepsPerLaunch(std::size_t runs, int multiprocessors) {
    const std::size_t each = std::max<std::size_t>(1, static_cast<std::size_t>(multiprocessors));
    const std::size_t waves = (runs + each - 1) / each;
    return std::max(kFewestPerLaunch, static_cast<int>(kStepsPerLaunch / waves));
  }

  compute::DevicePtr device_;
  std::size_t runs_;
  int steps_per_launch_;
  BlockTables<T> tables_;
  compute::Buffer<Complex<T>> outer_, middle_, half_, kinetic_;
  std::size_t half_stride_ = 0, kinetic_stride_ = 0;
  bool absorbing_ = false;
};

template <class T, int N>
std::unique_ptr<Propagator<T>> makeIfItFits(const compute::DevicePtr& device, std::size_t runs) {
  int shared = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device->info().index));
  if (static_cast<std::size_t>(shared) < OnChipPropagator<N, T>::kSharedBytes) return nullptr;
  return std::make_unique<OnChipPropagator<N, T>>(device, runs);
}

template <class T>
std::unique_ptr<Propagator<T>> makeOnChipPropagator(const compute::DevicePtr& device, int points, std::size_t runs) {
  if (!device->isCuda()) return nullptr;
  switch (points) {
    case 64:
      return makeIfItFits<T, 64>(device, runs);
    case 128:
      return makeIfItFits<T, 128>(device, runs);
    case 256:
      return makeIfItFits<T, 256>(device, runs);
    case 512:
      return makeIfItFits<T, 512>(device, runs);
    case 1024:
      return makeIfItFits<T, 1024>(device, runs);
    case 2048:
      return makeIfItFits<T, 2048>(device, runs);
    case 4096:
      return makeIfItFits<T, 4096>(device, runs);
    default:
      return nullptr;
  }
}

#else

template <class T>
std::unique_ptr<Propagator<T>> makeOnChipPropagator(const compute::DevicePtr&, int, std::size_t) {
  return nullptr;
}

#endif

template std::unique_ptr<Propagator<float>> makeOnChipPropagator(const compute::DevicePtr&, int, std::size_t);
template std::unique_ptr<Propagator<double>> makeOnChipPropagator(const compute::DevicePtr&, int, std::size_t);

}  // namespace simscope::tunneling
