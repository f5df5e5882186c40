// What a slider of time shows: the past that can be gone to, the present, and the preset's end. Plain data; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/run/runner.h"

namespace simscope {

struct PastRange {
  std::int64_t first = 0, present = 0;  // what can be gone to
  std::int64_t right = 1;               // of the slider: the preset's end, or the present if that is later
  std::optional<std::int64_t> end;      // of the preset, where it lies within

  // 0 at the left, 1 at the right.
  double placeOf(std::int64_t step) const noexcept;
  // The nearest step that can be gone to.
  std::int64_t stepAt(double place) const noexcept;
};

PastRange pastRange(const RunnerStatus& status, const std::optional<RunEnd>& end);

// The time of another step, as far as the time step has stayed the same.
double timeOfStep(const RunnerStatus& status, std::int64_t step);

// What the run's thread has been at for long, in words: "computing 10 steps, 3.2 s"; empty: nothing that takes long.
std::string workText(const RunnerStatus& status);

}  // namespace simscope
