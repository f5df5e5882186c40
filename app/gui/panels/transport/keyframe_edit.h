// Edits of one parameter's keyframes, and their places on the strip that shows them. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sims/core/timeline/timeline.h"

namespace simscope::gui {

// Live numbers can follow keyframes; powers of two cannot.
bool canFollowKeyframes(const ParameterInfo& info);

// The range of a strip: times from 0 to `end`, and the values between two positions of the parameter's slider (see
// parameter_scale.h), so that a logarithmic slider gives a logarithmic strip.
struct StripRange {
  double end = 1;
  double low = 0, high = 1;
};
// The whole animation, the last keyframe included, and the values of the track with a margin.
StripRange stripRange(const ParameterInfo& info, const Track& track, double animation_end);
// The range extended to include every keyframe.
StripRange widened(const ParameterInfo& info, StripRange range, const Track& track);

// On a strip: x to the right and y upwards, 0 to 1 within it.
struct StripPlace {
  double x = 0, y = 0;
};
StripPlace stripPlace(const ParameterInfo& info, const StripRange& range, double time, double value);
// The time and the value of a place, rounded to about 1/200 of the strip; within the parameter's range, and never
// before 0.
double stripTime(const StripRange& range, double x);
double stripValue(const ParameterInfo& info, const StripRange& range, double y);

// The keyframe nearest to a place on a strip of this size in pixels, if one is within `reach` pixels.
std::optional<std::size_t> keyframeNear(const ParameterInfo& info, const Track& track, const StripRange& range,
                                        StripPlace place, double width, double height, double reach);
// The keyframe at this time, up to rounding.
std::optional<std::size_t> keyframeAt(const Track& track, double time);

// Adds a keyframe, eased like the previous one, or sets the value of the keyframe at this time. Returns its index.
std::size_t setKeyframe(Track& track, double time, double value);
// The order is kept: the time stays between the neighbours' times.
void moveKeyframe(Track& track, std::size_t index, double time, double value);

// The timeline with this track in place of the track with the same key; a track without keyframes is removed.
Timeline withTrack(Timeline timeline, Track track);

}  // namespace simscope::gui
