// The runs of a sweep over ranks: every rank makes some of them, and rank 0 gets what they gave.
#pragma once

#include <cstddef>
#include <vector>

#include "app/sweep/runner.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::sweep {

// Those that this rank makes: every so many-th one, for neighbours often take equally long. Null: all.
std::vector<std::size_t> ownRuns(std::size_t runs, const compute::Ranks* ranks);

// All ranks call it, with the runs that they have made. Rank 0 then has all of them, to the bit, and what is counted of
// the batches; elsewhere `result` stays as it is. Errors: as compute::Ranks.
void gatherRuns(compute::Ranks& ranks, Result& result);

}  // namespace simscope::sweep
