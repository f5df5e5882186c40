// Whole arrays on all ranks, of which each rank computes one block: their division, and the exchange of the blocks.
//
// Cuts are size + 1 numbers, ascending, from 0 to the number of elements: rank r computes [cuts[r], cuts[r + 1]), which
// may be empty.
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

// Blocks of nearly equal numbers of units of `unit` elements; the last unit may be incomplete. Pure.
Cuts equalCuts(std::uint64_t count, int ranks, std::uint64_t unit = 1);
// Blocks of nearly equal cost: none costs more than its share of the total plus one element. Pure.
Cuts cutsByCost(std::span<const std::uint32_t> costs, int ranks);

// Each rank's block of `all` reaches all ranks, in about log₂(size) rounds of messages: a rank sends all that it has so
// far, and receives (size - 1)/size of the array. On the host's memory. All ranks call it, with the same cuts. Errors:
// as Ranks.
void gatherBlocks(Ranks& ranks, std::byte* all, std::size_t bytes_of_element, std::span<const std::uint64_t> cuts);
// The same on a device that has ranks, in stream order, and in one round: each rank sends its block to all others.
void gatherBlocksOnDevice(Device& device, void* all, std::size_t bytes_of_element, std::span<const std::uint64_t> cuts);
template <class T>
void gatherBlocks(Ranks& ranks, T* all, std::span<const std::uint64_t> cuts) {
  static_assert(std::is_trivially_copyable_v<T>);
  gatherBlocks(ranks, reinterpret_cast<std::byte*>(all), sizeof(T), cuts);
}

}  // namespace simscope::compute
