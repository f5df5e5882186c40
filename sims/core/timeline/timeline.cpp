#include "sims/core/timeline/timeline.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace simscope {
namespace {

[[noreturn]] void refuse(const std::string& place, const std::string& why) {
  throw UsageError(place + ": " + why);
}

void checkEvent(const std::string& place, const Stroke& stroke, std::size_t index) {
  const Stroke::Event& event = stroke.events[index];
  if (event.step < 0 || event.step > Timeline::kLastStep) {
    refuse(place + ".step", fmt::format("{} is not a step from 0 to {}", event.step, Timeline::kLastStep));
  }
  if (index > 0 && event.step < stroke.events[index - 1].step) {
    refuse(place + ".step",
           fmt::format("{} is before step {}, that of the previous event", event.step, stroke.events[index - 1].step));
  }
  const Brush& brush = event.brush;
  if (brush.tool != stroke.tool)
    refuse(place, fmt::format("the tool {} differs from the stroke's", foreign::quoted(brush.tool)));
  for (const double number : {brush.x, brush.y, brush.z, brush.dx, brush.dy, brush.dz, brush.radius, brush.strength}) {
    if (!std::isfinite(number)) refuse(place, "contains a number that is not finite");
  }
}

void checkShapes(const std::string& place, const Stroke& stroke, const ToolInfo& tool) {
  for (std::size_t i = 0; i < stroke.events.size(); ++i) {
    const BrushShape shape = stroke.events[i].brush.shape;
    if (tool.has(shape)) continue;
    std::string allowed = brushShapeNames().front();
    for (std::size_t k = 1; k < brushShapeNames().size(); ++k) {
      if (tool.has(static_cast<BrushShape>(k))) allowed += ", " + brushShapeNames()[k];
    }
    refuse(fmt::format("{}.events[{}].shape", place, i),
           fmt::format("the tool {} has no \"{}\"; allowed: {}", foreign::quoted(tool.key),
                       brushShapeNames()[static_cast<std::size_t>(shape)], allowed));
  }
}

// Objects are set one at a time, by tools for that, within the tool's range.
void checkObjects(const std::string& place, const Stroke& stroke, const ToolInfo& tool) {
  for (std::size_t i = 0; i < stroke.events.size(); ++i) {
    const Brush& brush = stroke.events[i].brush;
    const std::string event = fmt::format("{}.events[{}]", place, i);
    if (tool.gesture != Gesture::Edit) {
      if (brush.object != -1) {
        refuse(event + ".object", fmt::format("the tool {} does not use one", foreign::quoted(tool.key)));
      }
      continue;
    }
    if (brush.object < 0 || brush.object >= Timeline::kMostObjects) {
      refuse(event + ".object", fmt::format("{} is not a number from 0 to {}; the tool {} sets a value of one object",
                                            brush.object, Timeline::kMostObjects - 1, foreign::quoted(tool.key)));
    }
    if (tool.edit.allows(brush)) continue;
    const double value = tool.edit.vector ? std::hypot(brush.dx, brush.dy, brush.dz) : brush.strength;
    refuse(event + (tool.edit.vector ? "" : ".strength"),
           fmt::format("{}{} = {} is out of range; range {:g} to {:g}, nearest {:g}", tool.edit.symbol,
                       tool.edit.vector ? " (the length of dx, dy, dz)" : "", value, tool.edit.minimum,
                       tool.edit.maximum, std::clamp(value, tool.edit.minimum, tool.edit.maximum)));
  }
}

void checkStrokes(const std::vector<Stroke>& strokes, const Description& description) {
  std::vector<std::string> tools;
  for (const ToolInfo& tool : description.tools) tools.push_back(tool.key);
  std::size_t events = 0;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    const Stroke& stroke = strokes[i];
    const std::string place = fmt::format("strokes[{}]", i);
    if (std::find(tools.begin(), tools.end(), stroke.tool) == tools.end()) {
      refuse(place + ".tool", fmt::format("{} has no tool {}{}", description.id, foreign::quoted(stroke.tool),
                                          didYouMean(stroke.tool, tools)));
    }
    if (stroke.events.empty()) refuse(place + ".events", "is empty; expected one or more");
    events += stroke.events.size();
    if (events > Timeline::kMostEvents) refuse("strokes", fmt::format("more than {} events", Timeline::kMostEvents));
    for (std::size_t k = 0; k < stroke.events.size(); ++k) {
      checkEvent(fmt::format("{}.events[{}]", place, k), stroke, k);
    }
    for (const ToolInfo& tool : description.tools) {
      if (tool.key != stroke.tool) continue;
      checkShapes(place, stroke, tool);
      checkObjects(place, stroke, tool);
    }
    if (i > 0 && stroke.events.front().step < strokes[i - 1].events.front().step) {
      refuse(place, "begins before the previous stroke");
    }
  }
}

void checkTrack(const std::string& place, const Track& track, const ParameterSet& parameters) {
  const std::size_t index = parameters.find(track.key);
  const ParameterInfo& info = parameters.infos()[index];
  if (info.applies != Applies::Live)
    refuse(place, track.key + " applies on reset; only live parameters can have keyframes");
  if ((info.kind != Kind::Real && info.kind != Kind::Integer) || info.power_of_two) {
    refuse(place, track.key + " cannot be interpolated; only numbers can have keyframes");
  }
  if (track.keyframes.empty()) refuse(place + ".points", "is empty; expected one or more");
  if (track.keyframes.size() > Timeline::kMostKeyframes) {
    refuse(place + ".points", fmt::format("more than {}", Timeline::kMostKeyframes));
  }
  for (std::size_t i = 0; i < track.keyframes.size(); ++i) {
    const Keyframe& keyframe = track.keyframes[i];
    const std::string point = fmt::format("{}.points[{}]", place, i);
    if (!std::isfinite(keyframe.time)) refuse(point, "the time is not finite");
    if (i > 0 && !(keyframe.time > track.keyframes[i - 1].time)) {
      refuse(point, fmt::format("the time {} is not after {}", keyframe.time, track.keyframes[i - 1].time));
    }
    if (!(keyframe.value >= info.minimum && keyframe.value <= info.maximum)) {
      const std::string& unit = parameters.unit(index);
      refuse(point, fmt::format("{} = {} is out of range; range {}{}{}, nearest {}", track.key, keyframe.value,
                                rangeText(info), unit.empty() ? "" : " ", unit,
                                keyframe.value > info.maximum ? info.maximum : info.minimum));
    }
  }
}

// How far two tracks agree: up to which time.
double agreement(const std::vector<Keyframe>& a, const std::vector<Keyframe>& b) {
  constexpr double kAlways = HUGE_VAL;
  const auto [first, second] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (first == a.end() && second == b.end()) return kAlways;
  const auto index = first - a.begin();
  const bool at_both = first != a.end() && second != b.end();
  // Another way out of a keyframe, or a first keyframe elsewhere with the same value.
  const bool same_value = at_both && first->value == second->value;
  if (same_value && (index == 0 || first->time == second->time)) return std::min(first->time, second->time);
  if (index == 0) return -kAlways;
  // A keyframe more on a level stretch, or one less.
  const Keyframe& last = a[static_cast<std::size_t>(index) - 1];
  const auto levelUntil = [&](auto next, auto end) {
    if (next == end) return kAlways;
    return next->value == last.value ? next->time : last.time;
  };
  return std::min(levelUntil(first, a.end()), levelUntil(second, b.end()));
}

std::vector<Keyframe> keyframesOf(const Timeline& timeline, const std::string& key, const ParameterSet& base) {
  if (const Track* track = timeline.track(key)) return track->keyframes;
  return {{.time = HUGE_VAL, .value = base.real(key), .easing = Easing::Linear}};
}

}  // namespace

double Track::valueAt(double time) const {
  const auto after = std::upper_bound(keyframes.begin(), keyframes.end(), time,
                                      [](double t, const Keyframe& keyframe) { return t < keyframe.time; });
  if (after == keyframes.begin()) return keyframes.front().value;
  const Keyframe& from = *(after - 1);
  if (after == keyframes.end()) return from.value;
  double share = (time - from.time) / (after->time - from.time);
  if (from.easing == Easing::Smooth) share = share * share * (3 - 2 * share);
  // Rounding shall not lead out of the range of the parameter.
  const auto [low, high] = std::minmax(from.value, after->value);
  return std::clamp(from.value + share * (after->value - from.value), low, high);
}

const Track* Timeline::track(const std::string& key) const noexcept {
  const auto found = std::find_if(tracks.begin(), tracks.end(), [&](const Track& each) { return each.key == key; });
  return found == tracks.end() ? nullptr : &*found;
}

std::vector<Timeline::Place> Timeline::inOrder() const {
  std::vector<Place> places;
  for (std::size_t i = 0; i < strokes.size(); ++i) {
    for (std::size_t k = 0; k < strokes[i].events.size(); ++k) places.push_back({i, k});
  }
  std::stable_sort(places.begin(), places.end(), [this](Place a, Place b) { return at(a).step < at(b).step; });
  return places;
}

void Timeline::check(const Description& description) const {
  checkStrokes(strokes, description);
  if (tracks.size() > kMostTracks) refuse("keyframes", fmt::format("more than {} parameters", kMostTracks));
  if (track_interval < 1)
    refuse("keyframes", fmt::format("the interval is {} steps; it must be 1 or more", track_interval));
  const ParameterSet parameters = description.defaults();
  std::set<std::string> keys;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const std::string place = fmt::format("keyframes[{}]", i);
    try {
      parameters.find(tracks[i].key);
    } catch (const UsageError& error) {
      refuse(place + ".parameter", error.what());
    }
    if (!keys.insert(tracks[i].key).second) refuse(place + ".parameter", tracks[i].key + " has keyframes already");
    checkTrack(place, tracks[i], parameters);
  }
}

std::vector<std::string> Timeline::missingObjects(const Description& description,
                                                  const ParameterSet& parameters) const {
  std::vector<std::string> missing;
  std::int64_t launched = 0;
  std::set<std::size_t> told;
  for (const Place place : inOrder()) {
    const std::string& key = strokes[place.stroke].tool;
    const auto tool = std::find_if(description.tools.begin(), description.tools.end(),
                                   [&](const ToolInfo& each) { return each.key == key; });
    if (tool == description.tools.end()) continue;
    if (tool->gesture == Gesture::Launch) ++launched;
    if (tool->gesture != Gesture::Edit || !tool->edit.count) continue;
    const std::int64_t count = tool->edit.count(parameters) + launched, object = at(place).brush.object;
    if (object < count || !told.insert(place.stroke).second) continue;
    missing.push_back(
        fmt::format("strokes[{}].events[{}].object: a run from its start has only 0 to {} at that step, not {}; there "
                    "the event has no effect",
                    place.stroke, place.event, count - 1, object));
  }
  return missing;
}

ParameterSet Timeline::parametersAt(const ParameterSet& base, double time) const {
  ParameterSet set = base;
  for (const Track& track : tracks) {
    const std::size_t index = set.find(track.key);
    const double value = track.valueAt(time);
    if (set.infos()[index].kind == Kind::Integer) {
      set.set(index, static_cast<std::int64_t>(std::llround(value)));
    } else {
      set.set(index, value);
    }
  }
  return set;
}

bool Timeline::tracksAgreeUntil(double time, const Timeline& other, const ParameterSet& base) const {
  if (!tracks.empty() && !other.tracks.empty() && track_interval != other.track_interval) return false;
  const auto agree = [&](const Track& track) {
    return agreement(keyframesOf(*this, track.key, base), keyframesOf(other, track.key, base)) >= time;
  };
  return std::all_of(tracks.begin(), tracks.end(), agree) &&
         std::all_of(other.tracks.begin(), other.tracks.end(), agree);
}

}  // namespace simscope
