// How a warp cuts a stretch of the curve into groups of bodies, as the CPU's walk does.
#pragma once

#include "sims/nbody/tree/warp.h"

namespace simscope::nbody::tree {

template <int kPerLane, class Team>
class WarpGroups : WarpTraversal<kPerLane, Team> {
  using Base = WarpTraversal<kPerLane, Team>;
  using Base::a_, Base::m_, Base::team_;

 public:
  using Lane = WarpLane<kPerLane>;
  static constexpr std::uint32_t kStretch = kPerLane * kWarp;  // bodies

  SIMSCOPE_HD WarpGroups(Team& team, const Arrays& a) : Base(team, a) {}

  // Calls use(begin, end) for each group of the stretch of bodies [begin, last), at most kStretch of them.
  template <class Use>
  SIMSCOPE_HD void stretch(std::uint32_t begin, std::uint32_t last, const Use& use) {
    if (shareSmallCell(a_, begin, last - 1)) return use(begin, last);
    while (begin < last) {
      BoundingBox box;
      const std::uint32_t end = groupEnd(begin, last, box);
      if (!shareSmallCell(a_, begin, end - 1) && isCrowded(box)) {
        // Bit i of word w: a group begins with body begin + 32 w + i.
        std::uint32_t starts[kPerLane];
        for (int w = 0; w < kPerLane; ++w) {
          starts[w] = team_.ballot([&](const Lane& lane) {
            const std::uint32_t i = begin + w * kWarp + lane.id;
            return i > begin && i < end && !shareSmallCell(a_, i - 1, i);
          });
        }
        const std::uint32_t first = begin;
        for (int w = 0; w < kPerLane; ++w) {
          for (std::uint32_t mask = starts[w]; mask; mask &= mask - 1) {
            const std::uint32_t next = first + w * kWarp + Base::lowestBit(mask);
            use(begin, next);
            begin = next;
          }
        }
      }
      use(begin, end);
      begin = end;
    }
  }

 private:
  // As the CPU's: the end of the group that begins [begin, end).
  SIMSCOPE_HD std::uint32_t groupEnd(std::uint32_t begin, std::uint32_t end, BoundingBox& box) {
    for (;;) {
      box = boxOf(begin, end);
      const std::uint32_t cut = widestGap(begin, end);
      if (cut == end) return end;
      const BoundingBox left = boxOf(begin, cut), right = boxOf(cut, end);
      if (!isLoose(left.edge(), right.edge(), box.edge())) return end;
      end = cut;
    }
  }

  SIMSCOPE_HD BoundingBox boxOf(std::uint32_t begin, std::uint32_t end) {
    BoundingBox box;
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

  // The body after the widest gap; `end` where all lie at one place.
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
        cut = from + Base::lowestBit(team_.ballot([&](const Lane& lane) { return gap(lane) == most; }));
      }
    }
    return cut;
  }

  // Whether the leaves that reach into the box hold more than kCrowd bodies.
  SIMSCOPE_HD bool isCrowded(const BoundingBox& box) {
    const float margin = kMargin * box.edge();
    int height = Base::fromTheRoot();
    std::uint32_t bodies = 0;
    while (height > 0) {
      const int ready = Base::take(height);
      team_.each([&](Lane& lane) {
        lane.taken = lane.id < ready && reaches(a_, m_.batch[lane.id], box, margin);
        if (lane.taken) lane.link = a_.link[m_.batch[lane.id]];
      });
      const auto isLeaf = [](const Lane& lane) { return (lane.link.count & kLeafBit) != 0; };
      const std::uint32_t inner = team_.ballot([&](const Lane& lane) { return lane.taken && !isLeaf(lane); });
      bodies += team_.prefix(&Lane::offset, [&](const Lane& lane) {
        return lane.taken && isLeaf(lane) ? lane.link.count & ~kLeafBit : 0u;
      });
      height = Base::push(inner, height);
      team_.sync();
      if (bodies > kCrowd) return true;
    }
    return false;
  }
};

}  // namespace simscope::nbody::tree
