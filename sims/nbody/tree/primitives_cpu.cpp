#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <array>

#include "sims/nbody/tree/primitives.h"

namespace simscope::nbody::tree {
namespace {

struct Pair {
  std::uint64_t key;
  std::uint32_t index;
  bool operator<(const Pair& other) const { return key != other.key ? key < other.key : index < other.index; }
};

}  // namespace

void sortBodiesOnCpu(compute::Device& device, Arrays& a) {
  auto* const pairs = static_cast<Pair*>(a.scratch);
  const std::size_t n = static_cast<std::size_t>(a.n);
  const auto all = [n](const auto& body) {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, 4096), [&](const auto& range) {
      for (std::size_t i = range.begin(); i < range.end(); ++i) body(i);
    });
  };
  device.run([&] {
    all([&](std::size_t i) { pairs[i] = {a.keys[i], a.index[i]}; });
    tbb::parallel_sort(pairs, pairs + n);
    all([&](std::size_t i) {
      a.keys[i] = pairs[i].key;
      a.index[i] = pairs[i].index;
    });
  });
  device.countLaunches();
}

void sumCellsOnCpu(const Arrays& a) {
  std::uint32_t sum = 0;
  for (int i = 0; i < a.n; ++i) {
    a.first_cell[i] = sum;
    sum += a.starting[i];
  }
}

void sortCellsOnCpu(const Arrays& a) {
  const std::uint32_t cells = a.frame->cells;
  std::array<std::uint32_t, kLevels + 2> next{};
  for (std::uint32_t cell = 0; cell < cells; ++cell) ++next[a.level[cell] + 1];
  for (std::size_t level = 1; level < next.size(); ++level) next[level] += next[level - 1];
  for (std::uint32_t cell = 0; cell < cells; ++cell) {
    const std::uint32_t to = next[a.level[cell]]++;
    a.sorted_level[to] = a.level[cell];
    a.order[to] = a.place[cell];
  }
}

std::size_t scratchBytes(compute::Backend backend, int n) {
  const std::size_t bodies = static_cast<std::size_t>(n);
  if (backend == compute::Backend::Cpu) return bodies * sizeof(Pair);
  return bodies + (std::size_t{1} << 20);  // CUB's tables, some words for every tile of bodies
}

}  // namespace simscope::nbody::tree
