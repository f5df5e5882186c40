// The cost of a step, measured in batches of steps. Thread: any. Errors: those of `timed`.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace simscope::cli {

using TimedSteps = std::function<double(std::int64_t steps)>;  // makes them; seconds

// A number of steps, a multiple of `at_once`, that takes `seconds`, or `most`. Warms up: each length is made twice,
// because the first call of a length includes compiled kernels and plans.
std::int64_t fullBatch(double seconds, std::int64_t at_once, std::int64_t most, const TimedSteps& timed);

struct StepCost {
  double seconds = 0;      // of a step, median of batches
  std::int64_t steps = 0;  // of those batches, all together
};
// Of batches that take so long together, at least five.
StepCost costOfBatches(std::int64_t batch, double seconds, const TimedSteps& timed);

// The upper of the two middle values for an even count; 0 if there are none.
double median(std::vector<double> values);

}  // namespace simscope::cli
