// The user's input during a live recording.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "app/session/recording.h"
#include "app/session/session.h"

namespace simscope {

namespace {

double asReal(const Value& value) {
  return std::holds_alternative<double>(value) ? std::get<double>(value)
                                               : static_cast<double>(std::get<std::int64_t>(value));
}

std::size_t eventsOf(const Timeline& timeline) {
  std::size_t events = 0;
  for (const Stroke& each : timeline.strokes) events += each.events.size();
  return events;
}

}  // namespace

bool Recording::takesInput() const noexcept {
  return live() && !stopping_ && (stage_ == Stage::Preparing || stage_ == Stage::Drawing);
}

bool Recording::takes(std::size_t parameter) const {
  if (!takesInput()) return false;
  const ParameterInfo& info = session_.scene.parameters.infos()[parameter];
  const bool number = (info.kind == Kind::Real || info.kind == Kind::Integer) && !info.power_of_two;
  return number && info.applies == Applies::Live &&
         std::find(followed_.begin(), followed_.end(), info.key) == followed_.end();
}

void Recording::poke(Brush brush) {
  if (takesInput()) strokes_.push_back(std::move(brush));
}

void Recording::change(const ParameterSet& wanted, const std::vector<std::size_t>& changed) {
  for (const std::size_t index : changed) {
    if (takes(index)) continue;
    throw UsageError(
        fmt::format("{} cannot be changed while recording: only numbers that need no restart and follow no keyframes "
                    "can be changed",
                    wanted.title(index)));
  }
  for (const std::size_t index : changed) changes_[index] = asReal(wanted[index]);
}

ParameterSet Recording::parameters() const {
  ParameterSet present = session_.status.parameters;
  for (const auto& [index, value] : changes_) {
    if (present.infos()[index].kind == Kind::Integer) {
      present.set(index, static_cast<std::int64_t>(std::llround(value)));
    } else {
      present.set(index, value);
    }
  }
  return present;
}

// The view as it is in the window now, for the frame that is drawn.
void Recording::follow(const Frame& frame) {
  render::FigureOptions figure = recordedFigure(session_.scene.figure, settings_);
  if (session_.scene.figure.theme != theme_) figure.theme = session_.scene.figure.theme;
  if (figure == shown_ || view_changes_.size() >= kMostViewChanges) return;
  view_changes_.push_back({frame.steps, figure});
  shown_ = std::move(figure);
}

// Gives the run, which waits at this frame, what was done since the one before. It has been drawn: what was done
// happens at `next_step`, the step of the next frame, and is seen there.
void Recording::tell(const Frame& frame, std::int64_t next_step) {
  if (!live() || (strokes_.empty() && changes_.empty())) return;
  former_timeline_ = timeline_;
  tellStrokes(next_step);
  tellChanges(frame.time);
  if (timeline_ == former_timeline_) return;
  session_.runner().setTimeline(timeline_);
}

void Recording::tellStrokes(std::int64_t step) {
  std::size_t events = eventsOf(timeline_);
  for (Brush& brush : std::exchange(strokes_, {})) {
    if (++events > Timeline::kMostEvents) {
      return session_.say(Message::Level::Warning,
                          fmt::format("The run has {} mouse events, the maximum. Further strokes are not recorded.",
                                      Timeline::kMostEvents));
    }
    std::vector<Stroke>& strokes = timeline_.strokes;
    if (!open_stroke_ || brush.begins || strokes[*open_stroke_].tool != brush.tool) {
      const auto later =
          std::upper_bound(strokes.begin(), strokes.end(), step,
                           [](std::int64_t at, const Stroke& each) { return at < each.events.front().step; });
      open_stroke_ = static_cast<std::size_t>(later - strokes.begin());
      brush.begins = true;
      strokes.insert(later, {brush.tool, {{step, std::move(brush)}}});
    } else {
      brush.begins = false;
      strokes[*open_stroke_].events.push_back({step, std::move(brush)});
    }
  }
}

// A keyframe holds the old value up to this frame, and another one has the new value right behind it: the run, and
// whoever repeats it, takes it with the next frame.
void Recording::tellChanges(double time) {
  for (const auto& [index, value] : std::exchange(changes_, {})) {
    const ParameterInfo& info = session_.scene.parameters.infos()[index];
    const auto found = std::find_if(timeline_.tracks.begin(), timeline_.tracks.end(),
                                    [&](const Track& each) { return each.key == info.key; });
    Track track = found == timeline_.tracks.end() ? Track{info.key, {}} : *found;
    const double old =
        track.keyframes.empty() ? session_.scene.parameters.real(info.key) : track.keyframes.back().value;
    if (old == value) continue;
    const bool full = track.keyframes.size() + 2 > Timeline::kMostKeyframes ||
                      (found == timeline_.tracks.end() && timeline_.tracks.size() >= Timeline::kMostTracks);
    if (full || (!track.keyframes.empty() && !(track.keyframes.back().time < time))) {
      session_.say(Message::Level::Warning,
                   fmt::format("{} was not changed: the recording cannot hold more changes of it.", info.title));
      continue;
    }
    // Later than 0: pictures name a parameter that follows keyframes once these have begun (Stepper::present).
    const double held = std::max(time, std::numeric_limits<double>::denorm_min());
    track.keyframes.push_back({held, old, Easing::Linear});
    track.keyframes.push_back({std::nextafter(held, std::numeric_limits<double>::infinity()), value, Easing::Linear});
    if (found == timeline_.tracks.end()) {
      timeline_.tracks.push_back(std::move(track));
    } else {
      *found = std::move(track);
    }
  }
}

// It could not do what it was told last. The frames so far are right, and their scene does without that.
void Recording::stopWhereRunDid() {
  session_.say(Message::Level::Error, session_.status.message);
  timeline_ = former_timeline_;
  session_.runner().setTimeline(timeline_);
  stopping_ = true;
  if (recorded_ == 0) throw Error(session_.status.message);
}

}  // namespace simscope
