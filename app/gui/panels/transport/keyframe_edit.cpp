#include "app/gui/panels/transport/keyframe_edit.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/parameters/parameter_scale.h"

namespace simscope::gui {

namespace {

constexpr double kShortestSpan =
    0.1;  // smallest span of values, in places on the slider: a smaller one would enlarge rounding
constexpr double kPadding = 0.2;    // of the span, above and below
constexpr double kSameTime = 1e-9;  // relative

// To about 1/200 of `range`, in steps of 1, 2, or 5 times a power of ten.
double rounded(double number, double range) {
  const double step = range / 200;
  const double power = std::pow(10.0, std::floor(std::log10(step)));
  double unit = power;
  for (const double times : {2, 5, 10}) {
    if (step > unit) unit = times * power;
  }
  // Dividing by the inverse, a whole number, gives the shortest decimal.
  return unit < 1 ? std::round(number / unit) / std::round(1 / unit) : std::round(number / unit) * unit;
}

bool sameTime(double a, double b) {
  return std::abs(a - b) <= kSameTime * std::max(std::abs(a), std::abs(b));
}

}  // namespace

bool canFollowKeyframes(const ParameterInfo& info) {
  return info.applies == Applies::Live && !info.power_of_two && (info.kind == Kind::Real || info.kind == Kind::Integer);
}

StripRange widened(const ParameterInfo& info, StripRange range, const Track& track) {
  for (const Keyframe& each : track.keyframes) {
    const double place = sliderPlace(info, each.value);
    range.end = std::max(range.end, each.time);
    range.low = std::min(range.low, place);
    range.high = std::max(range.high, place);
  }
  return range;
}

StripRange stripRange(const ParameterInfo& info, const Track& track, double animation_end) {
  StripRange range = widened(info, {.end = animation_end, .low = 1, .high = 0}, track);
  if (!(range.end > 0)) range.end = 1;
  const double span = std::max(range.high - range.low, kShortestSpan);
  const double middle = (range.low + range.high) / 2;
  range.low = std::max(middle - span * (0.5 + kPadding), 0.0);
  range.high = std::min(middle + span * (0.5 + kPadding), 1.0);
  return range;
}

StripPlace stripPlace(const ParameterInfo& info, const StripRange& range, double time, double value) {
  return {time / range.end, (sliderPlace(info, value) - range.low) / (range.high - range.low)};
}

double stripTime(const StripRange& range, double x) {
  return rounded(std::max(x, 0.0) * range.end, range.end);
}

double stripValue(const ParameterInfo& info, const StripRange& range, double y) {
  return sliderValue(info, range.low + y * (range.high - range.low), range.high - range.low < 0.5);
}

std::optional<std::size_t> keyframeNear(const ParameterInfo& info, const Track& track, const StripRange& range,
                                        StripPlace place, double width, double height, double reach) {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < track.keyframes.size(); ++i) {
    const StripPlace at = stripPlace(info, range, track.keyframes[i].time, track.keyframes[i].value);
    const double distance = std::hypot((at.x - place.x) * width, (at.y - place.y) * height);
    if (distance > reach) continue;
    nearest = i;
    reach = distance;
  }
  return nearest;
}

std::optional<std::size_t> keyframeAt(const Track& track, double time) {
  for (std::size_t i = 0; i < track.keyframes.size(); ++i) {
    if (sameTime(track.keyframes[i].time, time)) return i;
  }
  return std::nullopt;
}

std::size_t setKeyframe(Track& track, double time, double value) {
  if (const auto there = keyframeAt(track, time)) {
    track.keyframes[*there].value = value;
    return *there;
  }
  const auto after = std::find_if(track.keyframes.begin(), track.keyframes.end(),
                                  [&](const Keyframe& each) { return each.time > time; });
  const Easing easing = after == track.keyframes.begin() ? Easing::Linear : std::prev(after)->easing;
  const auto index = static_cast<std::size_t>(after - track.keyframes.begin());
  track.keyframes.insert(after, {time, value, easing});
  return index;
}

void moveKeyframe(Track& track, std::size_t index, double time, double value) {
  std::vector<Keyframe>& all = track.keyframes;
  const double former = all[index].time;
  // A neighbour can be approached to a hundredth of the way that there was.
  const double low = index == 0 ? 0 : all[index - 1].time + (former - all[index - 1].time) / 100;
  const double high = index + 1 == all.size() ? time : all[index + 1].time - (all[index + 1].time - former) / 100;
  all[index].time = std::max(std::min(time, high), low);
  all[index].value = value;
}

Timeline withTrack(Timeline timeline, Track track) {
  const auto there = std::find_if(timeline.tracks.begin(), timeline.tracks.end(),
                                  [&](const Track& each) { return each.key == track.key; });
  if (there == timeline.tracks.end()) {
    if (!track.keyframes.empty()) timeline.tracks.push_back(std::move(track));
  } else if (track.keyframes.empty()) {
    timeline.tracks.erase(there);
  } else {
    *there = std::move(track);
  }
  return timeline;
}

}  // namespace simscope::gui
