// What a run has met on its way: the findings of its present step, and those that no longer hold. Plain data.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/core/description.h"

namespace simscope {

class FindingsLog {
 public:
  // Records what was found at this step. Returns it, followed by those that were met on the way and no longer hold
  // (Finding::last_step).
  std::vector<Finding> record(std::vector<Finding> found, std::int64_t step);
  // The run goes on otherwise than it did.
  void forgetAfter(std::int64_t step);
  void clear() { met_.clear(); }

 private:
  std::vector<Finding> met_;  // by code: the newest of its kind
};

}  // namespace simscope
