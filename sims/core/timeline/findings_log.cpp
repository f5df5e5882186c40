#include "sims/core/timeline/findings_log.h"

#include <algorithm>

namespace simscope {

std::vector<Finding> FindingsLog::record(std::vector<Finding> found, std::int64_t step) {
  const auto holds = [&](const Finding& known) {
    return std::any_of(found.begin(), found.end(), [&](const Finding& each) { return each.code == known.code; });
  };
  // What a change at this very step has cured was not met on the way.
  std::erase_if(
      met_, [&](const Finding& known) { return known.first_step == step && known.last_step == step && !holds(known); });
  std::vector<Finding> over;
  for (Finding& known : met_) {
    if (known.first_step >= step || holds(known)) continue;  // the run may be in its past
    if (known.last_step == step) known.last_step = step - 1;
    over.push_back(known);
    over.back().last_step = std::min(known.last_step, step - 1);
  }
  for (Finding& each : found) {
    // A simulation that remembers what it met says at which step.
    if (each.last_step == 0) each.first_step = each.last_step = step;
    const auto known =
        std::find_if(met_.begin(), met_.end(), [&](const Finding& other) { return other.code == each.code; });
    if (known == met_.end()) {
      met_.push_back(each);
      continue;
    }
    each.first_step = std::min(known->first_step, each.first_step);
    const std::int64_t last = std::max(known->last_step, each.last_step);
    *known = each;
    known->last_step = last;
  }
  found.insert(found.end(), over.begin(), over.end());
  return found;
}

void FindingsLog::forgetAfter(std::int64_t step) {
  std::erase_if(met_, [&](const Finding& each) { return each.first_step > step; });
  for (Finding& each : met_) each.last_step = std::min(each.last_step, step);
}

}  // namespace simscope
