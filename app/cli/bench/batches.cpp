#include "app/cli/bench/batches.h"

#include <algorithm>
#include <cstddef>

namespace simscope::cli {

std::int64_t fullBatch(double seconds, std::int64_t at_once, std::int64_t most, const TimedSteps& timed) {
  std::int64_t batch = at_once;
  const auto warm = [&] {
    const double first = timed(batch);
    return std::min(first, timed(batch));
  };
  for (double taken = warm(); taken < seconds && batch < most; taken = warm()) {
    const auto now = static_cast<double>(batch);
    const auto wanted =
        static_cast<std::int64_t>(std::clamp(1.2 * seconds / std::max(taken, 1e-6) * now, now + 1, 16 * now));
    batch = std::min(most, (wanted + at_once - 1) / at_once * at_once);
  }
  return batch;
}

StepCost costOfBatches(std::int64_t batch, double seconds, const TimedSteps& timed) {
  StepCost cost;
  std::vector<double> each;
  for (double total = 0; total < seconds || each.size() < 5; cost.steps += batch) {
    const double taken = timed(batch);
    total += taken;
    each.push_back(taken / static_cast<double>(batch));
  }
  cost.seconds = median(each);
  return cost;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace simscope::cli
