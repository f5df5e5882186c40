// A timeline in the order in which it happens, and how far a run has come in it. Plain data; one thread.
//
// The Stepper makes the events happen, and hands strokes of the mouse over. Events of tools that only observe
// (ToolInfo::observes) stand apart, in `looks`: they need no replay.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/timeline/timeline.h"

namespace simscope {

bool observes(const Description& description, const std::string& tool);

struct Schedule {
  using Place = Timeline::Place;

  Schedule() = default;
  // At its beginning.
  Schedule(Timeline timeline, const Description& description);

  Timeline timeline;
  std::vector<Place> events;   // in order, without those of observing tools
  std::size_t next_event = 0;  // the first that has not happened yet
  std::vector<Place> looks;    // of observing tools, in order
  std::size_t next_look = 0;

  const Stroke::Event& at(Place place) const { return timeline.at(place); }
  // Takes another timeline, alike as far as events have happened.
  void replaceBy(Schedule other);
  // The run stands at this step, and all its events have happened.
  void standAt(std::int64_t step);
  // How many events happen up to this step, its own included.
  std::size_t eventsUntil(std::int64_t step) const { return countUntil(events, 0, step); }
  std::size_t eventsDue(std::int64_t step) const { return countUntil(events, next_event, step) - next_event; }
  // The next step after `step`, no later than `last`, at which something happens.
  std::int64_t nextStop(std::int64_t step, std::int64_t last) const;

  // Whether this event of the mouse goes on with a stroke; otherwise it begins one.
  bool continuesStroke(const Brush& brush, std::int64_t step, bool observes);
  // The event has happened.
  void add(Stroke::Event event, bool observes);
  void endStroke() noexcept { open_stroke_.reset(); }

 private:
  std::size_t countUntil(const std::vector<Place>& places, std::size_t first, std::int64_t step) const;

  std::optional<std::size_t> open_stroke_;  // which the next event of the mouse continues
};

}  // namespace simscope
