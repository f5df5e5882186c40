#include "sims/core/timeline/past.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace simscope {
namespace {

using Clock = std::chrono::steady_clock;
constexpr Clock::duration kRoomInterval = std::chrono::seconds(1);

}  // namespace

void Past::clear() {
  kept.clear();
  lines.clear();
  present.reset();
  changes.clear();
  next_change = 0;
  keeps_origin = false;
}

std::int64_t Past::firstStep(const Simulation& run) const noexcept {
  if (from_reset) return origin.steps;
  return kept.empty() ? run.steps() : std::min(kept.front().steps, run.steps());
}

std::int64_t Past::lastStep(const Simulation& run) const noexcept {
  return present ? present->steps : run.steps();
}

std::vector<std::int64_t> Past::keptSteps() const {
  std::vector<std::int64_t> steps;
  for (const Checkpoint& each : kept) steps.push_back(each.steps);
  return steps;
}

std::vector<Past::LineId> Past::lineIds() const {
  std::vector<LineId> ids;
  for (const auto& [id, line] : lines) ids.push_back(id);
  return ids;
}

void Past::addLine(LineId id, Line line) {
  std::erase_if(lines, [id](const auto& each) { return each.first == id; });
  lines.emplace_back(id, std::move(line));
  if (lines.size() > kMostLines) lines.erase(lines.begin());
}

void Past::keepAlong(std::optional<std::size_t> bytes, const Simulation& run) {
  limit_ = bytes;
  makeRoom(0, run);
}

std::size_t Past::bytes() const noexcept {
  std::size_t sum = 0;
  const auto count = [&](const std::deque<Checkpoint>& copies) {
    for (const Checkpoint& each : copies) sum += each.bytes();
  };
  count(kept);
  if (present && present->copy) sum += present->copy->bytes();
  for (const auto& [id, line] : lines) {
    count(line.kept);
    if (line.end.copy) sum += line.end.copy->bytes();
  }
  return sum;
}

// What is kept is free, but for this purpose.
std::size_t Past::budget(const Simulation& run) const {
  constexpr std::size_t kShare = 8, kMostShare = 2;
  const Clock::time_point now = Clock::now();
  if (!room_at_ || now - *room_at_ > kRoomInterval) {
    room_ = run.device()->memoryFree() + bytes();
    room_at_ = now;
  }
  if (limit_ && *limit_ > 0) return std::min(*limit_, room_ / kMostShare);
  return std::min(kMostKeptBytes, room_ / kShare);
}

void Past::recycle(Checkpoint point) {
  if (!spare_ && limit_ && point.copy.use_count() == 1) spare_ = std::move(point.copy);
}

std::shared_ptr<KeptState> Past::takeMemory() {
  return spare_ ? std::exchange(spare_, nullptr) : std::make_shared<KeptState>();
}

void Past::forgetMemory() {
  spare_.reset();
  room_at_.reset();
}

void Past::forgetCopies() {
  while (dropFromLines()) {
  }
  const std::size_t pinned = keeps_origin ? 1 : 0;
  while (kept.size() > pinned) kept.pop_back();
  forgetMemory();
}

void Past::keep(Checkpoint point, const Simulation& run) {
  if (!makeRoom(point.bytes(), run)) return;
  const auto later = std::upper_bound(kept.begin(), kept.end(), point, [](const Checkpoint& a, const Checkpoint& b) {
    return std::tie(a.steps, a.next_event, a.next_change) < std::tie(b.steps, b.next_event, b.next_change);
  });
  kept.insert(later, std::move(point));
}

// Copies of lines that were left go first, then those where the gap that is left is the smallest beside the square root
// of its distance from where the run stands. So a long past has no gap above about twice its length by the number of
// copies, and what is near has small ones.
bool Past::makeRoom(std::size_t more, const Simulation& run) {
  const std::size_t most = budget(run);
  std::size_t sum = bytes() + more;
  const auto drop = [&](std::deque<Checkpoint>::iterator which) {
    sum -= std::min(sum, which->bytes());
    recycle(std::move(*which));
    kept.erase(which);
  };
  while (sum > most || kept.size() >= kMostKept) {
    if (sum > most && dropFromLines()) {
      sum = bytes() + more;
      continue;
    }
    const std::size_t first = keeps_origin ? 1 : 0;
    if (kept.size() <= first) break;
    const auto here = static_cast<double>(run.steps());
    std::size_t least = kept.size() - 1;  // the newest, where there is no other
    double least_score = HUGE_VAL;
    for (std::size_t i = first; i + 1 < kept.size(); ++i) {
      const std::int64_t before = i > 0 ? kept[i - 1].steps : firstStep(run);
      const auto gap = static_cast<double>(kept[i + 1].steps - before);
      const double distance = std::abs(static_cast<double>(kept[i].steps) - here);
      // Undo goes to where strokes begin.
      const double score = (kept[i].before_stroke ? 2 : 1) * gap / std::sqrt(distance + 1);
      if (score < least_score) {
        least_score = score;
        least = i;
      }
    }
    drop(kept.begin() + static_cast<std::ptrdiff_t>(least));
  }
  if (sum > most && present) present->copy.reset();
  return bytes() + more <= budget(run);
}

// Of the line that was left first: its copies on the way, then that of its end.
bool Past::dropFromLines() {
  for (auto& [id, line] : lines) {
    if (!line.kept.empty()) {
      recycle(std::move(line.kept.back()));
      line.kept.pop_back();
      return true;
    }
  }
  for (auto& [id, line] : lines) {
    if (!line.end.copy) continue;
    recycle(std::move(*line.end.copy));
    line.end.copy.reset();
    return true;
  }
  return false;
}

}  // namespace simscope
