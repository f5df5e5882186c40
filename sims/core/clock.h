// Time at a step, where the time step may change during the run: each change starts a new count, so that the time of a
// step has the same bits for any division into batches.
#pragma once

#include <cstdint>

namespace simscope {

struct Clock {
  double time = 0;        // at `step`
  std::int64_t step = 0;  // of the last change

  double at(std::int64_t steps, double time_step) const noexcept {
    return time + static_cast<double>(steps - step) * time_step;
  }
};

}  // namespace simscope
