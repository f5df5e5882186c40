// The steps that make a tree, as functors for parallelFor: bodies to keys, keys to cells, cells to moments.
//
// Cells follow from the sorted keys alone. A cell of level L has children where it holds more than the limit ℓ of
// bodies, that is where it holds bodies k and k + ℓ for some k; so the leaf of body i lies one level below the deepest
// cell that holds i and some such pair. A body is the first one of its cells on those levels that it does not share
// with the body before it. Compare T. Karras, Maximizing parallelism in the construction of BVHs, octrees, and k-d
// trees, HPG 2012.
#pragma once

#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sims/compute/host_device.h"
#include "sims/nbody/tree/arrays.h"

namespace simscope::nbody::tree {

SIMSCOPE_HD inline float lesser(float a, float b) {
  return a < b ? a : b;
}
SIMSCOPE_HD inline float greater(float a, float b) {
  return a > b ? a : b;
}
SIMSCOPE_HD inline bool isFinite(float x) {
  return x <= FLT_MAX && x >= -FLT_MAX;
}

// The distance that the opening angle means, in units of l, the longest edge of a cell's box. At least √3/2, so that no
// target lies in a cell that stays closed.
inline constexpr float kLeastReach = 0.8661f;
SIMSCOPE_HD inline float reachOf(float opening_angle) {
  return opening_angle * kLeastReach < 1.0f ? 1.0f / opening_angle : kLeastReach;
}

inline constexpr Bounds kNoBounds = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}, {0, 0, 0}, 0, 0, 1};

struct BoundsOf {
  const Vec4* sources;

  SIMSCOPE_HD Bounds operator()(const Vec4& v) const {
    if (!(isFinite(v.x) && isFinite(v.y) && isFinite(v.z) && isFinite(v.w))) {
      Bounds none = kNoBounds;
      none.finite = 0;
      return none;
    }
    return {{v.x, v.y, v.z}, {v.x, v.y, v.z}, {v.x, v.y, v.z}, v.w, v.w, 1};
  }
  SIMSCOPE_HD Bounds operator()(std::size_t i) const { return (*this)(sources[i]); }
};

struct MergeBounds {
  SIMSCOPE_HD Bounds operator()(const Bounds& a, const Bounds& b) const {
    Bounds both;
    for (int axis = 0; axis < 3; ++axis) {
      both.lo[axis] = lesser(a.lo[axis], b.lo[axis]);
      both.hi[axis] = greater(a.hi[axis], b.hi[axis]);
      both.sum[axis] = a.sum[axis] + b.sum[axis];
    }
    both.least = lesser(a.least, b.least);
    both.most = greater(a.most, b.most);
    both.finite = a.finite & b.finite;
    return both;
  }
};

struct SpreadOf {
  const Vec4* sources;
  const Bounds* bounds;
  int n;

  SIMSCOPE_HD Spread operator()(const Vec4& v) const {
    const double share = 1.0 / n;
    return {{std::fabs(v.x - bounds->sum[0] * share), std::fabs(v.y - bounds->sum[1] * share),
             std::fabs(v.z - bounds->sum[2] * share)}};
  }
  SIMSCOPE_HD Spread operator()(std::size_t i) const { return (*this)(sources[i]); }
};

struct MergeSpread {
  SIMSCOPE_HD Spread operator()(const Spread& a, const Spread& b) const {
    return {{a.sum[0] + b.sum[0], a.sum[1] + b.sum[1], a.sum[2] + b.sum[2]}};
  }
};

// The cube that the keys divide. A few distant bodies must not reduce the resolution for the rest: a body further from
// the mean than kReach mean deviations gets the key of the cube's face. Cells have the boxes of their bodies, not those
// of their keys, so that nothing else changes.
struct MakeFrame {
  Arrays a;
  float opening_angle;
  static constexpr double kReach = 1024;

  SIMSCOPE_HD void operator()(std::size_t) const {
    const Bounds& bounds = *a.bounds;
    const double n = a.n;
    double spread = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (a.spread->sum[axis] / n > spread) spread = a.spread->sum[axis] / n;
    }
    TreeHeader& frame = *a.frame;
    double edge = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const double mean = bounds.sum[axis] / n;
      const double low = mean - kReach * spread, high = mean + kReach * spread;
      frame.lo[axis] = bounds.lo[axis] > low ? bounds.lo[axis] : low;
      const double top = bounds.hi[axis] < high ? bounds.hi[axis] : high;
      if (top - frame.lo[axis] > edge) edge = top - frame.lo[axis];
    }
    frame.cells_per_length = edge > 0 ? kKeyCells / edge : 0;
    frame.finite = bounds.finite;
    frame.mixed = bounds.least < 0 && bounds.most > 0;
    frame.leaf_bodies = kLeafBodies;
    // A cell that stays closed by its error is still further away than any of its bodies is from its centre: c (l/θ +
    // δ) ≥ ½√3 l + δ, because δ ≤ ½√3 l.
    const float edges = reachOf(opening_angle), closest = 2 * kLeastReach / (edges + kLeastReach);
    frame.tolerance = 8e-4f * opening_angle * opening_angle * opening_angle;
    frame.closest2 = closest * closest;
    frame.groups = frame.small_groups = frame.next_group = 0;
    *a.interactions = {0, 0};
  }
};

struct MakeKeys {
  Arrays a;

  SIMSCOPE_HD std::uint32_t cell(float x, int axis) const {
    const double at = (x - a.frame->lo[axis]) * a.frame->cells_per_length;
    if (!(at > 0)) return 0;
    return at < kKeyCells - 1 ? static_cast<std::uint32_t>(at) : kKeyCells - 1;
  }
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Vec4 v = a.sources[i];
    a.keys[i] = hilbertKey(cell(v.x, 0), cell(v.y, 1), cell(v.z, 2));
    a.index[i] = static_cast<std::uint32_t>(i);
  }
};

struct GatherBodies {
  Arrays a;
  SIMSCOPE_HD void operator()(std::size_t i) const { a.bodies[i] = a.sources[a.index[i]]; }
};

// One more than the number of levels that body k and body k + ℓ share, 0 where there is no such body.
struct FindCrowds {
  Arrays a;

  SIMSCOPE_HD void operator()(std::size_t k) const {
    const std::size_t other = k + a.frame->leaf_bodies;
    const bool there = other < static_cast<std::size_t>(a.n);
    a.crowd[k] = there ? static_cast<std::uint8_t>(sharedLevels(a.keys[k], a.keys[other]) + 1) : std::uint8_t{0};
  }
};

// The levels of the cells that begin with body i.
struct LevelRange {
  int first, last;
};

SIMSCOPE_HD inline LevelRange levelsFrom(const Arrays& a, std::size_t i) {
  const std::size_t limit = a.frame->leaf_bodies;
  int leaf = 0;
  for (std::size_t k = i > limit ? i - limit : 0; k <= i; ++k) leaf = a.crowd[k] > leaf ? a.crowd[k] : leaf;
  leaf = leaf < kLevels ? leaf : kLevels;
  return {i == 0 ? 0 : sharedLevels(a.keys[i - 1], a.keys[i]) + 1, leaf};
}

struct CountCells {
  Arrays a;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const LevelRange levels = levelsFrom(a, i);
    a.starting[i] = levels.last < levels.first ? 0u : static_cast<std::uint32_t>(levels.last - levels.first + 1);
  }
};

SIMSCOPE_HD inline std::uint32_t countedCells(const Arrays& a) {
  return a.first_cell[a.n - 1] + a.starting[a.n - 1];
}

// After the cells are counted: checks whether they have room.
struct LimitCells {
  Arrays a;
  SIMSCOPE_HD void operator()(std::size_t) const {
    if (countedCells(a) > a.capacity) a.frame->leaf_bodies = kCrowdedLeafBodies;
  }
};
// FindCrowds and CountCells for a tree that turned out to be crowded.
struct FindCrowdsAgain {
  Arrays a;
  SIMSCOPE_HD void operator()(std::size_t k) const {
    if (a.frame->leaf_bodies != kLeafBodies) FindCrowds{a}(k);
  }
};
struct CountCellsAgain {
  Arrays a;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    if (a.frame->leaf_bodies != kLeafBodies) CountCells{a}(i);
  }
};

struct ListCells {
  Arrays a;

  SIMSCOPE_HD void operator()(std::size_t i) const {
    const LevelRange levels = levelsFrom(a, i);
    std::uint32_t cell = a.first_cell[i];
    for (int level = levels.first; level <= levels.last; ++level, ++cell) {
      a.level[cell] = static_cast<std::uint8_t>(level);
      a.begin[cell] = static_cast<std::uint32_t>(i);
    }
    if (i + 1 == static_cast<std::size_t>(a.n)) a.frame->cells = countedCells(a);
  }
};

inline constexpr std::uint8_t kNoLevel = 31;  // beyond all others: fits the five bits that are sorted

// For each element up to the capacity, before the sort.
struct NumberCells {
  Arrays a;

  SIMSCOPE_HD void operator()(std::size_t cell) const {
    a.place[cell] = static_cast<std::uint32_t>(cell);
    if (cell >= a.frame->cells) a.level[cell] = kNoLevel;
  }
};

// For each cell and one more, after the sort.
struct PlaceCells {
  Arrays a;

  SIMSCOPE_HD void operator()(std::size_t cell) const {
    const std::uint32_t cells = a.frame->cells;
    if (cell > cells) return;
    const int level = cell < cells ? a.sorted_level[cell] : kLevels + 1;
    const int before = cell > 0 ? a.sorted_level[cell - 1] : -1;
    for (int l = before + 1; l <= level; ++l) a.frame->level_start[l] = static_cast<std::uint32_t>(cell);
    if (cell < cells) a.place[a.order[cell]] = static_cast<std::uint32_t>(cell);
  }
};

struct LinkCells {
  Arrays a;

  SIMSCOPE_HD void operator()(std::size_t cell) const {
    const std::uint32_t cells = a.frame->cells;
    if (cell >= cells) return;
    const std::uint32_t number = a.order[cell];
    const std::uint32_t begin = a.begin[number];
    const std::uint64_t key = a.keys[begin];
    const int level = a.sorted_level[cell];
    const auto inside = [&](std::uint32_t body) { return sharedLevels(key, a.keys[body]) >= level; };
    if (number + 1 < cells && a.begin[number + 1] == begin) {
      const std::uint32_t first = a.place[number + 1], end = a.frame->level_start[level + 2];
      std::uint32_t count = 1;
      while (first + count < end && inside(a.begin[a.order[first + count]])) ++count;
      a.link[cell] = {first, count};
      return;
    }
    // Finds the last body of a leaf: by steps that double, then by bisection.
    const std::uint32_t n = static_cast<std::uint32_t>(a.n);
    std::uint32_t in = begin, step = 1;
    while (in + step < n && inside(in + step)) {
      in += step;
      step *= 2;
    }
    for (; step > 0; step /= 2) {
      if (in + step < n && inside(in + step)) in += step;
    }
    a.link[cell] = {begin, (in - begin + 1) | kLeafBit};
  }
};

}  // namespace simscope::nbody::tree
