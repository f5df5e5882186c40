// The past of a run: copies of its state along the way, the way back to any of its steps, and lines that were left.
#include <algorithm>
#include <chrono>
#include <utility>

#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

using PastClock = std::chrono::steady_clock;

// Copies on the way are made no more often than this, and never for more than a twentieth of the time.
constexpr PastClock::duration kPastInterval = std::chrono::milliseconds(40);
constexpr int kPastShare = 20;

}  // namespace

// Of a state that is known to be finite.
void Stepper::keepOnTheWay() {
  if (!past_.keepsAlong()) return;
  const PastClock::time_point start = PastClock::now();
  const std::int64_t step = simulation_->steps();
  if (start - past_at_ < std::max(kPastInterval, kPastShare * past_took_)) return;
  if (step == firstStep() && past_.from_reset) return;
  if (std::any_of(past_.kept.begin(), past_.kept.end(), [&](const Checkpoint& each) { return each.steps == step; }))
    return;
  if (!past_.makeRoom(simulation_->stateBytes(), *simulation_)) return;
  if (auto here = checkpointIfRoom()) {
    past_.keep(std::move(*here), *simulation_);
  } else {
    past_.forgetMemory();
  }
  past_at_ = PastClock::now();
  past_took_ = past_at_ - start;
}

// What the user asked for has just been applied.
void Stepper::recordChange(const ParameterSet& applied) {
  past_.changes.push_back({simulation_->steps(), schedule_.next_event, base_, applied});
  past_.next_change = past_.changes.size();
  if (past_.changes.size() > kMostChanges) forgetOldChanges();
}

// The past begins with a copy from then on.
void Stepper::forgetOldChanges() {
  const std::size_t half = past_.changes.size() / 2;
  auto first = std::find_if(past_.kept.begin(), past_.kept.end(),
                            [&](const Checkpoint& each) { return each.next_change >= half; });
  if (first == past_.kept.end()) {
    if (auto here = finite() ? checkpointIfRoom() : std::nullopt) past_.keep(std::move(*here), *simulation_);
    first = std::find_if(past_.kept.begin(), past_.kept.end(),
                         [&](const Checkpoint& each) { return each.next_change >= half; });
  }
  const std::size_t gone = first == past_.kept.end() ? past_.changes.size() : first->next_change;
  if (last_good_.next_change < gone) {
    watched_ = watched_ && first != past_.kept.end();
    last_good_ = watched_ ? *first : Checkpoint();
  }
  past_.kept.erase(past_.kept.begin(), first);
  past_.lines.clear();
  past_.from_reset = false;
  past_.keeps_origin = !past_.kept.empty();
  past_.changes.erase(past_.changes.begin(), past_.changes.begin() + static_cast<std::ptrdiff_t>(gone));
  for (Checkpoint& each : past_.kept) each.next_change -= gone;
  last_good_.next_change -= std::min(last_good_.next_change, gone);
  past_.next_change -= gone;
}

// The run shall go on otherwise than it did.
void Stepper::leaveAhead() {
  if (!past_.present) return;
  past_.present.reset();
  past_.changes.resize(past_.next_change);
  met_.forgetAfter(simulation_->steps());
  const auto ahead = [&](const Checkpoint& each) {
    return each.steps > simulation_->steps() || each.next_event > schedule_.next_event ||
           each.next_change > past_.next_change;
  };
  while (!past_.kept.empty() && ahead(past_.kept.back())) past_.kept.pop_back();
}

Past::Present Stepper::presentHere() {
  Past::Present here{simulation_->steps(), schedule_.next_event, past_.next_change, std::nullopt};
  if (!past_.makeRoom(simulation_->stateBytes(), *simulation_)) return here;
  here.copy = checkpointIfRoom();
  return here;
}

void Stepper::arriveAtPresent() {
  if (!past_.present || simulation_->steps() < past_.present->steps || schedule_.next_event < past_.present->next_event)
    return;
  if (past_.next_change < past_.present->next_change) return;
  past_.present.reset();
}

void Stepper::goTo(std::int64_t step) {
  if (replay_ && !replay_->travels) {
    throw UsageError("the run is being replayed; wait for the end of the replay or stop it, then go to another step");
  }
  step = std::clamp(step, firstStep(), lastStep());
  replay_.reset();
  if (!past_.present) {
    if (step == simulation_->steps()) return;
    arrive();
    past_.present = presentHere();
  }
  if (step == past_.present->steps && past_.present->copy) {
    const Past::Present arrived = *std::exchange(past_.present, std::nullopt);
    restore(*arrived.copy);
    beginAt(*arrived.copy);
    return;
  }
  const auto later =
      std::find_if(past_.kept.begin(), past_.kept.end(), [&](const Checkpoint& each) { return each.steps > step; });
  const std::int64_t nearest = later == past_.kept.begin() ? firstStep() : (later - 1)->steps;
  if (simulation_->steps() > step || simulation_->steps() < nearest) {
    const Checkpoint from = later == past_.kept.begin() ? past_.origin : *(later - 1);
    restore(from);
    beginAt(from);
  }
  if (simulation_->steps() == step && arriveSoon()) return arriveAtPresent();
  replay_ = Replay{simulation_->steps(), step, true};
}

void Stepper::branch(LineId keep_as) {
  if (!past_.present) return;
  const std::int64_t step = replay_ ? replay_->to : simulation_->steps();
  Past::Line left{schedule_.timeline, past_.changes, *std::exchange(past_.present, std::nullopt), {}, met_};
  met_.forgetAfter(step);
  while (!past_.kept.empty() && past_.kept.back().steps > step) {
    left.kept.push_front(std::move(past_.kept.back()));
    past_.kept.pop_back();
  }
  const auto later = std::find_if(past_.changes.begin(), past_.changes.end(),
                                  [&](const Past::Change& each) { return each.step > step; });
  past_.changes.erase(later, past_.changes.end());

  // Strokes that had happened there, and what is planned of the same strokes.
  std::vector<bool> cut(schedule_.timeline.strokes.size());
  for (std::size_t i = schedule_.next_event; i < left.end.next_event; ++i) {
    if (schedule_.at(schedule_.events[i]).step > step) cut[schedule_.events[i].stroke] = true;
  }
  Timeline timeline = schedule_.timeline;
  for (std::size_t i = 0; i < cut.size(); ++i) {
    if (cut[i]) std::erase_if(timeline.strokes[i].events, [&](const Stroke::Event& each) { return each.step > step; });
  }
  std::erase_if(timeline.strokes, [](const Stroke& each) { return each.events.empty(); });
  schedule_.replaceBy(Schedule(std::move(timeline), simulation_->description()));
  past_.addLine(keep_as, std::move(left));
}

bool Stepper::resume(LineId id, LineId keep_as) {
  const auto found =
      std::find_if(past_.lines.begin(), past_.lines.end(), [id](const auto& each) { return each.first == id; });
  if (found == past_.lines.end()) return false;
  Past::Line next = std::move(found->second);
  past_.lines.erase(found);
  replay_.reset();
  Past::Line left{schedule_.timeline,
                  past_.changes,
                  past_.present ? *std::exchange(past_.present, std::nullopt) : presentHere(),
                  {},
                  met_};

  // What both have in common is kept for either.
  Schedule other(std::move(next.timeline), simulation_->description());
  const auto same = [&](Timeline::Place a, Timeline::Place b) { return schedule_.at(a) == other.at(b); };
  const auto parting =
      std::mismatch(schedule_.events.begin(), schedule_.events.end(), other.events.begin(), other.events.end(), same);
  const auto change =
      std::mismatch(past_.changes.begin(), past_.changes.end(), next.changes.begin(), next.changes.end());
  const auto common_events = static_cast<std::size_t>(parting.first - schedule_.events.begin());
  const auto common_changes = static_cast<std::size_t>(change.first - past_.changes.begin());
  std::int64_t until = std::min(left.end.steps, next.end.steps);
  if (parting.first != schedule_.events.end()) until = std::min(until, schedule_.at(*parting.first).step);
  if (parting.second != other.events.end()) until = std::min(until, other.at(*parting.second).step);
  if (change.first != past_.changes.end()) until = std::min(until, change.first->step);
  if (change.second != next.changes.end()) until = std::min(until, change.second->step);
  const auto shared = [&](const Checkpoint& each) {
    return each.steps <= until && each.next_event <= common_events && each.next_change <= common_changes;
  };
  while (!past_.kept.empty() && !shared(past_.kept.back())) {
    left.kept.push_front(std::move(past_.kept.back()));
    past_.kept.pop_back();
  }
  // Those that were left where the lines only seemed to part stand behind the last shared one.
  for (Checkpoint& each : next.kept) {
    if (past_.kept.empty() || past_.kept.back().steps <= each.steps) past_.kept.push_back(std::move(each));
  }
  past_.changes = std::move(next.changes);
  met_ = std::move(next.met);
  schedule_.replaceBy(std::move(other));
  past_.addLine(keep_as, std::move(left));
  if (next.end.copy) {
    restore(*next.end.copy);
    beginAt(*next.end.copy);
    return true;
  }
  const std::int64_t step = next.end.steps;
  while (!past_.kept.empty() && past_.kept.back().steps > step) past_.kept.pop_back();
  const Checkpoint nearest = past_.kept.empty() ? past_.origin : past_.kept.back();
  restore(nearest);
  beginAt(nearest);
  past_.present = std::move(next.end);
  replay_ = Replay{simulation_->steps(), step, true};
  return true;
}

}  // namespace simscope
