#include "sims/nbody/tree/arrays.h"

#include <algorithm>

namespace simscope::nbody::tree {

Arrays arraysIn(void* memory, compute::Backend backend, int n, std::size_t scratch_bytes, std::size_t& bytes) {
  constexpr std::size_t kAlignment = 256;
  bytes = 0;
  const auto carve = [&]<class T>(T*& array, std::size_t count) {
    if (memory) array = reinterpret_cast<T*>(static_cast<unsigned char*>(memory) + bytes);
    bytes += (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
  };
  const std::size_t bodies = static_cast<std::size_t>(n), cells = cellCapacity(n);
  Arrays a{};
  a.n = n;
  a.capacity = static_cast<std::uint32_t>(cells);
  carve(a.bounds, 1);
  carve(a.spread, 1);
  carve(a.frame, 1);
  carve(a.interactions, 1);
  carve(a.keys, bodies);
  carve(a.index, bodies);
  if (backend == compute::Backend::Cuda) {
    carve(a.other_keys, bodies);
    carve(a.other_index, bodies);
  }
  carve(a.bodies, bodies);
  carve(a.crowd, bodies);
  carve(a.starting, bodies);
  carve(a.first_cell, bodies);
  a.group_begin = a.starting;
  a.group_end = a.first_cell;
  for (std::uint8_t** array : {&a.level, &a.sorted_level}) carve(*array, cells);
  for (std::uint32_t** array : {&a.begin, &a.place, &a.order}) carve(*array, cells);
  carve(a.link, cells);
  carve(a.cells, cells);
  carve(a.low, cells);
  carve(a.high, cells);
  unsigned char* scratch = nullptr;
  carve(scratch, scratch_bytes);
  a.scratch = scratch;
  a.scratch_bytes = scratch_bytes;
  return a;
}

}  // namespace simscope::nbody::tree
