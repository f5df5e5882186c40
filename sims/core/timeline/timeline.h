// What happens to a run at given steps: strokes of the mouse, and parameters that follow keyframes.
//
// Description, parameters, seed, and timeline determine a run, on either backend: the window plays it, the command line
// renders it, and a reset restarts it. The Stepper carries out the timeline, between two steps.
// Plain data; any thread. Errors: UsageError from check(), naming the place in the timeline.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/core/timeline/track.h"

namespace simscope {

// One drag, launch, or placement of the mouse, as the simulation received it.
struct Stroke {
  struct Event {
    std::int64_t step = 0;  // happens when the run has made this many steps; ascending within the stroke
    Brush brush;            // its tool is the stroke's
    bool operator==(const Event&) const = default;
  };
  std::string tool;
  std::vector<Event> events;
  bool operator==(const Stroke&) const = default;
};

struct Timeline {
  static constexpr std::size_t kMostEvents = 100'000;  // of all strokes together
  static constexpr std::size_t kMostTracks = 64;
  static constexpr std::size_t kMostKeyframes = 10'000;  // of one track
  static constexpr std::int64_t kLastStep = 1'000'000'000'000'000;
  static constexpr std::int64_t kMostObjects = std::int64_t{1} << 28;  // limit of the object numbers in strokes

  // One event: strokes[stroke].events[event].
  struct Place {
    std::size_t stroke = 0, event = 0;
  };

  std::vector<Stroke> strokes;  // in the order in which they began
  std::vector<Track> tracks;    // one a parameter
  // Tracks take effect at every multiple of this many steps, so that the pace of a run does not change it.
  int track_interval = 1;
  bool operator==(const Timeline&) const = default;

  bool empty() const noexcept { return strokes.empty() && tracks.empty(); }
  const Track* track(const std::string& key) const noexcept;  // null: none
  const Stroke::Event& at(Place place) const { return strokes[place.stroke].events[place.event]; }
  // All events in the order in which they happen: by step, then by stroke.
  std::vector<Place> inOrder() const;
  // UsageError where a tool, a parameter, a time, or a value does not fit the description.
  void check(const Description& description) const;
  // A sentence for each stroke that sets values of an object which does not exist at that time in a run with these
  // parameters. The stroke has no effect, and is kept for runs that have the object.
  std::vector<std::string> missingObjects(const Description& description, const ParameterSet& parameters) const;
  // `base` with the tracks' values at this time.
  ParameterSet parametersAt(const ParameterSet& base, double time) const;
  // True if both have equal track values at every time up to this one. A parameter without a track keeps `base`.
  bool tracksAgreeUntil(double time, const Timeline& other, const ParameterSet& base) const;
};

}  // namespace simscope
