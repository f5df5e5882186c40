// Places along Hilbert's curve: consecutive bodies along it are neighbours in space, and every cell of the octree is
// one stretch of it.
//
// A key has three bits for each of kLevels levels, the coarsest first; two bodies share a cell of level L where their
// keys agree in the first 3L bits. Source: C. Hamilton, Compact Hilbert indices, Dalhousie University, CS-2006-07.
#pragma once

#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::nbody::tree {

inline constexpr int kLevels = 21;
inline constexpr std::uint32_t kKeyCells = 1u << kLevels;  // along each axis

namespace detail {

// Three-bit words: rotated to the right, and small tables packed into one number.
SIMSCOPE_HD inline std::uint32_t rotated(std::uint32_t word, std::uint32_t by) {
  return ((word >> by) | (word << (3 - by))) & 7u;
}
SIMSCOPE_HD inline std::uint32_t lookUp(std::uint32_t table, std::uint32_t at) {
  return (table >> (3 * at)) & 7u;
}
// Octal digits, that of word 0 last.
inline constexpr std::uint32_t kGrayRank = 054672310;     // the place of a word in Gray's code
inline constexpr std::uint32_t kEntryCorner = 056633000;  // where the curve enters the sub-cube of that rank
inline constexpr std::uint32_t kDirection = 001122110;    // the axis along which it crosses it

}  // namespace detail

// x, y, z < kKeyCells.
SIMSCOPE_HD inline std::uint64_t hilbertKey(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  std::uint64_t key = 0;
  std::uint32_t entry = 0, turn = 1;  // turn: the direction, plus one
  for (int bit = kLevels - 1; bit >= 0; --bit) {
    const std::uint32_t octant = ((x >> bit) & 1u) | (((y >> bit) & 1u) << 1) | (((z >> bit) & 1u) << 2);
    const std::uint32_t rank = detail::lookUp(detail::kGrayRank, detail::rotated(octant ^ entry, turn));
    key = (key << 3) | rank;
    entry ^= detail::rotated(detail::lookUp(detail::kEntryCorner, rank), 3 - turn);
    turn += detail::lookUp(detail::kDirection, rank) + 1;
    turn = turn > 3 ? turn - 3 : turn;
  }
  return key;
}

// The deepest level at which two keys lie in one cell.
SIMSCOPE_HD inline int sharedLevels(std::uint64_t a, std::uint64_t b) {
  if (a == b) return kLevels;
#if defined(__CUDA_ARCH__)
  const int zeros = __clzll(static_cast<long long>(a ^ b));
#else
  const int zeros = __builtin_clzll(a ^ b);
#endif
  return (zeros - 1) / 3;  // the highest bit of 64 belongs to no level
}

}  // namespace simscope::nbody::tree
