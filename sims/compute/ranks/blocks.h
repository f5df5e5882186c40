// Arrays that all ranks have whole, and of which each makes one block: where they are cut, and how everybody gets the
// blocks of the others.
//
// Cuts are size + 1 numbers, ascending, from 0 to the number of elements: rank r makes [cuts[r], cuts[r + 1]), which
// may be none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

using Cuts = std::vector<std::uint64_t>;

// Blocks of as many units of `unit` elements as can be; the last unit may be a part of one. Pure.
Cuts equalCuts(std::uint64_t count, int ranks, std::uint64_t unit = 1);
// Blocks that cost the same, as far as whole elements can: none costs more than its part of all and one element. Pure.
Cuts cutsByCost(std::span<const std::uint32_t> costs, int ranks);

// Each rank's block of `all` reaches all ranks, in about log₂(size) rounds of messages: a rank passes on what it has so
// far, and receives (size - 1)/size of the array. On the host's memory. All ranks call it, with the same cuts. Errors:
// as Ranks.
void gatherBlocks(Ranks& ranks, std::byte* all, std::size_t bytes_of_element, std::span<const std::uint64_t> cuts);
// The same on a device that has ranks, in stream order, and at once: each rank sends its block to all the others.
void gatherBlocksOnDevice(Device& device, void* all, std::size_t bytes_of_element, std::span<const std::uint64_t> cuts);
template <class T>
void gatherBlocks(Ranks& ranks, T* all, std::span<const std::uint64_t> cuts) {
  static_assert(std::is_trivially_copyable_v<T>);
  gatherBlocks(ranks, reinterpret_cast<std::byte*>(all), sizeof(T), cuts);
}

}  // namespace simscope::compute
