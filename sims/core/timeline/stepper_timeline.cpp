// How a run follows its timeline, and goes back where that changes.
#include <algorithm>
#include <chrono>
#include <utility>

#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(50);
constexpr std::size_t kManyEvents = 64;  // of one step

}  // namespace

// As the timeline has put them by the present step.
void Stepper::placeObservers() {
  values_fresh_ = false;
  schedule_.next_look = 0;
  simulation_->device()->run([&] {
    simulation_->setObservers(first_observers_.placed);
    for (; schedule_.next_look < schedule_.looks.size(); ++schedule_.next_look) {
      const Stroke::Event& event = schedule_.at(schedule_.looks[schedule_.next_look]);
      if (event.step > simulation_->steps()) break;
      if (event.step > first_observers_.step) simulation_->poke(event.brush);
    }
  });
}

// Since they were looked at last.
bool Stepper::keyframePassed() const {
  const double now = simulation_->time();
  return std::any_of(schedule_.timeline.tracks.begin(), schedule_.timeline.tracks.end(), [&](const Track& track) {
    return std::any_of(track.keyframes.begin(), track.keyframes.end(),
                       [&](const Keyframe& each) { return each.time > keyframes_until_ && each.time <= now; });
  });
}

// What happens at the present step: once, however often it is called.
void Stepper::arrive() {
  while (!arriveSoon()) {
  }
}

// The same for kPatience at most. False: something is left. Where it stops changes no bit: what happens keeps its
// order.
bool Stepper::arriveSoon() {
  constexpr std::size_t kFewEvents = 16;  // that are made without a look at the clock
  const std::int64_t step = simulation_->steps();
  if (!schedule_.timeline.tracks.empty() && step % schedule_.timeline.track_interval == 0 && tracked_at_ != step) {
    // Before and after: the state may have become wrong by the values that end here, or by those that begin.
    look_due_ = look_due_ || keyframePassed();
    if (look_due_ && finds_) look();
    configureInPlace(schedule_.timeline.parametersAt(base_, simulation_->time()));
    tracked_at_ = step;
  }
  if (tracked_at_ == step) {
    look_due_ = look_due_ || keyframePassed();
    keyframes_until_ = std::max(keyframes_until_, simulation_->time());
  }
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t made = 0;;) {
    if (past_.next_change < past_.changes.size() && past_.changes[past_.next_change].step <= step &&
        past_.changes[past_.next_change].next_event <= schedule_.next_event) {
      Past::Change& change = past_.changes[past_.next_change++];
      base_ = change.base;
      if (change.as_tracked) change.applied = withTracked(base_, simulation_->parameters());
      change.as_tracked = false;
      configureInPlace(change.applied);
    } else if (eventsDue() > 0) {
      if (made++ >= kFewEvents && std::chrono::steady_clock::now() - start > kPatience) return false;
      const Timeline::Place place = schedule_.events[schedule_.next_event];
      // From a copy at the same step the few strokes since are soon made again.
      const bool near = !past_.kept.empty() && past_.kept.back().steps == step &&
                        past_.kept.back().next_event < schedule_.next_event &&
                        schedule_.next_event - past_.kept.back().next_event < kFewEvents;
      if (place.event == 0 && !near) keepForUndo();
      values_fresh_ = false;
      simulation_->device()->run([&] { simulation_->poke(schedule_.at(place).brush); });
      ++schedule_.next_event;
      if (place.event + 1 == schedule_.timeline.strokes[place.stroke].events.size()) look_due_ = true;
    } else {
      break;
    }
  }
  for (;
       schedule_.next_look < schedule_.looks.size() && schedule_.at(schedule_.looks[schedule_.next_look]).step <= step;
       ++schedule_.next_look) {
    values_fresh_ = false;
    simulation_->device()->run([&] { simulation_->poke(schedule_.at(schedule_.looks[schedule_.next_look]).brush); });
  }
  return true;
}

void Stepper::catchUp() {
  if (replay_ || arriveSoon()) return;
  replay_ = Replay{simulation_->steps(), simulation_->steps()};
}

// The next step, no later than `step`, at which something happens.
std::int64_t Stepper::nextStop(std::int64_t step) const {
  if (past_.next_change < past_.changes.size()) step = std::min(step, past_.changes[past_.next_change].step);
  return schedule_.nextStop(simulation_->steps(), step);
}

bool Stepper::poke(const Brush& brush) {
  if (replay_)
    throw UsageError("the run is being replayed; wait for the end of the replay or stop it, then draw again");
  leaveAhead();
  arrive();
  if (schedule_.events.size() + schedule_.looks.size() >= Timeline::kMostEvents) {
    throw UsageError("the run has " + std::to_string(Timeline::kMostEvents) +
                     " mouse events, the most that are allowed; remove strokes");
  }
  const std::int64_t step = simulation_->steps();
  const bool looks = observes(simulation_->description(), brush.tool);
  Stroke::Event event{step, brush};
  event.brush.begins = !schedule_.continuesStroke(brush, step, looks);
  if (event.brush.begins && !looks) keepForUndo();
  bool changed = false;
  simulation_->device()->run([&] { changed = simulation_->poke(event.brush); });
  if (!changed) return false;
  values_fresh_ = false;
  schedule_.add(std::move(event), looks);
  return true;
}

// Copies the state before a stroke, so that the run can go back to it.
void Stepper::keepForUndo() {
  if (simulation_->device()->ranks()) return;  // whose memories differ: ranks never go back
  for (const Checkpoint& each : past_.kept) {
    if (each.next_event == schedule_.next_event && each.steps == simulation_->steps()) return;
  }
  // Before a stroke that did nothing.
  if (!past_.kept.empty() && past_.kept.back().before_stroke && past_.kept.back().next_event == schedule_.next_event) {
    past_.recycle(std::move(past_.kept.back()));
    past_.kept.pop_back();
  }
  // A replay passes strokes whose copies were dropped.
  if (!past_.kept.empty() && past_.kept.back().next_event > schedule_.next_event) return;
  if (simulation_->stateBytes() > past_.budget(*simulation_)) return;
  if (!finite()) return;  // no state to go back to, nor one that can be loaded
  std::optional<Checkpoint> here = checkpointIfRoom();
  if (!here) return;
  here->before_stroke = true;
  past_.keep(std::move(*here), *simulation_);
  watched_ = watched_ && simulation_->stateBytes() <= kWatchedBytes;
}

void Stepper::setTimeline(Timeline timeline) {
  changeTimeline(std::move(timeline));
  while (advanceReplay()) {
  }
}

void Stepper::changeTimeline(Timeline timeline) {
  timeline.check(simulation_->description());
  if (!replay_) leaveAhead();
  Schedule next(std::move(timeline), simulation_->description());
  const auto same = [&](Timeline::Place a, Timeline::Place b) { return schedule_.at(a) == next.at(b); };
  const auto parting =
      std::mismatch(schedule_.events.begin(), schedule_.events.end(), next.events.begin(), next.events.end(), same);
  const auto mine = parting.first, theirs = parting.second;  // lambdas of clang before 16 take no structured bindings
  const auto common = static_cast<std::size_t>(mine - schedule_.events.begin());
  // The first step that a run at `step`, to which so many events have happened, was told otherwise.
  const auto differenceFor = [&](std::int64_t step, std::size_t happened) {
    std::optional<std::int64_t> first;
    const auto differs = [&](std::int64_t at) { first = std::min(at, first.value_or(at)); };
    if (common < happened) differs(schedule_.at(*mine).step);
    if (theirs != next.events.end() && (common < happened || next.at(*theirs).step < step)) {
      differs(next.at(*theirs).step);
    }
    return first;
  };
  std::optional<std::int64_t> from = differenceFor(simulation_->steps(), schedule_.next_event);
  if (!schedule_.timeline.tracksAgreeUntil(simulation_->time(), next.timeline, base_)) from = 0;
  if (replay_) {
    replay_->to = differenceFor(replay_->to, schedule_.eventsUntil(replay_->to)).value_or(replay_->to);
  }

  // Told otherwise of a time before the state that was loaded, the run takes nothing of it for granted.
  const auto [look, other_look] =
      std::mismatch(schedule_.looks.begin(), schedule_.looks.end(), next.looks.begin(), next.looks.end(), same);
  const bool one_less = look != schedule_.looks.end(), one_more = other_look != next.looks.end();
  const bool other_looks = one_less || one_more;
  if ((one_less && schedule_.at(*look).step <= first_observers_.step) ||
      (one_more && next.at(*other_look).step <= first_observers_.step)) {
    first_observers_ = {};
  }

  schedule_.replaceBy(std::move(next));
  if (from) return goBackTo(*from, common);
  if (other_looks) placeObservers();
  catchUp();
}

// Restores what is nearest; the steps from there are advanceReplay()'s. Parameters are what they were on the way, and
// at its end those that the user has now.
void Stepper::goBackTo(std::int64_t step, std::size_t common_events) {
  const ParameterSet wanted = past_.next_change < past_.changes.size() ? past_.changes.back().base : base_;
  const auto usable = [&](const Checkpoint& each) { return each.steps <= step && each.next_event <= common_events; };
  while (!past_.kept.empty() && !usable(past_.kept.back())) {
    past_.recycle(std::move(past_.kept.back()));
    past_.kept.pop_back();
  }
  past_.present.reset();
  met_.forgetAfter(step - 1);
  if (step == 0 || (past_.kept.empty() && !past_.from_reset)) {
    base_ = wanted;
    replay_.reset();
    past_.changes.clear();
    past_.next_change = 0;
    reset(simulation_->seed());
    replay_.reset();
  } else {
    const auto later = std::find_if(past_.changes.begin(), past_.changes.end(), [&](const Past::Change& each) {
      return each.step > step || each.next_event > common_events;
    });
    past_.changes.erase(later, past_.changes.end());
    const Checkpoint nearest = past_.kept.empty() ? past_.origin : past_.kept.back();
    restore(nearest);
    watched_ = nearest.copy ? nearest.bytes() <= kWatchedBytes : simulation_->stateBytes() <= kWatchedBytes;
    beginAt(nearest);
    const ParameterSet& last = past_.changes.empty() ? past_.origin.base : past_.changes.back().base;
    const bool known = !past_.changes.empty() || past_.from_reset;
    if (!known || !(last == wanted)) past_.changes.push_back({step, common_events, wanted, wanted, true});
  }
  replay_ = Replay{simulation_->steps(), step};
}

bool Stepper::advanceReplay() {
  if (!replay_) return false;
  if (!arriveSoon()) return true;
  const std::int64_t to = replay_->to, now = simulation_->steps();
  if (now < to) {
    const std::int64_t interval = schedule_.timeline.track_interval;
    const std::int64_t frame = now - now % interval;
    const std::int64_t batch_end = now + batch() - (now - frame) % batch();
    std::int64_t until = std::min({to, frame + interval, batch_end});
    // A step with many strokes is gone to by itself, so that they can be made in pieces.
    if (schedule_.next_event + kManyEvents < schedule_.events.size()) {
      const std::int64_t first = schedule_.at(schedule_.events[schedule_.next_event]).step;
      if (schedule_.at(schedule_.events[schedule_.next_event + kManyEvents]).step == first)
        until = std::min(until, first);
    }
    advanceTo(until);
  }
  if (!arriveSoon() || simulation_->steps() < to) return true;
  arriveAtPresent();
  endReplay();
  return false;
}

const ParameterSet& Stepper::asked() const noexcept {
  return replay_ && !past_.present && past_.next_change < past_.changes.size() ? past_.changes.back().base : base_;
}

void Stepper::endReplay() {
  if (!replay_) return;
  const ParameterSet wanted = asked();
  replay_.reset();
  if (past_.present || past_.next_change == past_.changes.size()) return;
  past_.changes.resize(past_.next_change);  // left on the way, it has the parameters that it would have had at its end
  configure(wanted);
}

}  // namespace simscope
