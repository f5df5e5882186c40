#include "app/gui/panels/transport/keyframe_edit.h"

#include <gtest/gtest.h>

#include <vector>

#include "app/gui/panels/parameters/parameter_scale.h"

namespace simscope::gui {
namespace {

ParameterInfo number(double low, double high, Scale scale = Scale::Linear) {
  return {.key = "some_parameter", .kind = Kind::Real, .scale = scale, .initial = low, .minimum = low, .maximum = high};
}

Track track(std::vector<Keyframe> keyframes) {
  return {"some_parameter", std::move(keyframes)};
}

std::vector<double> timesOf(const Track& track) {
  std::vector<double> times;
  for (const Keyframe& each : track.keyframes) times.push_back(each.time);
  return times;
}

TEST(Keyframes, OnlyLiveNumbersFollowThem) {
  ParameterInfo info = number(0, 1);
  EXPECT_TRUE(canFollowKeyframes(info));
  info.kind = Kind::Integer;
  EXPECT_TRUE(canFollowKeyframes(info));
  info.power_of_two = true;
  EXPECT_FALSE(canFollowKeyframes(info));
  info = number(0, 1);
  info.applies = Applies::OnReset;
  EXPECT_FALSE(canFollowKeyframes(info));
  info = number(0, 1);
  info.kind = Kind::Flag;
  EXPECT_FALSE(canFollowKeyframes(info));
}

TEST(Keyframes, ANewOneKeepsTheOrderAndIsEasedLikeTheOneBeforeIt) {
  Track some = track({{1, 10, Easing::Smooth}, {3, 30, Easing::Linear}});
  EXPECT_EQ(setKeyframe(some, 2, 20), 1u);
  EXPECT_EQ(setKeyframe(some, 0, 5), 0u);
  EXPECT_EQ(setKeyframe(some, 9, 90), 4u);
  const std::vector<Keyframe> expected = {{0, 5, Easing::Linear},
                                          {1, 10, Easing::Smooth},
                                          {2, 20, Easing::Smooth},
                                          {3, 30, Easing::Linear},
                                          {9, 90, Easing::Linear}};
  EXPECT_EQ(some.keyframes, expected);
}

TEST(Keyframes, OneAtTheSameTimeTakesTheNewValue) {
  const double time = 0.1 + 0.2;
  Track some = track({{0.3, 10, Easing::Smooth}});
  EXPECT_EQ(setKeyframe(some, time, 20), 0u);
  EXPECT_EQ(some.keyframes, (std::vector<Keyframe>{{0.3, 20, Easing::Smooth}}));
  EXPECT_EQ(keyframeAt(some, time), 0u);
  EXPECT_EQ(keyframeAt(some, 0.31), std::nullopt);
}

TEST(Keyframes, AMovedOneStaysBetweenItsNeighbours) {
  const Track some = track({{1, 10}, {2, 20}, {3, 30}});
  Track moved = some;
  moveKeyframe(moved, 1, 2.5, 25);
  EXPECT_EQ(moved.keyframes[1], (Keyframe{2.5, 25}));
  for (const double far : {-1e9, 1.0, 3.0, 1e9}) {
    moved = some;
    moveKeyframe(moved, 1, far, 25);
    EXPECT_GT(moved.keyframes[1].time, 1) << far;
    EXPECT_LT(moved.keyframes[1].time, 3) << far;
    EXPECT_EQ(moved.keyframes[1].value, 25);
  }
  moved = some;
  moveKeyframe(moved, 0, -5, 10);
  EXPECT_EQ(timesOf(moved), (std::vector<double>{0, 2, 3}));
  moved = some;
  moveKeyframe(moved, 2, 500, 30);
  EXPECT_EQ(timesOf(moved), (std::vector<double>{1, 2, 500}));
}

TEST(Keyframes, AStripShowsTheWholeAnimationAndEveryKeyframe) {
  const ParameterInfo info = number(0, 20);
  for (const Track& each : {track({{0, 0}}), track({{5, 20}}), track({{0, 1}, {50, 1.5}}), track({{1, 0}, {2, 20}})}) {
    for (const double animation : {0.0, 35.0}) {
      const StripRange range = stripRange(info, each, animation);
      EXPECT_GE(range.end, animation);
      EXPECT_GE(range.low, 0);
      EXPECT_LE(range.high, 1);
      for (const Keyframe& keyframe : each.keyframes) {
        const StripPlace at = stripPlace(info, range, keyframe.time, keyframe.value);
        EXPECT_TRUE(at.x >= 0 && at.x <= 1 && at.y >= 0 && at.y <= 1) << keyframe.time << ", " << keyframe.value;
      }
    }
  }
}

TEST(Keyframes, PlaceAndNumbersAreInverseWithinTheRounding) {
  for (const ParameterInfo& info : {number(0, 20), number(1e-6, 1e6, Scale::Log), number(-1000, 1000)}) {
    const double middle = sliderValue(info, 0.5, true);
    const StripRange range = stripRange(info, track({{0, middle}, {7, info.maximum}}), 35.2);
    for (double x = 0.02; x < 1; x += 0.07) {
      const StripPlace at = stripPlace(info, range, stripTime(range, x), stripValue(info, range, x));
      EXPECT_NEAR(at.x, x, 0.01);
      EXPECT_NEAR(at.y, x, 0.04) << info.minimum << " to " << info.maximum;
    }
  }
}

TEST(Keyframes, WhatIsDraggedOutOfTheStripStaysInTheParametersRange) {
  const ParameterInfo info = number(0.5, 2);
  const StripRange range = stripRange(info, track({{0, 1}}), 10);
  EXPECT_EQ(stripValue(info, range, 1e6), 2);
  EXPECT_EQ(stripValue(info, range, -1e6), 0.5);
  EXPECT_EQ(stripTime(range, -3), 0);
  EXPECT_EQ(stripTime(range, 1.5), 15);
}

TEST(Keyframes, AStripIsWidenedForWhatTheHandDragsOutOfIt) {
  const ParameterInfo info = number(0, 20);
  const StripRange range = stripRange(info, track({{0, 1}, {10, 2}}), 10);
  const StripRange wide = widened(info, range, track({{0, 1}, {25, 20}}));
  EXPECT_EQ(wide.end, 25);
  EXPECT_EQ(wide.high, 1);
  EXPECT_EQ(wide.low, range.low);
}

TEST(Keyframes, TimesAndValuesOfAStripAreRound) {
  const StripRange range{.end = 35.2, .low = 0, .high = 1};
  EXPECT_EQ(stripTime(range, 0.5003), 17.6);
  EXPECT_EQ(stripValue(number(0, 20), range, 0.50012), 10);
}

TEST(Keyframes, TheNearestWithinReachIsHit) {
  const ParameterInfo info = number(0, 20);
  const Track some = track({{0, 10}, {5, 10}, {10, 20}});
  const StripRange range{.end = 10, .low = 0, .high = 1};
  const auto near = [&](double x, double y) { return keyframeNear(info, some, range, {x, y}, 200, 50, 10); };
  EXPECT_EQ(near(0.51, 0.45), 1u);
  EXPECT_EQ(near(0.04, 0.5), 0u);
  EXPECT_EQ(near(1, 0.9), 2u);
  EXPECT_EQ(near(0.25, 0.5), std::nullopt);
  EXPECT_EQ(near(0.5, 0.9), std::nullopt);  // 20 pixels above it
}

TEST(Keyframes, ATrackReplacesTheOneOfItsKeyAndGoesWithItsLastKeyframe) {
  Timeline timeline;
  timeline.strokes.push_back({"kick", {{}}});
  timeline = withTrack(timeline, {"a", {{0, 1}}});
  timeline = withTrack(timeline, {"b", {{0, 2}}});
  timeline = withTrack(timeline, {"a", {{0, 3}}});
  EXPECT_EQ(timeline.tracks, (std::vector<Track>{{"a", {{0, 3}}}, {"b", {{0, 2}}}}));
  timeline = withTrack(timeline, {"a", {}});
  EXPECT_EQ(timeline.tracks, (std::vector<Track>{{"b", {{0, 2}}}}));
  timeline = withTrack(timeline, {"never", {}});
  EXPECT_EQ(timeline.tracks.size(), 1u);
  EXPECT_EQ(timeline.strokes.size(), 1u);
}

}  // namespace
}  // namespace simscope::gui
