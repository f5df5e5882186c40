// What a tree keeps in device memory, and where. All arrays lie in one block of memory, carved up by arraysIn().
//
// Bodies stand in the order of their keys, cells level after level from the root, and within a level in the order of
// their bodies: the children of a cell are neighbours. A cell that holds more than kLeafBodies bodies has children; at
// the last level, which has no children, a leaf holds any number of bodies.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/nbody/field.h"
#include "sims/nbody/tree/keys.h"

namespace simscope::nbody::tree {

inline constexpr std::uint32_t kLeafBodies = 16;
// Bodies that share one list of interactions.
inline constexpr std::uint32_t kGroupBodies = 64;
// The leaf size of a tree that would have more cells than there is room for; it has at most 8 · kLevels / 512 cells a
// body.
inline constexpr std::uint32_t kCrowdedLeafBodies = 511;

// Statistics of the sources. lo, hi, and sum: of the finite ones.
struct Bounds {
  float lo[3], hi[3];
  double sum[3];
  float least, most;  // strength
  std::uint32_t finite;
};

// Σ |x − mean| along each axis.
struct Spread {
  double sum[3];
};

struct TreeHeader {
  double lo[3];
  double cells_per_length;  // of the finest level
  std::uint32_t finite;     // else the field is NaN everywhere
  std::uint32_t mixed;      // strengths of both signs: cells have dipoles
  std::uint32_t leaf_bodies;
  std::uint32_t cells;
  float tolerance, closest2;               // see Opening in walk.h
  std::uint32_t level_start[kLevels + 2];  // first cell of a level; the last entry is `cells`
  // CUDA's walk: how many groups fill more than half of the lanes, and how many do not; the first group that no warp
  // has taken.
  std::uint32_t groups, small_groups, next_group;
};

// Inner cells: first child, how many. Leaves: first body, how many, and kLeafBit.
struct Link {
  std::uint32_t first, count;
};
inline constexpr std::uint32_t kLeafBit = 1u << 31;

// One line of a cache.
struct alignas(64) Cell {
  Vec4 reach;   // the centre of |s|, and the square of the distance beyond which the cell need not be opened
  Vec4 mass;    // M, Qxx, Qxy, Qxz
  Vec4 tensor;  // Qyy, Qyz, Qzz, ½ tr Q
  Vec4 dipole;  // w: (Σ|s| l³)^{1/5} with l the longest edge of the box of its bodies; see Opening in walk.h
};

struct Interactions {
  unsigned long long bodies, cells;
};

struct Arrays {
  int n;
  std::uint32_t capacity;  // cells
  const Vec4* sources;

  Bounds* bounds;
  Spread* spread;
  TreeHeader* frame;
  Interactions* interactions;

  // n elements, by place along the curve.
  std::uint64_t *keys, *other_keys;    // the other ones: workspace of the sort
  std::uint32_t *index, *other_index;  // where the body stood in `sources`
  Vec4* bodies;
  std::uint8_t* crowd;        // see Crowds
  std::uint32_t* starting;    // cells whose first body this is
  std::uint32_t* first_cell;  // the number of the first of them, in the order of bodies, then levels
  // CUDA's walk: groups of bodies [begin, end), the small ones from the end of the arrays. They reuse the memory of the
  // two before, which only the build needs.
  std::uint32_t *group_begin, *group_end;

  // `capacity` elements: cells in that order, ...
  std::uint8_t* level;
  std::uint32_t *begin, *place;  // the first body; the cell's final number
  // ... and in their final order.
  std::uint8_t* sorted_level;
  std::uint32_t* order;  // the number in the former order
  Link* link;
  Cell* cells;
  Vec4 *low, *high;  // corners of the box around the bodies; low.w: Σ |s|

  void* scratch;  // of the device's sorting library
  std::size_t scratch_bytes;
};

// The number of cells that have room. Half a cell a body is several times what trees of smooth distributions have.
inline std::uint32_t cellCapacity(int n) {
  return static_cast<std::uint32_t>(n) / 2 + 1024;
}

// The arrays for up to n sources from `memory` on; `bytes` becomes their size. With a null `memory` it only counts.
Arrays arraysIn(void* memory, compute::Backend backend, int n, std::size_t scratch_bytes, std::size_t& bytes);

}  // namespace simscope::nbody::tree
