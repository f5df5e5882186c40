// The walk of a warp: 32 lanes look at 32 cells at a time and share one list of interactions for up to 64 bodies.
//
// The cells to look at wait on a stack, as ranges of siblings. Each round takes from its top what fills the lanes;
// cells that stay closed go to one list, bodies of opened leaves to another, children of opened cells back onto the
// stack. Whenever a list holds 32 entries, the lanes load one each and all of them sum over the 32. Source: J. Bédorf,
// E. Gaburov, S. Portegies Zwart, A sparse octree gravitational N-body code that runs entirely on the GPU processor,
// J. Comput. Phys. 231 (2012) 2825.
//
// The functions are written in phases: Team::each(f) calls f(lane) for every lane, so that the tests can play all lanes
// in turn on the host. What one phase writes to memory another lane may read after sync() only. A Team has
//   each(f), sync(), memory();
//   ballot(f): bit i set where f(lane i);   from(i, f): f(lane i);   least(f), most(f): of floats;
//   prefix(member, f): lane.*member = Σ f over the lanes before; returns the total.
#pragma once

#include "sims/nbody/tree_field.h"
#include "sims/nbody/tree_walk.h"

namespace simscope::nbody::tree {

inline constexpr int kWarp = 32;

struct ScalarMath {
  using V = float;
  SIMSCOPE_HD static float inverseRoot(float x) {
#if defined(__CUDA_ARCH__)
    return rsqrtf(x);
#else
    return 1.0f / std::sqrt(x);
#endif
  }
};

struct WarpMemory {
  // The stack is ordered by level, the deepest on top. A round pushes at most 32 ranges, and onto a level only once it
  // has taken all that lay there: so no level has more than 32.
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
  // Of one round:
  std::uint32_t first, count, offset;
  Link link;
  bool taken, closed;
};

template <int kPerLane, class Team>
class WarpWalk {
 public:
  using Lane = WarpLane<kPerLane>;
  static constexpr std::uint32_t kStretch = kPerLane * kWarp;  // bodies

  SIMSCOPE_HD WarpWalk(Team& team, const Arrays& a, float eps2) : team_(team), m_(team.memory()), a_(a), eps2_(eps2) {}

  // The field of the stretch of bodies [begin, last), at most kStretch of them.
  SIMSCOPE_HD void stretch(std::uint32_t begin, std::uint32_t last, Vec4* field) {
    while (begin < last) {
      Box box;
      const std::uint32_t end = groupEnd(begin, last, box);
      walk(begin, end, box);
      team_.each([&](Lane& lane) {
        for (int k = 0; k < kPerLane; ++k) {
          const std::uint32_t i = begin + k * kWarp + lane.id;
          const FieldSum<float>& sum = lane.sum[k];
          if (i < end) field[a_.index[i]] = {sum.x, sum.y, sum.z, sum.phi};
        }
      });
      begin = end;
    }
  }

  SIMSCOPE_HD const Interactions& counted() const { return counted_; }

  // As the CPU's: the end of the group that begins [begin, end).
  SIMSCOPE_HD std::uint32_t groupEnd(std::uint32_t begin, std::uint32_t end, Box& box) {
    for (;;) {
      box = boxOf(begin, end);
      const std::uint32_t cut = widestGap(begin, end);
      if (cut == end) return end;
      const Box left = boxOf(begin, cut), right = boxOf(cut, end);
      if (!isLoose(left.edge(), right.edge(), box.edge())) return end;
      end = cut;
    }
  }

 private:
  SIMSCOPE_HD Box boxOf(std::uint32_t begin, std::uint32_t end) {
    Box box;
    for (int axis = 0; axis < 3; ++axis) {
      const auto over = [&](const Lane& lane, bool least) {
        float value = least ? FLT_MAX : -FLT_MAX;
        for (std::uint32_t i = begin + lane.id; i < end; i += kWarp) {
          const Vec4 v = a_.bodies[i];
          const float x = axis == 0 ? v.x : axis == 1 ? v.y : v.z;
          value = least ? lesser(value, x) : greater(value, x);
        }
        return value;
      };
      box.lo[axis] = team_.least([&](const Lane& lane) { return over(lane, true); });
      box.hi[axis] = team_.most([&](const Lane& lane) { return over(lane, false); });
    }
    return box;
  }

  // The body behind the widest gap; `end` where all lie in one place.
  SIMSCOPE_HD std::uint32_t widestGap(std::uint32_t begin, std::uint32_t end) {
    float widest = 0;
    std::uint32_t cut = end;
    for (std::uint32_t from = begin + 1; from < end; from += kWarp) {
      const auto gap = [&](const Lane& lane) {
        const std::uint32_t i = from + lane.id;
        return i < end ? distance2(a_.bodies[i - 1], a_.bodies[i]) : 0.0f;
      };
      const float most = team_.most(gap);
      if (most > widest) {
        widest = most;
        cut = from + lowestBit(team_.ballot([&](const Lane& lane) { return gap(lane) == most; }));
      }
    }
    return cut;
  }

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

  SIMSCOPE_HD void walk(std::uint32_t begin, std::uint32_t end, const Box& box) {
    start(begin, end);
    int height = 1, cells = 0, bodies = 0;
    team_.each([&](Lane& lane) {
      if (lane.id == 0) m_.stack[0] = 0;  // the root, and no more
    });
    team_.sync();
    while (height > 0) {
      const int ready = take(height);
      look(ready, box);
      const std::uint32_t closed = team_.ballot([](const Lane& lane) { return lane.closed; });
      const auto opens = [](const Lane& lane, bool leaf) {
        return lane.taken && !lane.closed && ((lane.link.count & kLeafBit) != 0) == leaf;
      };
      const std::uint32_t inner = team_.ballot([&](const Lane& lane) { return opens(lane, false); });
      const std::uint32_t leaves = team_.ballot([&](const Lane& lane) { return opens(lane, true); });
      team_.each([&](Lane& lane) {
        if (lane.closed) m_.cells[cells + before(closed, lane.id)] = lane.first;
        // Lane 0 took from the top of the stack, so its children go there again.
        if (inner >> lane.id & 1u) {
          m_.stack[height + bits(inner) - 1 - before(inner, lane.id)] = lane.link.first << 3 | (lane.link.count - 1);
        }
      });
      height += bits(inner);
      cells += bits(closed);
      if (leaves) bodies = addLeaves(leaves, bodies, begin, end);
      team_.sync();
      if (cells >= kWarp) {
        cells -= kWarp;
        addCells(cells, kWarp);
      }
      while (bodies >= kWarp) {
        bodies -= kWarp;
        addBodies(bodies, kWarp);
      }
    }
    addCells(0, cells);
    addBodies(0, bodies);
  }

  // Loads the targets, and sums over their own group.
  SIMSCOPE_HD void start(std::uint32_t begin, std::uint32_t end) {
    targets_ = end - begin;
    team_.each([&](Lane& lane) {
      for (int k = 0; k < kPerLane; ++k) {
        const std::uint32_t i = begin + k * kWarp + lane.id;
        lane.target[k] = a_.bodies[i < end ? i : begin];
        lane.sum[k] = {0, 0, 0, 0};
        m_.tile[k][lane.id] = lane.target[k];
      }
    });
    team_.sync();
    team_.each([&](Lane& lane) {
      for (std::uint32_t j = 0; j < targets_; ++j) {
        const Vec4 body = m_.tile[j / kWarp][j % kWarp];
        for (int k = 0; k < kPerLane; ++k) {
          const float s = j == k * kWarp + static_cast<std::uint32_t>(lane.id) ? 0.0f : body.w;
          add(lane, k, body, s);
        }
      }
    });
    team_.sync();
    counted_.bodies += static_cast<unsigned long long>(targets_) * (targets_ - 1);
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

  SIMSCOPE_HD void look(int ready, const Box& box) {
    team_.each([&](Lane& lane) {
      lane.taken = lane.id < ready;
      lane.closed = false;
      if (!lane.taken) return;
      lane.first = m_.batch[lane.id];
      lane.link = a_.link[lane.first];
      lane.closed = staysClosed(box, a_.cells[lane.first].reach);
    });
  }

  // Puts the bodies of opened leaves on their list; those of the last level, which may be any number, are summed at
  // once.
  SIMSCOPE_HD int addLeaves(std::uint32_t leaves, int bodies, std::uint32_t begin, std::uint32_t end) {
    const auto countOf = [&](const Lane& lane) { return leaves >> lane.id & 1u ? lane.link.count & ~kLeafBit : 0u; };
    std::uint32_t large = team_.ballot([&](const Lane& lane) { return countOf(lane) > kLeafBodies; });
    const std::uint32_t total = team_.prefix(&Lane::offset, [&](const Lane& lane) {
      const std::uint32_t count = countOf(lane);
      return count > kLeafBodies ? 0u : OtherBodies(lane.link.first, count, begin, end).count;
    });
    team_.each([&](Lane& lane) {
      const std::uint32_t count = countOf(lane);
      if (count == 0 || count > kLeafBodies) return;
      const OtherBodies others(lane.link.first, count, begin, end);
      for (std::uint32_t k = 0; k < others.count; ++k) m_.bodies[bodies + lane.offset + k] = others(k);
    });
    for (; large; large &= large - 1) {
      const int id = static_cast<int>(lowestBit(large));
      const std::uint32_t first = team_.from(id, [](const Lane& lane) { return lane.link.first; });
      const std::uint32_t count = team_.from(id, [](const Lane& lane) { return lane.link.count & ~kLeafBit; });
      const OtherBodies others(first, count, begin, end);
      for (std::uint32_t from = 0; from < others.count; from += kWarp) {
        const std::uint32_t left = others.count - from;
        sumBodies(left < kWarp ? static_cast<int>(left) : kWarp, [&](int i) { return others(from + i); });
      }
    }
    return bodies + static_cast<int>(total);
  }

  SIMSCOPE_HD void add(Lane& lane, int k, const Vec4& body, float s) const {
    const Vec4& t = lane.target[k];
    addBody<ScalarMath>(body.x - t.x, body.y - t.y, body.z - t.z, s, eps2_, lane.sum[k]);
  }

  SIMSCOPE_HD void addBodies(int from, int count) {
    sumBodies(count, [&](int i) { return m_.bodies[from + i]; });
  }

  // bodyOf(i): the i-th of up to 32 bodies.
  template <class BodyOf>
  SIMSCOPE_HD void sumBodies(int count, const BodyOf& bodyOf) {
    team_.each([&](Lane& lane) {
      if (lane.id < count) m_.tile[0][lane.id] = a_.bodies[bodyOf(lane.id)];
    });
    team_.sync();
    team_.each([&](Lane& lane) {
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (int j = 0; j < count; ++j) {
        const Vec4 body = m_.tile[0][j];
        for (int k = 0; k < kPerLane; ++k) add(lane, k, body, body.w);
      }
    });
    team_.sync();
    counted_.bodies += static_cast<unsigned long long>(targets_) * count;
  }

  SIMSCOPE_HD void addCells(int from, int count) {
    if (a_.frame->mixed) {
      sumCells<true>(from, count);
    } else {
      sumCells<false>(from, count);
    }
  }

  template <bool kDipole>
  SIMSCOPE_HD void sumCells(int from, int count) {
    team_.each([&](Lane& lane) {
      if (lane.id >= count) return;
      const Cell& cell = a_.cells[m_.cells[from + lane.id]];
      m_.tile[0][lane.id] = cell.reach;
      m_.tile[1][lane.id] = cell.mass;
      m_.tile[2][lane.id] = cell.tensor;
      if (kDipole) m_.tile[3][lane.id] = cell.dipole;
    });
    team_.sync();
    team_.each([&](Lane& lane) {
#if defined(__CUDA_ARCH__)
#pragma unroll 2
#endif
      for (int j = 0; j < count; ++j) {
        const Vec4 c = m_.tile[0][j], q = m_.tile[1][j], r = m_.tile[2][j];
        const CellMoments<float> moments = {q.x, q.y, q.z, q.w, r.x, r.y, r.z, r.w};
        Dipole<float> dipole = {0, 0, 0};
        if (kDipole) dipole = {m_.tile[3][j].x, m_.tile[3][j].y, m_.tile[3][j].z};
        for (int k = 0; k < kPerLane; ++k) {
          const Vec4& t = lane.target[k];
          addCell<ScalarMath, kDipole>(c.x - t.x, c.y - t.y, c.z - t.z, moments, dipole, eps2_, lane.sum[k]);
        }
      }
    });
    team_.sync();
    counted_.cells += static_cast<unsigned long long>(targets_) * count;
  }

  Team& team_;
  WarpMemory& m_;
  const Arrays& a_;
  float eps2_;
  std::uint32_t targets_ = 0;
  Interactions counted_{};
};

}  // namespace simscope::nbody::tree
