#include "sims/schrodinger2d/propagation/part_rows.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime.h>

#include <algorithm>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda/cuda_check.h"
#include "sims/schrodinger2d/propagation/part_passes.h"
#endif

namespace simscope::schrodinger2d {

#if SIMSCOPE_HAVE_CUDA

using compute::Lines;

template <int W, int Q>
using PartBlock = compute::PlaneBlock<W, float, Lines::Rows, Q>;

namespace kernels {

template <int W, int Q, RowPass pass>
__global__ void __launch_bounds__(PartBlock<W, Q>::kThreads) parts(const __grid_constant__ PartArguments<float, Q> a) {
  extern __shared__ __align__(16) unsigned char memory[];
  using Block = PartBlock<W, Q>;
  auto lane = Block::lane(static_cast<int>(threadIdx.x), static_cast<int>(blockIdx.x),
                          reinterpret_cast<Complex<float>*>(memory), a.twiddles);
  compute::PlaneTeam<W, float, Lines::Rows> team{lane};
  partPass<W, Q, float, pass, Block::kPitch>(team, a);
}

}  // namespace kernels

template <int W, int Q>
class PartRowsOf final : public PartRows {
 public:
  explicit PartRowsOf(const compute::DevicePtr& device)
      : device_(device),
        tables_(compute::makeBlockTables<W, float>()),
        outer_(device, std::span<const Complex<float>>(tables_.outer)),
        middle_(device, std::span<const Complex<float>>(tables_.middle)) {
    allowShared(kernels::parts<W, Q, RowPass::Begin>);
    allowShared(kernels::parts<W, Q, RowPass::Between>);
    allowShared(kernels::parts<W, Q, RowPass::End>);
  }

  void begin(const Arguments& arguments) override { launch<RowPass::Begin>(arguments); }
  void between(const Arguments& arguments) override { launch<RowPass::Between>(arguments); }
  void end(const Arguments& arguments) override { launch<RowPass::End>(arguments); }
  const std::vector<int>& order() const override { return tables_.frequency; }

 private:
  static void allowShared(void (*kernel)(PartArguments<float, Q>)) {
    SIMSCOPE_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(PartBlock<W, Q>::kSharedBytes)));
  }
  template <RowPass pass>
  void launch(const Arguments& given) {
    if (given.count == 0) return;
    PartArguments<float, Q> a{given.psi,   given.half,
                              {},          {},
                              given.turns, compute::PlaneTwiddles<float>::of<W>(outer_.data(), middle_.data())};
    std::copy(given.parts.begin(), given.parts.end(), a.parts);
    std::copy(given.there.begin(), given.there.end(), a.there);
    kernels::parts<W, Q, pass><<<static_cast<unsigned>(given.count), PartBlock<W, Q>::kThreads,
                                 PartBlock<W, Q>::kSharedBytes, static_cast<cudaStream_t>(device_->stream())>>>(a);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_->countLaunches();
  }

  compute::DevicePtr device_;
  compute::BlockTables<float> tables_;
  compute::Buffer<Complex<float>> outer_, middle_;
};

std::unique_ptr<PartRows> makePartRows(const compute::DevicePtr& device, int length, int rests) {
  if (!device->isCuda()) return nullptr;
  int shared = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device->info().index));
  std::unique_ptr<PartRows> made;
  const auto consider = [&]<int W, int Q>(std::integral_constant<int, W>, std::integral_constant<int, Q>) {
    const bool fits = static_cast<std::size_t>(shared) >= PartBlock<W, Q>::kSharedBytes;
    if (rests == Q && length == W * Q && fits) made = std::make_unique<PartRowsOf<W, Q>>(device);
  };
  const auto of = [&]<int Q, int... W>(std::integral_constant<int, Q> parts, std::integer_sequence<int, W...>) {
    (consider(std::integral_constant<int, W>(), parts), ...);
  };
  of(std::integral_constant<int, 8>(), std::integer_sequence<int, 512, 1024, 2048>());
  of(std::integral_constant<int, 16>(), std::integer_sequence<int, 256, 512, 1024>());
  return made;
}

#else

std::unique_ptr<PartRows> makePartRows(const compute::DevicePtr&, int, int) {
  return nullptr;
}

#endif

}  // namespace simscope::schrodinger2d
