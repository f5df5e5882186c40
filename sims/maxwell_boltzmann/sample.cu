#include "sims/maxwell_boltzmann/sample.h"

#include <algorithm>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/warp.h"

namespace simscope::maxwell_boltzmann {

#if SIMSCOPE_HAVE_CUDA

namespace kernels {

// Lanes of a warp often count in the same bin: each of kCopies neighbours has its own counts, side by side. With room
// for 32 of them each lane has its own bank, without conflicts.
template <int kCopies, int kThreads, int kBlocksAProcessor>
struct Shape {
  static constexpr int kOwn = kHistograms * kPlaces * kCopies;
  static constexpr std::size_t kBytes = kOwn * sizeof(std::uint32_t);
};

template <int kCopies>
__device__ inline void count(std::uint32_t* own, int histogram, int place) {
  atomicAdd(own + (histogram * kPlaces + place) * kCopies, 1u);
}

template <int kCopies, int kThreads, int kBlocksAProcessor>
__global__ void __launch_bounds__(kThreads, kBlocksAProcessor)
    drawAndCount(Draw draw, std::uint64_t* counts, Sums* sums) {
  constexpr int kOwn = Shape<kCopies, kThreads, kBlocksAProcessor>::kOwn;
  extern __shared__ std::uint32_t shared[];
  for (int i = static_cast<int>(threadIdx.x); i < kOwn; i += kThreads) shared[i] = 0;
  __syncthreads();
  std::uint32_t* const own = shared + threadIdx.x % kCopies;
  const Bins bins = draw.bins;
  unsigned long long speeds = 0, squares = 0;
  const std::uint64_t groups = draw.groups(), stride = static_cast<std::uint64_t>(gridDim.x) * kThreads;
  for (std::uint64_t group = static_cast<std::uint64_t>(blockIdx.x) * kThreads + threadIdx.x; group < groups;
       group += stride) {
    float z[3 * kInGroup];
#pragma unroll
    for (int call = 0; call < 3; ++call) {
      const compute::NormalSingle4 drawn = draw.normals(group, static_cast<std::uint32_t>(call));
#pragma unroll
      for (int k = 0; k < 4; ++k) z[4 * call + k] = drawn.z[k];
    }
    const std::uint64_t left = draw.molecules - kInGroup * group;
    float speed[kInGroup], square[kInGroup];
#pragma unroll
    for (int m = 0; m < kInGroup; ++m) {
      const bool there = static_cast<std::uint64_t>(m) < left;
      square[m] = there ? speedSquared(z[3 * m], z[3 * m + 1], z[3 * m + 2]) : 0.0f;
      speed[m] = compute::detail::rootOf(square[m]);
      if (!there) continue;
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        count<kCopies>(own, k,
                       placeIn(compute::detail::fused(z[3 * m + k], bins.per_component, bins.middle), bins.bins));
      }
      count<kCopies>(own, kSpeeds, placeIn(compute::detail::fused(speed[m], bins.per_speed, 1.0f), bins.bins));
    }
    speeds += partsOf((speed[0] + speed[1]) + (speed[2] + speed[3]));
    squares += partsOf((square[0] + square[1]) + (square[2] + square[3]));
  }
  speeds = compute::sumOfWarp(speeds);
  squares = compute::sumOfWarp(squares);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&sums->speed), speeds);
    atomicAdd(reinterpret_cast<unsigned long long*>(&sums->square), squares);
  }
  __syncthreads();
  for (int place = static_cast<int>(threadIdx.x); place < kHistograms * kPlaces; place += kThreads) {
    unsigned long long sum = 0;
#pragma unroll
    for (int copy = 0; copy < kCopies; ++copy) {
      sum += shared[place * kCopies + (copy + static_cast<int>(threadIdx.x)) % kCopies];  // each lane another bank
    }
    if (sum != 0) atomicAdd(reinterpret_cast<unsigned long long*>(counts + place), sum);
  }
}

}  // namespace kernels

namespace {

using Wide = kernels::Shape<32, 512, 2>;
using Narrow = kernels::Shape<8, 256, 3>;  // for cards with little shared memory

template <int kCopies, int kThreads, int kBlocks>
void launch(compute::Device& device, kernels::Shape<kCopies, kThreads, kBlocks> shape, const Draw& draw,
            std::uint64_t* counts, Sums* sums) {
  const auto kernel = kernels::drawAndCount<kCopies, kThreads, kBlocks>;
  SIMSCOPE_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shape.kBytes)));
  const auto processors = static_cast<std::uint64_t>(device.info().threads);
  const std::uint64_t blocks = std::min(processors * kBlocks, (draw.groups() - 1) / kThreads + 1);
  kernel<<<static_cast<unsigned>(blocks), kThreads, shape.kBytes, static_cast<cudaStream_t>(device.stream())>>>(
      draw, counts, sums);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

#endif  // SIMSCOPE_HAVE_CUDA

void addDraw(compute::Device& device, const Draw& draw, std::uint64_t* counts, Sums* sums) {
  if (draw.molecules == 0) return;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    int room = 0, index = 0;
    SIMSCOPE_CUDA_CHECK(cudaGetDevice(&index));
    SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerMultiprocessor, index));
    if (static_cast<std::size_t>(room) >= 2 * (Wide::kBytes + 1024)) {
      launch(device, Wide{}, draw, counts, sums);
    } else {
      launch(device, Narrow{}, draw, counts, sums);
    }
    device.countLaunches();
    return;
  }
#endif
  detail::addDrawOnCpu(device, draw, counts, *sums);
}

}  // namespace simscope::maxwell_boltzmann
