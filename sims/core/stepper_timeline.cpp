// How a run follows its timeline, and goes back where that changes.
#include <algorithm>
#include <new>
#include <utility>

#include "sims/core/stepper.h"

namespace simscope {

// What happens at the present step: once, however often it is called.
void Stepper::arrive() {
  const std::int64_t step = simulation_->steps();
  if (!timeline_.tracks.empty() && step % timeline_.track_interval == 0 && tracked_at_ != step) {
    configureInPlace(timeline_.parametersAt(base_, simulation_->time()));
    tracked_at_ = step;
  }
  for (;;) {
    if (next_change_ < changes_.size() && changes_[next_change_].step <= step &&
        changes_[next_change_].next_event <= next_event_) {
      const Change& change = changes_[next_change_++];
      base_ = change.base;
      configureInPlace(change.applied);
    } else if (next_event_ < events_.size() && timeline_.at(events_[next_event_]).step <= step) {
      const Timeline::Place place = events_[next_event_];
      if (place.event == 0) keepForUndo();
      values_fresh_ = false;
      simulation_->device()->run([&] { simulation_->poke(timeline_.at(place).brush); });
      ++next_event_;
    } else {
      return;
    }
  }
}

// The next step, no later than `step`, at which something happens.
std::int64_t Stepper::nextStop(std::int64_t step) const {
  if (next_event_ < events_.size()) step = std::min(step, timeline_.at(events_[next_event_]).step);
  if (next_change_ < changes_.size()) step = std::min(step, changes_[next_change_].step);
  if (timeline_.tracks.empty()) return step;
  const std::int64_t interval = timeline_.track_interval;
  return std::min(step, (simulation_->steps() / interval + 1) * interval);
}

bool Stepper::poke(const Brush& brush) {
  arrive();
  if (events_.size() >= Timeline::kMostEvents) {
    throw UsageError("the run holds " + std::to_string(Timeline::kMostEvents) +
                     " events of the mouse, and takes no more; remove strokes");
  }
  const std::int64_t step = simulation_->steps();
  // Within a step the events of later strokes come later; one that has happened here already ends the stroke before it.
  const auto overtaken = [&] {
    if (next_event_ == 0) return false;
    const Timeline::Place last = events_[next_event_ - 1];
    return last.stroke > *open_stroke_ && timeline_.at(last).step == step;
  };
  if (open_stroke_ && (brush.begins || timeline_.strokes[*open_stroke_].tool != brush.tool || overtaken())) {
    open_stroke_.reset();
  }
  if (!open_stroke_) keepForUndo();
  Stroke::Event event{step, brush};
  event.brush.begins = !open_stroke_;
  bool changed = false;
  simulation_->device()->run([&] { changed = simulation_->poke(event.brush); });
  if (!changed) return false;

  values_fresh_ = false;
  std::vector<Stroke>& strokes = timeline_.strokes;
  if (open_stroke_) {
    strokes[*open_stroke_].events.push_back(std::move(event));
  } else {
    const auto later = std::upper_bound(strokes.begin(), strokes.end(), step, [](std::int64_t at, const Stroke& each) {
      return at < each.events.front().step;
    });
    open_stroke_ = static_cast<std::size_t>(later - strokes.begin());
    for (Timeline::Place& place : events_) place.stroke += place.stroke >= *open_stroke_ ? 1 : 0;
    strokes.insert(later, {brush.tool, {std::move(event)}});
  }
  const Timeline::Place place{*open_stroke_, strokes[*open_stroke_].events.size() - 1};
  events_.insert(events_.begin() + static_cast<std::ptrdiff_t>(next_event_++), place);
  return true;
}

// Copies the state before a stroke, so that the run can go back to it.
void Stepper::keepForUndo() {
  if (!watched_) return;
  for (const Mark& each : kept_) {
    if (each.next_event == next_event_ && each.state.steps == simulation_->steps()) return;
  }
  // Before a stroke that did nothing.
  if (!kept_.empty() && kept_.back().next_event == next_event_) kept_.pop_back();
  // A replay passes strokes whose copies were dropped.
  if (!kept_.empty() && kept_.back().next_event > next_event_) return;
  try {
    kept_.push_back(mark());
  } catch (const OutOfMemory&) {
    return;
  } catch (const std::bad_alloc&) {
    return;
  }
  watched_ = kept_.back().state.bytes() <= kWatchedBytes;
  if (!watched_) return kept_.clear();
  std::size_t bytes = 0;
  for (const Mark& each : kept_) bytes += each.state.bytes();
  for (; bytes > kKeptBytes; kept_.pop_front()) bytes -= kept_.front().state.bytes();
}

void Stepper::setTimeline(Timeline timeline) {
  timeline.check(simulation_->description());
  std::vector<Timeline::Place> events = timeline.inOrder();
  const auto [mine, theirs] =
      std::mismatch(events_.begin(), events_.end(), events.begin(), events.end(),
                    [&](Timeline::Place a, Timeline::Place b) { return timeline_.at(a) == timeline.at(b); });
  std::optional<std::int64_t> from;
  const auto differs = [&](std::int64_t step) { from = std::min(step, from.value_or(step)); };
  const auto common = static_cast<std::size_t>(mine - events_.begin());
  const std::int64_t now = simulation_->steps();
  if (common < next_event_) differs(timeline_.at(*mine).step);
  if (theirs != events.end() && (common < next_event_ || timeline.at(*theirs).step < now)) {
    differs(timeline.at(*theirs).step);
  }
  if (!timeline_.tracksAgreeUntil(simulation_->time(), timeline, base_)) differs(0);

  timeline_ = std::move(timeline);
  events_ = std::move(events);
  open_stroke_.reset();
  if (from) return goBackTo(*from, common);
  arrive();
}

void Stepper::goBackTo(std::int64_t step, std::size_t common_events) {
  const auto usable = [&](const Mark& each) { return each.state.steps <= step && each.next_event <= common_events; };
  while (!kept_.empty() && !usable(kept_.back())) kept_.pop_back();
  if (step == 0 || kept_.empty()) {
    reset(simulation_->seed());
  } else {
    const ParameterSet wanted = base_;
    Mark start = kept_.back();
    restore(start);
    base_ = start.base = wanted;
    configureInPlace(withTracked(wanted, start.state.parameters));
    start.state.parameters = simulation_->parameters();
    beginFrom(std::move(start));
  }
  while (simulation_->steps() < step) {
    const std::int64_t now = simulation_->steps(), interval = timeline_.track_interval;
    const std::int64_t frame = now - now % interval;
    const std::int64_t batch_end = now + batch() - (now - frame) % batch();
    advanceTo(std::min({step, frame + interval, batch_end}));
  }
  arrive();
}

}  // namespace simscope
