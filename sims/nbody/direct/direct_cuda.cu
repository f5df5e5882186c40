#include "sims/nbody/direct/direct.h"

#if SIMSCOPE_HAVE_CUDA

#include <algorithm>

#include "sims/compute/buffer.h"
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/ranks/blocks.h"

namespace simscope::nbody {
namespace kernels {

constexpr int kPerLane = 4;  // bodies
constexpr int kThreads = 32 * kDirectWarps;
constexpr int kStage = 64;  // sources that a warp holds in shared memory at a time
constexpr int kFlush = 4;   // stages that are summed before they are added to the total
static_assert(kPerLane * 32 == kDirectTile && kStage % kDirectUnroll == 0 && kStage % 32 == 0);

// One instruction; accurate to 2⁻²².
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
  // Adds these to `total`, and resets them.
  __device__ void moveTo(Sums& total) {
#pragma unroll
    for (int b = 0; b < kPerLane; ++b) {
      total.x[b] += x[b];
      total.y[b] += y[b];
      total.z[b] += z[b];
      total.potential[b] += potential[b];
    }
    clear();
  }
};

__device__ __forceinline__ float4 plus(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// The bodies of one lane, and their sums so far.
template <bool kPotential, bool kAlike>
struct Lane {
  float x[kPerLane], y[kPerLane], z[kPerLane];
  Sums recent;

  // Products and sums are explicit, so that g has the same bits with and without the potential. `body` is the index of
  // the lane's first one, `index` that of the source.
  __device__ __forceinline__ void meet(const float4 source, float softening2, int body, int index) {
#pragma unroll
    for (int b = 0; b < kPerLane; ++b) {
      const float dx = source.x - x[b], dy = source.y - y[b], dz = source.z - z[b];
      const float r2 = __fmaf_rn(dx, dx, __fmaf_rn(dy, dy, __fmaf_rn(dz, dz, softening2)));
      const float inverse = inverseRoot(r2);
      const float share = kAlike ? inverse : __fmul_rn(source.w, inverse);
      const float pull = __fmul_rn(share, __fmul_rn(inverse, inverse));
      recent.x[b] = __fmaf_rn(pull, dx, recent.x[b]);
      recent.y[b] = __fmaf_rn(pull, dy, recent.y[b]);
      recent.z[b] = __fmaf_rn(pull, dz, recent.z[b]);
      if (kPotential) recent.potential[b] -= index == body + b * 32 ? 0.0f : share;
    }
  }
};

// kAlike: all sources have the strength of the first, which multiplies the sums at the end: 12 instructions a pair
// instead of 13. kPotential: whether φ is wanted.
template <bool kPotential, bool kAlike>
__global__ void __launch_bounds__(kThreads, 2)
    sumPairs(const float4* __restrict__ sources, int n, float softening2, int per_split, int first_tile,
             float4* __restrict__ parts, unsigned* __restrict__ arrived, float4* __restrict__ field) {
  __shared__ float4 stage[kDirectWarps][2][kStage];
  __shared__ float4 sums[kDirectWarps][kDirectTile];
  __shared__ bool is_last;

  const int lane = static_cast<int>(threadIdx.x) & 31, warp = static_cast<int>(threadIdx.x) >> 5;
  const int tile = first_tile + static_cast<int>(blockIdx.x), split = static_cast<int>(blockIdx.y);
  const float4 nothing = make_float4(0, 0, 0, 0);
  const float strength = kAlike ? sources[0].w : 1.0f;

  Lane<kPotential, kAlike> own;
  const int body = tile * kDirectTile + lane;
#pragma unroll
  for (int b = 0; b < kPerLane; ++b) {
    const float4 place = body + b * 32 < n ? sources[body + b * 32] : nothing;
    own.x[b] = place.x;
    own.y[b] = place.y;
    own.z[b] = place.z;
  }

  // This warp's part of the sources.
  const int part = per_split / kDirectWarps;
  const int begin = split * per_split + warp * part, end = min(begin + part, n);
  constexpr int kLoads = kStage / 32;
  float4 next[kLoads];
  const auto load = [&](int from) {
#pragma unroll
    for (int k = 0; k < kLoads; ++k) {
      const int index = from + k * 32 + lane;
      next[k] = index < end ? sources[index] : nothing;
    }
  };

  Sums total;
  total.clear();
  own.recent.clear();
  load(begin);
  int stages = 0;
  for (int from = begin; from < end; from += kStage, ++stages) {
    float4* const held = stage[warp][stages & 1];
#pragma unroll
    for (int k = 0; k < kLoads; ++k) held[k * 32 + lane] = next[k];
    __syncwarp();
    load(from + kStage);
    const int count = min(kStage, end - from);
    int at = 0;
    for (; at + kDirectUnroll <= count; at += kDirectUnroll) {
#pragma unroll
      for (int k = 0; k < kDirectUnroll; ++k) own.meet(held[at + k], softening2, body, from + at + k);
    }
#pragma unroll 1
    for (; at < count; ++at) own.meet(held[at], softening2, body, from + at);
    if (stages % kFlush == kFlush - 1) own.recent.moveTo(total);
  }
  own.recent.moveTo(total);

#pragma unroll
  for (int b = 0; b < kPerLane; ++b) {
    sums[warp][b * 32 + lane] = make_float4(strength * total.x[b], strength * total.y[b], strength * total.z[b],
                                            kPotential ? strength * total.potential[b] : 0);
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
    launch(alike_ ? kernels::sumPairs<true, true> : kernels::sumPairs<true, false>, sources, n, softening, out);
  }
  void force(const Vec4* sources, int n, double softening, Vec4* out) override {
    launch(alike_ ? kernels::sumPairs<false, true> : kernels::sumPairs<false, false>, sources, n, softening, out);
  }
  void expectAlike(bool alike) override { alike_ = alike; }
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
    // With ranks, each sums for some of the tiles, as a single device would: the same bits.
    compute::Ranks* const ranks = device_->ranks();
    const compute::Cuts cuts =
        compute::equalCuts(static_cast<std::uint64_t>(n), ranks ? ranks->size() : 1, kDirectTile);
    const std::size_t rank = ranks ? static_cast<std::size_t>(ranks->rank()) : 0;
    const auto first = static_cast<int>(cuts[rank] / kDirectTile);
    const auto end = static_cast<int>((cuts[rank + 1] + kDirectTile - 1) / kDirectTile);
    if (cuts[rank] < cuts[rank + 1]) {
      const dim3 grid(static_cast<unsigned>(end - first), static_cast<unsigned>(split.splits));
      kernel<<<grid, kernels::kThreads, 0, static_cast<cudaStream_t>(device_->stream())>>>(
          reinterpret_cast<const float4*>(sources), n, static_cast<float>(soft * soft), split.per_split, first,
          reinterpret_cast<float4*>(parts_.data()), arrived_.data(), reinterpret_cast<float4*>(out));
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      device_->countLaunches();
    }
    if (ranks) compute::gatherBlocksOnDevice(*device_, out, sizeof(Vec4), cuts);
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
  bool alike_ = false;
  compute::Buffer<Vec4> parts_;
  compute::Buffer<unsigned> arrived_;  // blocks of each tile that have finished
};

}  // namespace

std::unique_ptr<FieldSolver> makeDirectOnCuda(compute::DevicePtr device) {
  return std::make_unique<DirectOnCuda>(std::move(device));
}

}  // namespace simscope::nbody

#endif
