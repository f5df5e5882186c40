// Counts of independent samples over all ranks. Samples are numbered, and each counts by its number alone; sums are of
// whole numbers: the result is the same for any number of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// Adds samples [first, first + count) to `counts`, which all ranks have alike, before and after. `add(own, first,
// count)` adds some of them to a buffer of the same size on the same device. Alone: all of them, at once. On the host's
// memory and inside Device::run, as Ranks; all ranks call it.
template <class Add>
void countOverRanks(Buffer<std::uint64_t>& counts, std::uint64_t first, std::uint64_t count, const Add& add) {
  Ranks* const ranks = counts.device()->ranks();
  if (!ranks) return add(counts, first, count);
  Buffer<std::uint64_t> own(counts.device(), counts.size());
  own.zero();
  const auto [begin, number] = ranks->share(count);
  if (number > 0) add(own, first + begin, number);
  std::vector<std::uint64_t> found = own.toHost();
  ranks->sum(std::span(found));
  const std::vector<std::uint64_t> before = counts.toHost();
  for (std::size_t i = 0; i < found.size(); ++i) found[i] += before[i];
  counts.upload(found);
}

}  // namespace simscope::compute
