// The past of a run: copies of its state along the way, the way back to any of its steps, and lines that were left.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>
#include <tuple>
#include <utility>

#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

using PastClock = std::chrono::steady_clock;

// Copies on the way are made no more often than this, and never for more than a twentieth of the time.
constexpr PastClock::duration kPastInterval = std::chrono::milliseconds(40);
constexpr int kPastShare = 20;
constexpr PastClock::duration kRoomInterval = std::chrono::seconds(1);

}  // namespace

void Stepper::keepPast(std::optional<std::size_t> bytes) {
  past_bytes_ = bytes;
  makeRoom(0);
}

void Stepper::forgetCopies() {
  while (dropFromLines()) {
  }
  const std::size_t pinned = keeps_origin_ ? 1 : 0;
  while (kept_.size() > pinned) kept_.pop_back();
  spare_.reset();
  room_at_.reset();
}

std::vector<std::int64_t> Stepper::keptSteps() const {
  std::vector<std::int64_t> steps;
  for (const Checkpoint& each : kept_) steps.push_back(each.steps);
  return steps;
}

std::size_t Stepper::keptBytes() const noexcept {
  std::size_t bytes = 0;
  const auto count = [&](const std::deque<Checkpoint>& copies) {
    for (const Checkpoint& each : copies) bytes += each.bytes();
  };
  count(kept_);
  if (present_ && present_->copy) bytes += present_->copy->bytes();
  for (const auto& [id, line] : lines_) {
    count(line.kept);
    if (line.end.copy) bytes += line.end.copy->bytes();
  }
  return bytes;
}

// What is kept is free, but for this purpose.
std::size_t Stepper::keptBudget() const {
  constexpr std::size_t kShare = 8, kMostShare = 2;
  const PastClock::time_point now = PastClock::now();
  if (!room_at_ || now - *room_at_ > kRoomInterval) {
    room_ = simulation_->device()->memoryFree() + keptBytes();
    room_at_ = now;
  }
  if (past_bytes_ && *past_bytes_ > 0) return std::min(*past_bytes_, room_ / kMostShare);
  return std::min(kMostKeptBytes, room_ / kShare);
}

// The memory of one copy waits for the next.
void Stepper::recycle(Checkpoint point) {
  if (!spare_ && past_bytes_ && point.copy.use_count() == 1) spare_ = std::move(point.copy);
}

void Stepper::keep(Checkpoint point) {
  makeRoom(point.bytes());
  if (keptBytes() + point.bytes() > keptBudget()) return;
  const auto later = std::upper_bound(kept_.begin(), kept_.end(), point, [](const Checkpoint& a, const Checkpoint& b) {
    return std::tie(a.steps, a.next_event, a.next_change) < std::tie(b.steps, b.next_event, b.next_change);
  });
  kept_.insert(later, std::move(point));
}

// Drops copies until so many bytes more are within the budget: those of lines that were left first, then where the gap
// that is left is the smallest beside the square root of its distance from where the run stands. So a long past has no
// gap above about twice its length by the number of copies, and what is near has small ones.
void Stepper::makeRoom(std::size_t bytes) {
  const std::size_t budget = keptBudget();
  std::size_t sum = keptBytes() + bytes;
  const auto drop = [&](std::deque<Checkpoint>::iterator which) {
    sum -= std::min(sum, which->bytes());
    recycle(std::move(*which));
    kept_.erase(which);
  };
  while (sum > budget || kept_.size() >= kMostKept) {
    if (sum > budget && dropFromLines()) {
      sum = keptBytes() + bytes;
      continue;
    }
    const std::size_t first = keeps_origin_ ? 1 : 0;
    if (kept_.size() <= first) break;
    const auto here = static_cast<double>(simulation_->steps());
    std::size_t least = kept_.size() - 1;  // the newest, where there is no other
    double least_score = HUGE_VAL;
    for (std::size_t i = first; i + 1 < kept_.size(); ++i) {
      const std::int64_t before = i > 0 ? kept_[i - 1].steps : firstStep();
      const auto gap = static_cast<double>(kept_[i + 1].steps - before);
      const double distance = std::abs(static_cast<double>(kept_[i].steps) - here);
      // Undo goes to where strokes begin.
      const double score = (kept_[i].before_stroke ? 2 : 1) * gap / std::sqrt(distance + 1);
      if (score < least_score) {
        least_score = score;
        least = i;
      }
    }
    drop(kept_.begin() + static_cast<std::ptrdiff_t>(least));
  }
  if (sum > budget && present_) present_->copy.reset();
}

// Of the line that was left first: its copies on the way, then that of its end.
bool Stepper::dropFromLines() {
  for (auto& [id, line] : lines_) {
    if (!line.kept.empty()) {
      recycle(std::move(line.kept.back()));
      line.kept.pop_back();
      return true;
    }
  }
  for (auto& [id, line] : lines_) {
    if (!line.end.copy) continue;
    recycle(std::move(*line.end.copy));
    line.end.copy.reset();
    return true;
  }
  return false;
}

// Of a state that is known to be finite.
void Stepper::keepOnTheWay() {
  if (!past_bytes_) return;
  const PastClock::time_point start = PastClock::now();
  const std::int64_t step = simulation_->steps();
  if (start - past_at_ < std::max(kPastInterval, kPastShare * past_took_)) return;
  if (step == firstStep() && from_reset_) return;
  if (std::any_of(kept_.begin(), kept_.end(), [&](const Checkpoint& each) { return each.steps == step; })) return;
  const std::size_t bytes = simulation_->stateBytes();
  makeRoom(bytes);
  if (keptBytes() + bytes > keptBudget()) return;
  try {
    keep(checkpoint());
  } catch (const OutOfMemory&) {
    spare_.reset();
    room_at_.reset();
  } catch (const std::bad_alloc&) {
    spare_.reset();
  }
  past_at_ = PastClock::now();
  past_took_ = past_at_ - start;
}

// What the user asked for has just been applied.
void Stepper::recordChange(const ParameterSet& applied) {
  changes_.push_back({simulation_->steps(), next_event_, base_, applied});
  next_change_ = changes_.size();
  if (changes_.size() > kMostChanges) forgetOldChanges();
}

// The past begins with a copy from then on.
void Stepper::forgetOldChanges() {
  const std::size_t half = changes_.size() / 2;
  auto first =
      std::find_if(kept_.begin(), kept_.end(), [&](const Checkpoint& each) { return each.next_change >= half; });
  if (first == kept_.end()) {
    try {
      if (finite()) keep(checkpoint());
    } catch (const OutOfMemory&) {
    } catch (const std::bad_alloc&) {
    }
    first = std::find_if(kept_.begin(), kept_.end(), [&](const Checkpoint& each) { return each.next_change >= half; });
  }
  const std::size_t gone = first == kept_.end() ? changes_.size() : first->next_change;
  if (last_good_.next_change < gone) {
    watched_ = watched_ && first != kept_.end();
    last_good_ = watched_ ? *first : Checkpoint();
  }
  kept_.erase(kept_.begin(), first);
  lines_.clear();
  from_reset_ = false;
  keeps_origin_ = !kept_.empty();
  changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(gone));
  for (Checkpoint& each : kept_) each.next_change -= gone;
  last_good_.next_change -= std::min(last_good_.next_change, gone);
  next_change_ -= gone;
}

std::int64_t Stepper::firstStep() const noexcept {
  if (from_reset_) return origin_.steps;
  return kept_.empty() ? simulation_->steps() : std::min(kept_.front().steps, simulation_->steps());
}

std::int64_t Stepper::lastStep() const noexcept {
  return present_ ? present_->steps : simulation_->steps();
}

// The run shall go on otherwise than it did.
void Stepper::leaveAhead() {
  if (!present_) return;
  present_.reset();
  changes_.resize(next_change_);
  forgetFindingsAfter(simulation_->steps());
  const auto ahead = [&](const Checkpoint& each) {
    return each.steps > simulation_->steps() || each.next_event > next_event_ || each.next_change > next_change_;
  };
  while (!kept_.empty() && ahead(kept_.back())) kept_.pop_back();
}

Stepper::Present Stepper::presentHere() {
  Present here{simulation_->steps(), next_event_, next_change_, std::nullopt};
  const std::size_t bytes = simulation_->stateBytes();
  makeRoom(bytes);
  if (keptBytes() + bytes > keptBudget()) return here;
  try {
    here.copy = checkpoint();
  } catch (const OutOfMemory&) {
  } catch (const std::bad_alloc&) {
  }
  return here;
}

void Stepper::arriveAtPresent() {
  if (!present_ || simulation_->steps() < present_->steps || next_event_ < present_->next_event) return;
  if (next_change_ < present_->next_change) return;
  present_.reset();
}

void Stepper::goTo(std::int64_t step) {
  if (replay_ && !replay_->travels) {
    throw UsageError("the run is being replayed; wait for the end of the replay or stop it, then go to another step");
  }
  step = std::clamp(step, firstStep(), lastStep());
  replay_.reset();
  if (!present_) {
    if (step == simulation_->steps()) return;
    arrive();
    present_ = presentHere();
  }
  if (step == present_->steps && present_->copy) {
    const Present arrived = *std::exchange(present_, std::nullopt);
    restore(*arrived.copy);
    beginAt(*arrived.copy);
    return;
  }
  const auto later =
      std::find_if(kept_.begin(), kept_.end(), [&](const Checkpoint& each) { return each.steps > step; });
  const std::int64_t nearest = later == kept_.begin() ? firstStep() : (later - 1)->steps;
  if (simulation_->steps() > step || simulation_->steps() < nearest) {
    const Checkpoint from = later == kept_.begin() ? origin_ : *(later - 1);
    restore(from);
    beginAt(from);
  }
  if (simulation_->steps() == step && arriveSoon()) return arriveAtPresent();
  replay_ = Replay{simulation_->steps(), step, true};
}

std::vector<Stepper::LineId> Stepper::lines() const {
  std::vector<LineId> ids;
  for (const auto& [id, line] : lines_) ids.push_back(id);
  return ids;
}

void Stepper::addLine(LineId id, Line line) {
  std::erase_if(lines_, [id](const auto& each) { return each.first == id; });
  lines_.emplace_back(id, std::move(line));
  if (lines_.size() > kMostLines) lines_.erase(lines_.begin());
}

// Another timeline, alike as far as events have happened.
void Stepper::takeTimeline(Timeline timeline) {
  timeline_ = std::move(timeline);
  sortEvents(events_, looks_, timeline_);
  open_stroke_.reset();
}

void Stepper::branch(LineId keep_as) {
  if (!present_) return;
  const std::int64_t step = replay_ ? replay_->to : simulation_->steps();
  Line left{timeline_, changes_, *std::exchange(present_, std::nullopt), {}, met_};
  forgetFindingsAfter(step);
  while (!kept_.empty() && kept_.back().steps > step) {
    left.kept.push_front(std::move(kept_.back()));
    kept_.pop_back();
  }
  const auto later =
      std::find_if(changes_.begin(), changes_.end(), [&](const Change& each) { return each.step > step; });
  changes_.erase(later, changes_.end());

  // Strokes that had happened there, and what is planned of the same strokes.
  std::vector<bool> cut(timeline_.strokes.size());
  for (std::size_t i = next_event_; i < left.end.next_event; ++i) {
    if (timeline_.at(events_[i]).step > step) cut[events_[i].stroke] = true;
  }
  Timeline timeline = timeline_;
  for (std::size_t i = 0; i < cut.size(); ++i) {
    if (cut[i]) std::erase_if(timeline.strokes[i].events, [&](const Stroke::Event& each) { return each.step > step; });
  }
  std::erase_if(timeline.strokes, [](const Stroke& each) { return each.events.empty(); });
  takeTimeline(std::move(timeline));
  addLine(keep_as, std::move(left));
}

bool Stepper::resume(LineId id, LineId keep_as) {
  const auto found = std::find_if(lines_.begin(), lines_.end(), [id](const auto& each) { return each.first == id; });
  if (found == lines_.end()) return false;
  Line next = std::move(found->second);
  lines_.erase(found);
  replay_.reset();
  Line left{timeline_, changes_, present_ ? *std::exchange(present_, std::nullopt) : presentHere(), {}, met_};

  // What both have in common is kept for either.
  std::vector<Timeline::Place> events, looks;
  sortEvents(events, looks, next.timeline);
  const auto same = [&](Timeline::Place a, Timeline::Place b) { return timeline_.at(a) == next.timeline.at(b); };
  const auto parting = std::mismatch(events_.begin(), events_.end(), events.begin(), events.end(), same);
  const auto change = std::mismatch(changes_.begin(), changes_.end(), next.changes.begin(), next.changes.end());
  const auto common_events = static_cast<std::size_t>(parting.first - events_.begin());
  const auto common_changes = static_cast<std::size_t>(change.first - changes_.begin());
  std::int64_t until = std::min(left.end.steps, next.end.steps);
  if (parting.first != events_.end()) until = std::min(until, timeline_.at(*parting.first).step);
  if (parting.second != events.end()) until = std::min(until, next.timeline.at(*parting.second).step);
  if (change.first != changes_.end()) until = std::min(until, change.first->step);
  if (change.second != next.changes.end()) until = std::min(until, change.second->step);
  const auto shared = [&](const Checkpoint& each) {
    return each.steps <= until && each.next_event <= common_events && each.next_change <= common_changes;
  };
  while (!kept_.empty() && !shared(kept_.back())) {
    left.kept.push_front(std::move(kept_.back()));
    kept_.pop_back();
  }
  // Those that were left where the lines only seemed to part stand behind the last shared one.
  for (Checkpoint& each : next.kept) {
    if (kept_.empty() || kept_.back().steps <= each.steps) kept_.push_back(std::move(each));
  }
  changes_ = std::move(next.changes);
  met_ = std::move(next.met);
  takeTimeline(std::move(next.timeline));
  addLine(keep_as, std::move(left));
  if (next.end.copy) {
    restore(*next.end.copy);
    beginAt(*next.end.copy);
    return true;
  }
  const std::int64_t step = next.end.steps;
  while (!kept_.empty() && kept_.back().steps > step) kept_.pop_back();
  const Checkpoint nearest = kept_.empty() ? origin_ : kept_.back();
  restore(nearest);
  beginAt(nearest);
  present_ = std::move(next.end);
  replay_ = Replay{simulation_->steps(), step, true};
  return true;
}

}  // namespace simscope
