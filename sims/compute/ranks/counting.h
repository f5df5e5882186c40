// Counts of independent samples over all ranks. Samples are numbered, and each counts by its number alone; sums are of
// whole numbers: the result is the same for any number of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// Adds samples [first, first + count) to `counts`, which all ranks have alike, before and after. `add(counts, first,
// count)` adds some of them. Alone: all of them, at once. Inside Device::run; all ranks call it. Errors: as Ranks and
// `add`; the counts are then of no use, and the ranks end.
template <class Add>
void countOverRanks(Buffer<std::uint64_t>& counts, std::uint64_t first, std::uint64_t count, const Add& add) {
  Ranks* const ranks = counts.device()->ranks();
  if (!ranks) return add(counts, first, count);
  // Rank 0 counts on from what all have, the others from nothing: their sum is what all have next.
  if (!ranks->first()) counts.zero();
  const auto [begin, number] = ranks->share(count);
  if (number > 0) add(counts, first + begin, number);
  std::vector<std::uint64_t> found = counts.toHost();
  ranks->sum(std::span(found));
  counts.upload(found);
}

}  // namespace simscope::compute
