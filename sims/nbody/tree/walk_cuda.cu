#include "sims/nbody/tree/warp_groups.h"
#include "sims/nbody/tree/warp_walk.h"

#if SIMSCOPE_HAVE_CUDA

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/ranks/blocks.h"
#include "sims/nbody/tree/deal.h"
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

constexpr int kWarps = 2;    // a block; they are independent
constexpr int kBlocks = 12;  // that a multiprocessor holds

// Vec4's constructor sets zeros, which shared memory does not allow: it requires an empty constructor, which a union
// may have.
union Room {
  WarpMemory of[kWarps];
  __device__ Room() {}
};

// The field in the order in which bodies are dealt to the ranks.
struct FieldOfDealt {
  Deal deal;
  Vec4* field;
  __device__ Vec4& operator()(std::uint32_t i) const { return field[deal.place(i)]; }
};

// The order in which groups find their places in the list differs from run to run; it decides only which warp sums a
// group, and when.
template <int kPerLane>
__global__ void __launch_bounds__(kWarps* kWarp, kBlocks) cutStretches(Arrays a, Deal deal) {
  using Groups = WarpGroups<kPerLane, WarpTeam<kPerLane>>;
  __shared__ Room room;
  const unsigned warp = threadIdx.x / kWarp;
  const std::uint32_t n = static_cast<std::uint32_t>(a.n), own = blockIdx.x * kWarps + warp;
  if (own >= deal.stretches() || !a.frame->finite) return;
  const std::uint32_t begin = deal.stretchOf(own) * Groups::kStretch;
  WarpLane<kPerLane> lane;
  lane.id = static_cast<int>(threadIdx.x % kWarp);
  WarpTeam<kPerLane> team{lane, room.of[warp]};
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

// As many warps as there is room for take one group after the other, so that a costly group delays no other; the small
// ones come last, and fill the time of the last large ones.
// Field: as WarpWalk's.
template <int kPerLane, bool kPotential, class Field>
__global__ void __launch_bounds__(kWarps* kWarp, kBlocks) walkGroups(Arrays a, float eps2, Field field) {
  __shared__ Room room;
  const unsigned warp = threadIdx.x / kWarp;
  if (!a.frame->finite) {
    const float none = __int_as_float(0x7fffffff);
    const std::uint32_t n = static_cast<std::uint32_t>(a.n);
    for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      field(i) = {none, none, none, none};
    }
    return;
  }
  WarpLane<kPerLane> lane;
  lane.id = static_cast<int>(threadIdx.x % kWarp);
  WarpTeam<kPerLane> team{lane, room.of[warp]};
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

__global__ void takeDealt(const std::uint32_t* __restrict__ index, Deal deal, const Vec4* __restrict__ dealt,
                          Vec4* __restrict__ field) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < deal.bodies) field[index[i]] = dealt[deal.place(i)];
}

}  // namespace kernels

namespace {

template <int kPerLane, class Field>
void launch(compute::Device& device, const Arrays& a, float eps2, bool potential, const Deal& deal,
            const Field& field) {
  const unsigned stretches = (deal.stretches() + kernels::kWarps - 1) / kernels::kWarps;
  const unsigned room = static_cast<unsigned>(device.info().threads) * kernels::kBlocks;
  const auto stream = static_cast<cudaStream_t>(device.stream());
  if (stretches > 0) {
    kernels::cutStretches<kPerLane><<<stretches, kernels::kWarps * kWarp, 0, stream>>>(a, deal);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  }
  const auto walk =
      potential ? kernels::walkGroups<kPerLane, true, Field> : kernels::walkGroups<kPerLane, false, Field>;
  walk<<<room, kernels::kWarps * kWarp, 0, stream>>>(a, eps2, field);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches(2);
}

template <int kPerLane>
void walkAll(compute::Device& device, const Arrays& a, float eps2, bool potential, Vec4* field, Vec4* dealt) {
  Deal deal{static_cast<std::uint32_t>(a.n), kPerLane * kWarp};
  const compute::Ranks* const ranks = device.ranks();
  if (!ranks) {
    return launch<kPerLane>(device, a, eps2, potential, deal, FieldOfSources{a.index, field});
  }
  deal.ranks = static_cast<std::uint32_t>(ranks->size());
  deal.rank = static_cast<std::uint32_t>(ranks->rank());
  launch<kPerLane>(device, a, eps2, potential, deal, kernels::FieldOfDealt{deal, dealt});
  compute::Cuts cuts;
  for (std::uint32_t rank = 0; rank <= deal.ranks; ++rank) cuts.push_back(deal.begin(rank));
  compute::gatherBlocksOnDevice(device, dealt, sizeof(Vec4), cuts);
  constexpr unsigned kThreads = 256;
  kernels::
      takeDealt<<<(deal.bodies + kThreads - 1) / kThreads, kThreads, 0, static_cast<cudaStream_t>(device.stream())>>>(
          a.index, deal, dealt, field);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

}  // namespace

void walkOnCuda(compute::Device& device, const Arrays& a, float softening, bool potential, Vec4* field, Vec4* dealt) {
  static_assert(kGroupBodies == 2 * kWarp);
  // Two bodies a lane halve the work of testing cells; one body a lane makes twice as many warps, where there are few.
  // Each rank chooses as a single process would, for the same bits.
  const int warps = a.n / (2 * kWarp);
  if (warps >= 16 * device.info().threads) {
    walkAll<2>(device, a, softening * softening, potential, field, dealt);
  } else {
    walkAll<1>(device, a, softening * softening, potential, field, dealt);
  }
}

}  // namespace simscope::nbody::tree

#endif  // SIMSCOPE_HAVE_CUDA
