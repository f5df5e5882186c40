// Counts of independent samples over all ranks. A sample depends only on its number, and sums are of integers, so that
// the result is the same for any number of ranks.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

// Adds samples [first, first + count) to `counts`, which are equal on all ranks, before and after. `add(counts, first,
// count)` adds some of them, in a single process all at once. Inside Device::run; all ranks call it. Errors: as Ranks
// and `add`; the counts are then invalid, and the ranks end.
template <class Add>
void countOverRanks(Buffer<std::uint64_t>& counts, std::uint64_t first, std::uint64_t count, const Add& add) {
  Ranks* const ranks = counts.device()->ranks();
  if (!ranks) return add(counts, first, count);
  // Rank 0 continues from the common counts, the others from zero: the sum is the new common counts.
  if (!ranks->first()) counts.zero();
  const auto [begin, number] = ranks->share(count);
  if (number > 0) add(counts, first + begin, number);
  std::vector<std::uint64_t> found = counts.toHost();
  ranks->sum(std::span(found));
  counts.upload(found);
}

}  // namespace simscope::compute
