#include "sims/diffraction/fused.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include <algorithm>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/fourier/plane_route.h"
#include "sims/diffraction/fused_passes.h"
#endif

namespace simscope::diffraction {

double fusedFraunhoferBytes(int n) {
  return 8.0 * n * (n / 2 + 1);
}

#if SIMSCOPE_HAVE_CUDA

using compute::Lines;
using compute::PlaneColumns;
using compute::PlaneRows;

namespace kernels {

template <int N>
__global__ void __launch_bounds__(PlaneColumns<N>::kThreads) apertureColumns(ApertureColumns<float> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto lane = PlaneColumns<N>::lane(static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x),
                                    reinterpret_cast<Complex<float>*>(memory), a.twiddles);
  compute::PlaneTeam<N, float, Lines::Columns> team{lane};
  apertureColumnPass<N, float>(team, a);
}

template <int N>
__global__ void __launch_bounds__(PlaneRows<N>::kThreads, compute::kPlaneRowBlocks<N>)
    intensityRows(IntensityRows<float> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto lane = PlaneRows<N>::lane(static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x),
                                 reinterpret_cast<Complex<float>*>(memory), a.twiddles);
  compute::PlaneTeam<N, float, Lines::Rows> team{lane};
  intensityRowPass<N, float>(team, a);
}

}  // namespace kernels

template <int N>
class FusedFraunhoferOf final : public FusedFraunhofer {
 public:
  explicit FusedFraunhoferOf(const compute::DevicePtr& device)
      : device_(device),
        tables_(compute::makeBlockTables<N, float>()),
        outer_(device, std::span<const Complex<float>>(tables_.outer)),
        middle_(device, std::span<const Complex<float>>(tables_.middle)),
        spectra_(device, static_cast<std::size_t>(N / 2 + 1) * N) {
    SIMSCOPE_CUDA_CHECK(cudaFuncSetAttribute(kernels::apertureColumns<N>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(PlaneColumns<N>::kSharedBytes)));
    SIMSCOPE_CUDA_CHECK(cudaFuncSetAttribute(kernels::intensityRows<N>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(PlaneRows<N>::kSharedBytes)));
  }

  void intensity(const float* aperture, const CellRange& box, float* intensity) override {
    const auto twiddles = compute::PlaneTwiddles<float>::of<N>(outer_.data(), middle_.data());
    const auto stream = static_cast<cudaStream_t>(device_->stream());
    const auto over = [](int lines, int a_block) { return (lines + a_block - 1) / a_block; };
    const int columns = box.x_last - box.x_first;
    const int pitch = std::min(N, over(columns, PlaneColumns<N>::kLinesABlock) * PlaneColumns<N>::kLinesABlock);
    if (columns > 0) {
      kernels::apertureColumns<N>
          <<<over(columns, PlaneColumns<N>::kLinesABlock), PlaneColumns<N>::kThreads, PlaneColumns<N>::kSharedBytes,
             stream>>>({aperture, box, spectra_.data(), pitch, twiddles});
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      device_->countLaunches();
    }
    kernels::intensityRows<N>
        <<<over(N / 2 + 1, PlaneRows<N>::kLinesABlock), PlaneRows<N>::kThreads, PlaneRows<N>::kSharedBytes, stream>>>(
            {spectra_.data(), box, pitch, intensity, twiddles});
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_->countLaunches();
  }

 private:
  compute::DevicePtr device_;
  compute::BlockTables<float> tables_;
  compute::Buffer<Complex<float>> outer_, middle_, spectra_;
};

std::unique_ptr<FusedFraunhofer> makeFusedFraunhofer(const compute::DevicePtr& device, int n) {
  return compute::makeForPlane<FusedFraunhofer, FusedFraunhoferOf>(device, n);
}

#else

std::unique_ptr<FusedFraunhofer> makeFusedFraunhofer(const compute::DevicePtr&, int) {
  return nullptr;
}

#endif

}  // namespace simscope::diffraction
