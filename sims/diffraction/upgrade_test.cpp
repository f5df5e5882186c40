// Scans of former versions, as keyframes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/core/timeline/timeline.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using Former = std::map<std::string, std::string>;
using testing::HasSubstr;

std::vector<Track> upgraded(Former former, const std::string& preset, const tests::Changes& changes,
                            std::vector<Track> tracks = {}) {
  const ParameterSet base = preset.empty() ? description().defaults() : description().preset(preset);
  if (tracks.empty() && !preset.empty()) tracks = description().presetInfo(preset).tracks;
  upgradeScan(former, preset, tests::with(changes, base), tracks);
  EXPECT_TRUE(former.empty());
  Timeline timeline;
  timeline.tracks = tracks;
  EXPECT_NO_THROW(timeline.check(description()));
  return tracks;
}

TEST(Upgrade, AScanToAndFroComesBackAgainAndAgain) {
  const std::vector<Track> tracks =
      upgraded({{"scan", "distance"}, {"scan_to", "3.0"}, {"scan_frames", "240"}}, "", {{"distance", "2"}});
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].key, "distance");
  for (const double period : {0.0, 2.0, 14.0}) {  // of 240 steps
    EXPECT_NEAR(tracks[0].valueAt(period), 1, 1e-12);
    EXPECT_NEAR(tracks[0].valueAt(period + 1), 6, 1e-12);
    EXPECT_NEAR(tracks[0].valueAt(period + 0.5), std::sqrt(6), 1e-12) << "half of the way is the geometric mean";
  }
}

TEST(Upgrade, AScanOfOneWayStays) {
  const std::vector<Track> tracks = upgraded(
      {{"scan", "wavelength"}, {"scan_from", "1"}, {"scan_to", "0.5"}, {"scan_path", "once"}, {"scan_frames", "60"}},
      "", {});
  EXPECT_NEAR(tracks.at(0).valueAt(0.5), 0.5 * 633e-9, 1e-15);
  EXPECT_EQ(tracks.at(0).valueAt(9), tracks.at(0).valueAt(0.5));
}

TEST(Upgrade, WhatIsLeftOutIsThePresets) {
  const std::vector<Track> tracks = upgraded({{"scan_to", "2"}}, "pinhole", {{"distance", "0.03"}});
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_NEAR(tracks[0].valueAt(0), 0.03, 1e-12);
  EXPECT_NEAR(tracks[0].valueAt(0.5), 0.06, 1e-12);
  EXPECT_TRUE(upgraded({{"scan", "none"}}, "pinhole", {}).empty());
}

TEST(Upgrade, KeyframesBesideAScanKeepTheirSteps) {
  const std::vector<Track> tracks =
      upgraded({{"scan_frames", "60"}}, "", {}, {{"aperture_radius", {{0, 0.1}, {2, 0.2}}}});
  ASSERT_EQ(tracks.size(), 1u) << "nothing was scanned";
  EXPECT_EQ(tracks[0].keyframes[1].time, 1);
}

TEST(Upgrade, RefusesWhatCannotBe) {
  const auto refusal = [](const Former& former) { return tests::refusal([&] { upgraded(former, "", {}); }); };
  EXPECT_THAT(refusal({{"scan", "zoom"}}), HasSubstr("scan"));
  EXPECT_THAT(refusal({{"scan_from", "-1"}}), HasSubstr("scan_from"));
  EXPECT_THAT(refusal({{"scan", "aperture_radius"}, {"scan_to", "10"}}), HasSubstr("aperture_radius"));
  Former unknown{{"scan", "none"}, {"nonsense", "1"}};
  std::vector<Track> tracks;
  upgradeScan(unknown, "", description().defaults(), tracks);
  EXPECT_EQ(unknown.size(), 1u) << "what it does not know stays";
}

}  // namespace
}  // namespace simscope::diffraction
