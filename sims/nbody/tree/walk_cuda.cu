#include "sims/nbody/tree/warp_groups.h"
#include "sims/nbody/tree/warp_walk.h"

#if SIMSCOPE_HAVE_CUDA

#include "sims/compute/cuda/cuda_check.h"
#include "sims/nbody/tree/steps.h"

namespace simscope::nbody::tree {
namespace kernels {

constexpr unsigned kAll = 0xffffffffu;

template <int kPerLane>
struct WarpTeam {
  using Lane = WarpLane<kPerLane>;
  Lane& lane;
  WarpMemory& shared;

  __device__ WarpMemory& memory() const { return shared; }
  __device__ void sync() const { __syncwarp(); }
  template <class F>
  __device__ void each(const F& f) const {
    f(lane);
  }
  template <class F>
  __device__ std::uint32_t ballot(const F& f) const {
    return __ballot_sync(kAll, f(lane));
  }
  template <class F>
  __device__ auto from(int id, const F& f) const {
    return __shfl_sync(kAll, f(lane), id);
  }
  template <class F>
  __device__ std::uint32_t prefix(std::uint32_t Lane::*member, const F& f) const {
    const std::uint32_t mine = f(lane);
    std::uint32_t sum = mine;
#pragma unroll
    for (int step = 1; step < kWarp; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(kAll, sum, step);
      if (lane.id >= step) sum += other;
    }
    lane.*member = sum - mine;
    return __shfl_sync(kAll, sum, kWarp - 1);
  }
  template <class F>
  __device__ float least(const F& f) const {
    float value = f(lane);
#pragma unroll
    for (int step = 1; step < kWarp; step *= 2) value = fminf(value, __shfl_xor_sync(kAll, value, step));
    return value;
  }
  template <class F>
  __device__ float most(const F& f) const {
    float value = f(lane);
#pragma unroll
    for (int step = 1; step < kWarp; step *= 2) value = fmaxf(value, __shfl_xor_sync(kAll, value, step));
    return value;
  }
};

constexpr int kWarps = 2;    // a block; they have nothing to do with each other
constexpr int kBlocks = 12;  // that a multiprocessor holds

// The order in which groups find their places in the list differs from run to run; it decides only which warp sums a
// group, and when.
template <int kPerLane>
__global__ void __launch_bounds__(kWarps* kWarp, kBlocks) cutStretches(Arrays a) {
  using Groups = WarpGroups<kPerLane, WarpTeam<kPerLane>>;
  __shared__ WarpMemory memory[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  const std::uint32_t n = static_cast<std::uint32_t>(a.n), begin = (blockIdx.x * kWarps + warp) * Groups::kStretch;
  if (begin >= n || !a.frame->finite) return;
  WarpLane<kPerLane> lane;
  lane.id = static_cast<int>(threadIdx.x % kWarp);
  WarpTeam<kPerLane> team{lane, memory[warp]};
  Groups groups(team, a);
  groups.stretch(begin, n - begin < Groups::kStretch ? n : begin + Groups::kStretch,
                 [&](std::uint32_t from, std::uint32_t to) {
                   if (lane.id != 0) return;
                   const bool small = 2 * (to - from) <= Groups::kStretch;
                   const std::uint32_t at =
                       small ? n - 1 - atomicAdd(&a.frame->small_groups, 1u) : atomicAdd(&a.frame->groups, 1u);
                   a.group_begin[at] = from;
                   a.group_end[at] = to;
                 });
}

// As many warps as there is room for take one group after the other, so that a costly one holds up nobody; the small
// ones last, which fill the time that the last of the others take.
template <int kPerLane, bool kPotential>
__global__ void __launch_bounds__(kWarps* kWarp, kBlocks) walkGroups(Arrays a, float eps2, Vec4* field) {
  __shared__ WarpMemory memory[kWarps];
  const unsigned warp = threadIdx.x / kWarp;
  if (!a.frame->finite) {
    const float none = __int_as_float(0x7fffffff);
    const std::uint32_t n = static_cast<std::uint32_t>(a.n);
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      field[i] = {none, none, none, none};
    }
    return;
  }
  WarpLane<kPerLane> lane;
  lane.id = static_cast<int>(threadIdx.x % kWarp);
  WarpTeam<kPerLane> team{lane, memory[warp]};
  WarpWalk<kPerLane, WarpTeam<kPerLane>, kPotential> walk(team, a, eps2);
  const std::uint32_t n = static_cast<std::uint32_t>(a.n), large = a.frame->groups;
  const std::uint32_t groups = large + a.frame->small_groups;
  for (;;) {
    std::uint32_t next = 0;
    if (lane.id == 0) next = atomicAdd(&a.frame->next_group, 1u);
    next = __shfl_sync(kAll, next, 0);
    if (next >= groups) break;
    const std::uint32_t at = next < large ? next : n - 1 - (next - large);
    walk.group(a.group_begin[at], a.group_end[at], field);
  }
  if (lane.id == 0) {
    atomicAdd(&a.interactions->bodies, walk.counted().bodies);
    atomicAdd(&a.interactions->cells, walk.counted().cells);
  }
}

}  // namespace kernels

namespace {

template <int kPerLane>
void launch(compute::Device& device, const Arrays& a, float eps2, bool potential, Vec4* field) {
  constexpr unsigned kBodies = kPerLane * kWarp * kernels::kWarps;
  const unsigned stretches = (static_cast<unsigned>(a.n) + kBodies - 1) / kBodies;
  const unsigned room = static_cast<unsigned>(device.info().threads) * kernels::kBlocks;
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernels::cutStretches<kPerLane><<<stretches, kernels::kWarps * kWarp, 0, stream>>>(a);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  const auto walk = potential ? kernels::walkGroups<kPerLane, true> : kernels::walkGroups<kPerLane, false>;
  walk<<<room, kernels::kWarps * kWarp, 0, stream>>>(a, eps2, field);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches(2);
}

}  // namespace

void walkOnCuda(compute::Device& device, const Arrays& a, float softening, bool potential, Vec4* field) {
  static_assert(kGroupBodies == 2 * kWarp);
  // Two bodies a lane halve the work of looking at cells; one makes twice as many warps, where there are few.
  const int warps = a.n / (2 * kWarp);
  if (warps >= 16 * device.info().threads) {
    launch<2>(device, a, softening * softening, potential, field);
  } else {
    launch<1>(device, a, softening * softening, potential, field);
  }
}

}  // namespace simscope::nbody::tree

#endif  // SIMSCOPE_HAVE_CUDA
