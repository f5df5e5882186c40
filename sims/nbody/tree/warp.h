// How a warp walks the tree: its 32 lanes test 32 cells at a time. The cells to test are on a stack, as ranges of
// siblings; each round takes as many from its top as fill the lanes. Source: J. Bédorf, E. Gaburov, S. Portegies Zwart,
// A sparse octree gravitational N-body code that runs entirely on the GPU processor, J. Comput. Phys. 231 (2012) 2825.
//
// The functions are written in phases: Team::each(f) calls f(lane) for every lane, so that the tests can run all lanes
// in turn on the host. Another lane may read what one phase writes to memory only after sync(). A Team has
//   each(f), sync(), memory();
//   ballot(f): bit i set where f(lane i);   from(i, f): f(lane i);   least(f), most(f): of floats;
//   prefix(member, f): lane.*member = Σ f over the lanes before; returns the total.
#pragma once

#include "sims/nbody/tree/field.h"
#include "sims/nbody/tree/walk.h"

namespace simscope::nbody::tree {

inline constexpr int kWarp = 32;

struct ScalarMath {
  using V = float;
  SIMSCOPE_HD static float inverseRoot(float x) {
#if defined(__CUDA_ARCH__)
    // One instruction; accurate to 2⁻²². The square of the least softening is not a denormal number.
    float root;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
#else
    return 1.0f / std::sqrt(x);
#endif
  }
};

struct WarpMemory {
  // The stack is ordered by level, the deepest on top. A round pushes at most 32 ranges, and onto a level only after it
  // has taken all ranges of that level: so no level has more than 32.
  static constexpr int kStack = (kLevels + 1) * kWarp;
  static constexpr int kBodies = kWarp * static_cast<int>(kLeafBodies) + kWarp;

  Vec4 tile[4][kWarp];
  std::uint32_t stack[kStack];  // first sibling · 8 + how many more
  std::uint32_t batch[kWarp];
  std::uint32_t cells[2 * kWarp];
  std::uint32_t bodies[kBodies];
};

template <int kPerLane>
struct WarpLane {
  int id;
  Vec4 target[kPerLane];
  FieldSum<float> sum[kPerLane];
  Vec4 g;  // see Opening
  // Of one round:
  std::uint32_t first, count, offset;
  Link link;
  bool taken, closed;
};

// Shared by the two walks of the tree: cutting a stretch into groups (warp_groups.h), and summing the field of a group
// (warp_walk.h).
template <int kPerLane, class Team>
class WarpTraversal {
 public:
  using Lane = WarpLane<kPerLane>;

 protected:
  SIMSCOPE_HD WarpTraversal(Team& team, const Arrays& a) : team_(team), m_(team.memory()), a_(a) {}

  SIMSCOPE_HD static std::uint32_t lowestBit(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__ffs(static_cast<int>(mask)) - 1);
#else
    return static_cast<std::uint32_t>(__builtin_ctz(mask));
#endif
  }
  SIMSCOPE_HD static int bits(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
    return __popc(mask);
#else
    return __builtin_popcount(mask);
#endif
  }
  // Lanes of `mask` before this one.
  SIMSCOPE_HD static int before(std::uint32_t mask, int id) {
    return bits(mask & ((1u << id) - 1u));
  }

  SIMSCOPE_HD int fromTheRoot() {
    team_.each([&](Lane& lane) {
      if (lane.id == 0) m_.stack[0] = 0;  // the root, and no more
    });
    team_.sync();
    return 1;
  }

  // Moves ranges from the top of the stack to the batch, as many as fit; returns their cells.
  SIMSCOPE_HD int take(int& height) {
    team_.each([&](Lane& lane) {
      const std::uint32_t range = lane.id < height ? m_.stack[height - 1 - lane.id] : 0;
      lane.first = range >> 3;
      lane.count = lane.id < height ? (range & 7u) + 1 : 0;
    });
    team_.prefix(&Lane::offset, [](const Lane& lane) { return lane.count; });
    const std::uint32_t fits = team_.ballot([](const Lane& lane) {
      return lane.count > 0 && lane.offset + lane.count <= static_cast<std::uint32_t>(kWarp);
    });
    // A range has 8 cells at most, so the first lanes' ranges fit.
    const std::uint32_t ready = team_.from(bits(fits) - 1, [](const Lane& lane) { return lane.offset + lane.count; });
    team_.each([&](Lane& lane) {
      if (!(fits >> lane.id & 1u)) return;
      for (std::uint32_t k = 0; k < lane.count; ++k) m_.batch[lane.offset + k] = lane.first + k;
    });
    team_.sync();
    height -= bits(fits);
    return static_cast<int>(ready);
  }

  // Pushes the children of the cells of the lanes `inner` onto the stack; returns its height. Lane 0 took from the top,
  // so its children go to the top again.
  SIMSCOPE_HD int push(std::uint32_t inner, int height) {
    team_.each([&](Lane& lane) {
      if (inner >> lane.id & 1u) {
        m_.stack[height + bits(inner) - 1 - before(inner, lane.id)] = lane.link.first << 3 | (lane.link.count - 1);
      }
    });
    return height + bits(inner);
  }

  Team& team_;
  WarpMemory& m_;
  const Arrays& a_;
};

}  // namespace simscope::nbody::tree
