// The range of the time slider: the past that can be reached, the present, and the preset's end. Plain data; any
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/run/runner.h"

namespace simscope {

struct PastRange {
  std::int64_t first = 0, present = 0;  // the steps that can be reached
  std::int64_t right = 1;               // of the slider: the preset's end, or the present if that is later
  std::optional<std::int64_t> end;      // of the preset, if it lies within

  // 0 at the left, 1 at the right.
  double placeOf(std::int64_t step) const noexcept;
  // The nearest step that can be reached.
  std::int64_t stepAt(double place) const noexcept;
};

PastRange pastRange(const RunnerStatus& status, const std::optional<RunEnd>& end);

// The time of another step, if the time step has not changed in between.
double timeOfStep(const RunnerStatus& status, std::int64_t step);

// What has kept the run's thread busy for long, in words: "computing 10 steps, 3.2 s"; empty: nothing long.
std::string workText(const RunnerStatus& status);

}  // namespace simscope
