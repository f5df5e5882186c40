#include "sims/schrodinger2d/propagation/piece_columns.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include <type_traits>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/fourier/plane_route.h"
#include "sims/compute/loops/parallel.h"
#include "sims/schrodinger2d/propagation/piece_passes.h"
#endif

namespace simscope::schrodinger2d {

#if SIMSCOPE_HAVE_CUDA

using compute::Lines;
using compute::PlaneColumns;

namespace kernels {

template <int N>
__global__ void __launch_bounds__(PlaneColumns<N>::kThreads)
    pieceColumns(const __grid_constant__ PieceArguments<float> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  auto lane = PlaneColumns<N>::lane(static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x),
                                    reinterpret_cast<Complex<float>*>(memory), a.twiddles);
  compute::PlaneTeam<N, float, Lines::Columns> team{lane};
  piecePass<N, float>(team, a, static_cast<int>(blockIdx.y));
}

}  // namespace kernels

template <int N>
class PieceColumnsOf final : public PieceColumns {
 public:
  explicit PieceColumnsOf(const compute::DevicePtr& device)
      : device_(device),
        tables_(compute::makeBlockTables<N, float>()),
        outer_(device, std::span<const Complex<float>>(tables_.outer)),
        middle_(device, std::span<const Complex<float>>(tables_.middle)) {
    SIMSCOPE_CUDA_CHECK(cudaFuncSetAttribute(kernels::pieceColumns<N>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(PlaneColumns<N>::kSharedBytes)));
  }

  void setKinetic(std::span<const Complex<float>> along_y) override {
    const std::vector<Complex<float>> ordered = orderedForSections<N, float>(along_y, tables_.frequency);
    down_ = compute::Buffer<Complex<float>>(device_, std::span<const Complex<float>>(ordered));
    sections_ = static_cast<int>(along_y.size()) / N;
  }

  void step(Complex<float>* piece, int width, const Complex<float>* across, const Complex<float>* turns,
            const compute::RowsThere<float>& there) override {
    const SectionArguments<float> sections{piece, turns, N,
                                           static_cast<std::size_t>(N) * static_cast<std::size_t>(width), there};
    overSections<SplitColumns>(sections, width);
    const PieceArguments<float> arguments{
        piece,        across,
        down_.data(), compute::PlaneTwiddles<float>::of<N>(outer_.data(), middle_.data()),
        width,        sections_ == 1 ? there : compute::RowsThere<float>::inPlace(piece)};
    const dim3 blocks(static_cast<unsigned>(width / PlaneColumns<N>::kLinesABlock), static_cast<unsigned>(sections_));
    kernels::pieceColumns<N><<<blocks, PlaneColumns<N>::kThreads, PlaneColumns<N>::kSharedBytes,
                               static_cast<cudaStream_t>(device_->stream())>>>(arguments);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_->countLaunches();
    overSections<JoinColumns>(sections, width);
  }

 private:
  template <template <class, int> class Pass>
  void overSections(const SectionArguments<float>& arguments, int width) {
    const auto with = [&]<int R>(std::integral_constant<int, R>) {
      if (sections_ == R) compute::parallelFor2d(*device_, width, N, Pass<float, R>{arguments});
    };
    with(std::integral_constant<int, 2>());
    with(std::integral_constant<int, 4>());
    with(std::integral_constant<int, 8>());
    with(std::integral_constant<int, 16>());
  }

  compute::DevicePtr device_;
  compute::BlockTables<float> tables_;
  compute::Buffer<Complex<float>> outer_, middle_, down_;
  int sections_ = 1;
};

// Above 4096 rows, sections whose blocks take eight columns side by side.
std::unique_ptr<PieceColumns> makePieceColumns(const compute::DevicePtr& device, int rows) {
  return compute::makeForPlane<PieceColumns, PieceColumnsOf>(device, rows <= 4096 ? rows : 2048);
}

#else

std::unique_ptr<PieceColumns> makePieceColumns(const compute::DevicePtr&, int) {
  return nullptr;
}

#endif

}  // namespace simscope::schrodinger2d
