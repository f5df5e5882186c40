// Edits of one parameter's keyframes, and where these lie on the strip that shows them. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sims/core/timeline/timeline.h"

namespace simscope::gui {

// Live numbers can follow keyframes; powers of two cannot.
bool canFollowKeyframes(const ParameterInfo& info);

// What a strip shows: times from 0 to `end`, and the values between two places on the parameter's slider (see
// parameter_scale.h), so that what is logarithmic there is so here.
struct StripRange {
  double end = 1;
  double low = 0, high = 1;
};
// The whole animation, the last keyframe included, and the values of the track with room around them.
StripRange stripRange(const ParameterInfo& info, const Track& track, double animation_end);
// Wide enough for every keyframe, too.
StripRange widened(const ParameterInfo& info, StripRange range, const Track& track);

// On a strip: x to the right and y upwards, 0 to 1 within it.
struct StripPlace {
  double x = 0, y = 0;
};
StripPlace stripPlace(const ParameterInfo& info, const StripRange& range, double time, double value);
// The time and the value of a place, rounded to about 1/200 of the strip; never outside the parameter's range, nor
// before 0.
double stripTime(const StripRange& range, double x);
double stripValue(const ParameterInfo& info, const StripRange& range, double y);

// The keyframe nearest to a place on a strip of so many pixels, where one is within `reach` pixels.
std::optional<std::size_t> keyframeNear(const ParameterInfo& info, const Track& track, const StripRange& range,
                                        StripPlace place, double width, double height, double reach);
// The one at this time, up to rounding.
std::optional<std::size_t> keyframeAt(const Track& track, double time);

// Adds a keyframe, eased like the one before it, or gives the one at this time the value. Its index.
std::size_t setKeyframe(Track& track, double time, double value);
// Order is kept: the time stays between the neighbours'.
void moveKeyframe(Track& track, std::size_t index, double time, double value);

// The timeline with this track in the place of the one of its key; without keyframes the track goes.
Timeline withTrack(Timeline timeline, Track track);

}  // namespace simscope::gui
