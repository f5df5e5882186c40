#include "sims/schrodinger2d/propagation/fused.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/fourier/plane_route.h"
#include "sims/schrodinger2d/propagation/fused_passes.h"
#endif

namespace simscope::schrodinger2d {

#if SIMSCOPE_HAVE_CUDA

using compute::Lines;
using compute::PlaneColumns;
using compute::PlaneRows;

namespace kernels {

template <int N, RowPass pass>
__global__ void __launch_bounds__(PlaneRows<N>::kThreads, compute::kPlaneRowBlocks<N>) rows(RowArguments<float> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto lane = PlaneRows<N>::lane(static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x),
                                 reinterpret_cast<Complex<float>*>(memory), a.twiddles);
  compute::PlaneTeam<N, float, Lines::Rows> team{lane};
  rowPass<N, float, pass>(team, a);
}

template <int N>
__global__ void __launch_bounds__(PlaneColumns<N>::kThreads) columns(ColumnArguments<float> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto lane = PlaneColumns<N>::lane(static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x),
                                    reinterpret_cast<Complex<float>*>(memory), a.twiddles);
  compute::PlaneTeam<N, float, Lines::Columns> team{lane};
  columnPass<N, float>(team, a);
}

}  // namespace kernels

template <int N>
class FusedStepsOf final : public FusedSteps {
 public:
  explicit FusedStepsOf(const compute::DevicePtr& device)
      : device_(device),
        tables_(compute::makeBlockTables<N, float>()),
        outer_(device, std::span<const Complex<float>>(tables_.outer)),
        middle_(device, std::span<const Complex<float>>(tables_.middle)),
        along_x_(device, N),
        along_y_(device, N) {
    allowShared(kernels::rows<N, RowPass::Begin>, PlaneRows<N>::kSharedBytes);
    allowShared(kernels::rows<N, RowPass::Between>, PlaneRows<N>::kSharedBytes);
    allowShared(kernels::rows<N, RowPass::End>, PlaneRows<N>::kSharedBytes);
    allowShared(kernels::columns<N>, PlaneColumns<N>::kSharedBytes);
  }

  void setKinetic(std::span<const Complex<float>> along_x, std::span<const Complex<float>> along_y) override {
    std::vector<Complex<float>> x(N), y(N);
    for (int i = 0; i < N; ++i) {
      x[i] = along_x[tables_.frequency[i]];
      y[i] = along_y[tables_.frequency[i]];
    }
    along_x_.upload(x);
    along_y_.upload(y);
  }

  void advance(Complex<float>* psi, const Complex<float>* half, int steps) override {
    const auto twiddles = compute::PlaneTwiddles<float>::of<N>(outer_.data(), middle_.data());
    const ColumnArguments<float> columns{psi, along_x_.data(), along_y_.data(), twiddles};
    const RowArguments<float> lines{psi, half, twiddles};
    rows<RowPass::Begin>(lines);
    for (int step = 0; step < steps; ++step) {
      if (step > 0) rows<RowPass::Between>(lines);
      kernels::columns<N>
          <<<PlaneColumns<N>::kBlocks, PlaneColumns<N>::kThreads, PlaneColumns<N>::kSharedBytes, stream()>>>(columns);
      launched();
    }
    rows<RowPass::End>(lines);
  }

 private:
  template <class Arguments>
  static void allowShared(void (*kernel)(Arguments), std::size_t bytes) {
    SIMSCOPE_CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  }
  cudaStream_t stream() const { return static_cast<cudaStream_t>(device_->stream()); }
  void launched() {
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_->countLaunches();
  }
  template <RowPass pass>
  void rows(const RowArguments<float>& arguments) {
    kernels::rows<N, pass>
        <<<PlaneRows<N>::kBlocks, PlaneRows<N>::kThreads, PlaneRows<N>::kSharedBytes, stream()>>>(arguments);
    launched();
  }

  compute::DevicePtr device_;
  compute::BlockTables<float> tables_;
  compute::Buffer<Complex<float>> outer_, middle_, along_x_, along_y_;
};

std::unique_ptr<FusedSteps> makeFusedSteps(const compute::DevicePtr& device, int n) {
  return compute::makeForPlane<FusedSteps, FusedStepsOf>(device, n);
}

#else

std::unique_ptr<FusedSteps> makeFusedSteps(const compute::DevicePtr&, int) {
  return nullptr;
}

#endif

}  // namespace simscope::schrodinger2d
