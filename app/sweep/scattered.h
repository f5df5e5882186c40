// The runs of a sweep over ranks: every rank computes some of them, and rank 0 gets the results.
#pragma once

#include <cstddef>
#include <vector>

#include "app/sweep/runner.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::sweep {

// The runs of this rank: every n-th one for n ranks, since neighbours often take equally long. Null: all.
std::vector<std::size_t> ownRuns(std::size_t runs, const compute::Ranks* ranks);

// All ranks call it with their finished runs. Rank 0 then has all of them, with the same bits, and the batch counts; on
// other ranks `result` is unchanged. Errors: as compute::Ranks.
void gatherRuns(compute::Ranks& ranks, Result& result);

}  // namespace simscope::sweep
