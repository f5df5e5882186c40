#include "sims/nbody/direct.h"

#if SIMSCOPE_HAVE_CUDA

#include <algorithm>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda_check.h"

namespace simscope::nbody {
namespace kernels {

constexpr int kPerLane = 4;  // bodies
constexpr int kThreads = 32 * kDirectWarps;
constexpr int kStage = 32;  // sources that a warp holds in shared memory at a time
constexpr int kFlush = 8;   // stages that are summed before they join the total
static_assert(kPerLane * 32 == kDirectTile && kStage % kDirectUnroll == 0);

// One instruction; good to 2⁻²².
__device__ __forceinline__ float inverseRoot(float value) {
  float root;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(value));
  return root;
}

struct Sums {
  float x[kPerLane], y[kPerLane], z[kPerLane], potential[kPerLane];

  __device__ void clear() {
#pragma unroll
    for (int b = 0; b < kPerLane; ++b) x[b] = y[b] = z[b] = potential[b] = 0;
  }
  __device__ void add(const Sums& other) {
#pragma unroll
    for (int b = 0; b < kPerLane; ++b) {
      x[b] += other.x[b];
      y[b] += other.y[b];
      z[b] += other.z[b];
      potential[b] += other.potential[b];
    }
  }
};

__device__ __forceinline__ float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Products and sums are named one by one, so that g has the same bits with and without the potential.
template <bool kPotential>
__global__ void __launch_bounds__(kThreads, 2)
    sumPairs(const float4* __restrict__ sources, int n, float softening2, int per_split, float4* __restrict__ parts,
             unsigned* __restrict__ arrived, float4* __restrict__ field) {
  __shared__ float4 stage[kDirectWarps][2][kStage];
  __shared__ float4 sums[kDirectWarps][kDirectTile];
  __shared__ bool is_last;

  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int tile = static_cast<int>(blockIdx.x), split = static_cast<int>(blockIdx.y);
  const float4 nothing = make_float4(0, 0, 0, 0);

  float x[kPerLane], y[kPerLane], z[kPerLane];
#pragma unroll
  for (int b = 0; b < kPerLane; ++b) {
    const int i = tile * kDirectTile + b * 32 + lane;
    const float4 own = i < n ? sources[i] : nothing;
    x[b] = own.x;
    y[b] = own.y;
    z[b] = own.z;
  }

  // This warp's part of the sources; those beyond the last one are of no strength.
  const int part = per_split / kDirectWarps;
  const int begin = split * per_split + warp * part, end = min(begin + part, n);

  Sums total, recent;
  total.clear();
  recent.clear();
  int next_source = begin + lane;
  float4 next = next_source < end ? sources[next_source] : nothing;
  int stages = 0;
  for (int from = begin; from < end; from += kStage, ++stages) {
    float4* const held = stage[warp][stages & 1];
    held[lane] = next;
    __syncwarp();
    next_source += kStage;
    next = next_source < end ? sources[next_source] : nothing;
    const int count = min(kStage, end - from);
    for (int group = 0; group < count; group += kDirectUnroll) {
#pragma unroll
      for (int k = 0; k < kDirectUnroll; ++k) {
        const float4 source = held[group + k];
#pragma unroll
        for (int b = 0; b < kPerLane; ++b) {
          const float dx = source.x - x[b], dy = source.y - y[b], dz = source.z - z[b];
          const float r2 = __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, __fmaf_rn(dz, dz, softening2)));
          const float inverse = inverseRoot(r2);
          const float share = __fmul_rn(source.w, inverse);
          const float pull = __fmul_rn(share, __fmul_rn(inverse, inverse));
          recent.x[b] = __fmaf_rn(pull, dx, recent.x[b]);
          recent.y[b] = __fmaf_rn(pull, dy, recent.y[b]);
          recent.z[b] = __fmaf_rn(pull, dz, recent.z[b]);
          if (kPotential) {
            const bool itself = from + group + k == tile * kDirectTile + b * 32 + lane;
            recent.potential[b] -= itself ? 0.0f : share;
          }
        }
      }
    }
    if (stages % kFlush == kFlush - 1) {
      total.add(recent);
      recent.clear();
    }
  }
  total.add(recent);

#pragma unroll
  for (int b = 0; b < kPerLane; ++b) {
    sums[warp][b * 32 + lane] = make_float4(total.x[b], total.y[b], total.z[b], kPotential ? total.potential[b] : 0);
  }
  __syncthreads();
  const int mine = static_cast<int>(threadIdx.x), i = tile * kDirectTile + mine;
  const bool writes = mine < kDirectTile && i < n;
  float4 sum = nothing;
  if (writes) {
    for (int w = 0; w < kDirectWarps; ++w) sum = plus(sum, sums[w][mine]);
  }
  if (gridDim.y == 1) {
    if (writes) field[i] = sum;
    return;
  }

  if (writes) __stcg(&parts[static_cast<std::size_t>(split) * n + i], sum);
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    is_last = atomicAdd(&arrived[tile], 1u) == gridDim.y - 1;
    if (is_last) arrived[tile] = 0;  // for the next call
  }
  __syncthreads();
  if (!is_last || !writes) return;
  __threadfence();
  sum = nothing;
  for (unsigned s = 0; s < gridDim.y; ++s) sum = plus(sum, __ldcg(&parts[static_cast<std::size_t>(s) * n + i]));
  field[i] = sum;
}

}  // namespace kernels

namespace {

class DirectOnCuda final : public FieldSolver {
 public:
  explicit DirectOnCuda(compute::DevicePtr device) : device_(std::move(device)) {}

  void field(const Vec4* sources, int n, double softening, Vec4* out) override {
    launch(kernels::sumPairs<true>, sources, n, softening, out);
  }
  void force(const Vec4* sources, int n, double softening, Vec4* out) override {
    launch(kernels::sumPairs<false>, sources, n, softening, out);
  }
  std::string method() const override {
    return "all pairs, blocks of " + std::to_string(kDirectWarps) + " warps × " + std::to_string(kDirectTile) +
           " bodies";
  }

 private:
  template <class Kernel>
  void launch(Kernel kernel, const Vec4* sources, int n, double softening, Vec4* out) {
    const DirectSplit split = splitFor(n, device_->info().threads);
    prepare(split, n);
    const double soft = std::max(softening, kLeastSoftening);
    const dim3 grid(static_cast<unsigned>(split.tiles), static_cast<unsigned>(split.splits));
    kernel<<<grid, kernels::kThreads, 0, static_cast<cudaStream_t>(device_->stream())>>>(
        reinterpret_cast<const float4*>(sources), n, static_cast<float>(soft * soft), split.per_split,
        reinterpret_cast<float4*>(parts_.data()), arrived_.data(), reinterpret_cast<float4*>(out));
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device_->countLaunches();
  }

  void prepare(const DirectSplit& split, int n) {
    if (split.splits == 1) return;
    const auto tiles = static_cast<std::size_t>(split.tiles);
    const std::size_t elements = static_cast<std::size_t>(split.splits) * static_cast<std::size_t>(n);
    if (arrived_.size() < tiles) {
      compute::Buffer<unsigned> arrived(device_, tiles);
      arrived.zero();
      arrived_ = std::move(arrived);
    }
    if (parts_.size() < elements) parts_ = compute::Buffer<Vec4>(device_, elements);
  }

  compute::DevicePtr device_;
  compute::Buffer<Vec4> parts_;
  compute::Buffer<unsigned> arrived_;  // blocks of each tile that have finished
};

}  // namespace

std::unique_ptr<FieldSolver> makeDirectOnCuda(compute::DevicePtr device) {
  return std::make_unique<DirectOnCuda>(std::move(device));
}

}  // namespace simscope::nbody

#endif
