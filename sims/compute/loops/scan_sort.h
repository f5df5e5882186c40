// Running sums and stable sorts of device memory: CUB's on CUDA, oneTBB's on the CPU.
//
//   exclusiveScan(device, values, sums, n, scratch)   sums[i] becomes values[0] + … + values[i - 1],
//   inclusiveScan(device, values, sums, n, scratch)   values[0] + … + values[i]; `sums` may be `values`.
//   sortPairs(device, pairs, n, bits, scratch)        pairs by ascending key; pairs of equal keys stay in their order.
//
// Of whole numbers, so that the result is exact: the same on both backends and for any number of threads. T is
// std::uint32_t or std::uint64_t, and sums wrap around at its end. Keys are std::uint8_t, std::uint32_t, or
// std::uint64_t, all below 2^bits (the fewer bits, the faster; 0: all that the type has); values are std::uint32_t,
// such as the places of the other data to sort.
//
// Owner: the caller owns all arrays, in device memory, n elements each, and the scratch memory, which must have at
// least the bytes that scanScratchBytes or sortScratchBytes say and may serve the next call at once. Thread: as Device;
// enqueued on its stream, nothing is allocated on CUDA; the CPU is done when the call returns. Errors: UsageError for
// more than 2^31 - 1 elements, bits that the key does not have, or too little scratch memory; nothing has changed then.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/device.h"

namespace simscope::compute {

struct Scratch {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

// For up to n elements. The second form needs no device: exact for the CPU, approximate for CUDA.
template <class T>
std::size_t scanScratchBytes(Device& device, std::size_t n);
template <class T>
std::size_t scanScratchBytes(Backend backend, std::size_t n);

template <class T>
void exclusiveScan(Device& device, const T* values, T* sums, std::size_t n, const Scratch& scratch);
template <class T>
void inclusiveScan(Device& device, const T* values, T* sums, std::size_t n, const Scratch& scratch);

// CUDA sorts back and forth between `keys` and `other_keys`, and likewise the values: sortPairs exchanges the pointers
// if the result is in the other arrays. The content of the other arrays is lost in either case. The CPU ignores them.
template <class Key>
struct Pairs {
  Key* keys = nullptr;
  std::uint32_t* values = nullptr;
  Key* other_keys = nullptr;
  std::uint32_t* other_values = nullptr;
};

template <class Key>
std::size_t sortScratchBytes(Device& device, std::size_t n);
template <class Key>
std::size_t sortScratchBytes(Backend backend, std::size_t n);

template <class Key>
void sortPairs(Device& device, Pairs<Key>& pairs, std::size_t n, int bits, const Scratch& scratch);

}  // namespace simscope::compute
