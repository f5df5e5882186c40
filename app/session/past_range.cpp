#include "app/session/past_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sims/core/words.h"

namespace simscope {

double PastRange::placeOf(std::int64_t step) const noexcept {
  const auto length = static_cast<double>(std::max<std::int64_t>(1, right - first));
  return std::clamp(static_cast<double>(step - first) / length, 0.0, 1.0);
}

std::int64_t PastRange::stepAt(double place) const noexcept {
  const auto length = static_cast<double>(right - first);
  const auto step = first + static_cast<std::int64_t>(std::llround(std::clamp(place, 0.0, 1.0) * length));
  return std::clamp(step, first, present);
}

PastRange pastRange(const RunnerStatus& status, const std::optional<RunEnd>& end) {
  PastRange range;
  range.first = status.past.first;
  range.present = std::max(status.past.first, status.past.last);
  range.right = std::max(range.present, range.first + 1);
  if (end && end->step > range.first) {
    range.end = end->step;
    range.right = std::max(range.right, end->step);
  }
  return range;
}

double timeOfStep(const RunnerStatus& status, std::int64_t step) {
  return status.time + static_cast<double>(step - status.steps) * status.time_step;
}

std::string workText(const RunnerStatus& status) {
  constexpr double kLong = 0.4;  // s
  if (status.replay && status.replay->travels && status.replay->step != status.replay->to) {
    return fmt::format("computing step {} of {}", status.replay->step, status.replay->to);
  }
  if (status.work.kind == RunnerStatus::Work::None || !(status.work.seconds > kLong)) return {};
  if (status.work.kind == RunnerStatus::Work::Command) return fmt::format("preparing, {:.1f} s", status.work.seconds);
  return fmt::format("computing {}, {:.1f} s", counted(status.work.steps, "step"), status.work.seconds);
}

}  // namespace simscope
