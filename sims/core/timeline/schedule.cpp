#include "sims/core/timeline/schedule.h"

#include <algorithm>
#include <utility>

namespace simscope {

bool observes(const Description& description, const std::string& tool) {
  return std::any_of(description.tools.begin(), description.tools.end(),
                     [&](const ToolInfo& each) { return each.key == tool && each.observes; });
}

Schedule::Schedule(Timeline wanted, const Description& description)
    : timeline(std::move(wanted)), events(timeline.inOrder()) {
  const auto observing = std::stable_partition(events.begin(), events.end(), [&](Place place) {
    return !observes(description, timeline.strokes[place.stroke].tool);
  });
  looks.assign(observing, events.end());
  events.erase(observing, events.end());
}

void Schedule::replaceBy(Schedule other) {
  other.next_event = next_event;
  other.next_look = next_look;
  *this = std::move(other);
}

void Schedule::standAt(std::int64_t step) {
  next_event = eventsUntil(step);
  next_look = countUntil(looks, 0, step);
}

// Of those before `first` all have happened by then.
std::size_t Schedule::countUntil(const std::vector<Place>& places, std::size_t first, std::int64_t step) const {
  const auto later = std::partition_point(places.begin() + static_cast<std::ptrdiff_t>(first), places.end(),
                                          [&](Place place) { return at(place).step <= step; });
  return static_cast<std::size_t>(later - places.begin());
}

std::int64_t Schedule::nextStop(std::int64_t step, std::int64_t last) const {
  if (next_event < events.size()) last = std::min(last, at(events[next_event]).step);
  if (timeline.tracks.empty()) return last;
  const std::int64_t interval = timeline.track_interval;
  return std::min(last, (step / interval + 1) * interval);
}

bool Schedule::continuesStroke(const Brush& brush, std::int64_t step, bool looks_on) {
  const std::vector<Place>& places = looks_on ? looks : events;
  const std::size_t next = looks_on ? next_look : next_event;
  // Within a step the events of later strokes come later; one that has happened here already ends the stroke before it.
  const auto overtaken = [&] {
    return next > 0 && places[next - 1].stroke > *open_stroke_ && at(places[next - 1]).step == step;
  };
  if (open_stroke_ && (brush.begins || timeline.strokes[*open_stroke_].tool != brush.tool || overtaken())) endStroke();
  return open_stroke_.has_value();
}

void Schedule::add(Stroke::Event event, bool looks_on) {
  std::vector<Place>& places = looks_on ? looks : events;
  std::size_t& next = looks_on ? next_look : next_event;
  std::vector<Stroke>& strokes = timeline.strokes;
  if (open_stroke_) {
    strokes[*open_stroke_].events.push_back(std::move(event));
  } else {
    const auto later =
        std::upper_bound(strokes.begin(), strokes.end(), event.step,
                         [](std::int64_t step, const Stroke& each) { return step < each.events.front().step; });
    open_stroke_ = static_cast<std::size_t>(later - strokes.begin());
    for (std::vector<Place>* all : {&events, &looks}) {
      for (Place& place : *all) place.stroke += place.stroke >= *open_stroke_ ? 1 : 0;
    }
    const std::string tool = event.brush.tool;
    strokes.insert(later, {tool, {std::move(event)}});
  }
  const Place place{*open_stroke_, strokes[*open_stroke_].events.size() - 1};
  places.insert(places.begin() + static_cast<std::ptrdiff_t>(next++), place);
}

}  // namespace simscope
