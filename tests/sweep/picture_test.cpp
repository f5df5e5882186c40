// A sweep as table and picture: the place of every value.
#include "app/sweep/picture.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "app/sweep/multiples.h"
#include "app/sweep/reading.h"
#include "app/sweep/table.h"
#include "sims/tunneling/simulation.h"
#include "tests/sweep/support.h"

namespace simscope::sweep::tests {
namespace {

using testing::ElementsAre;

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

Plan planOver(const std::vector<std::string>& axes, const std::vector<std::string>& measures) {
  return planWith(sceneWith(tunneling::description()), axes, measures, 10);
}

// Run i has transmission `measured[i]`, and twice as much as its exact one.
Result resultWith(const Plan& plan, const std::vector<double>& measured) {
  Result result;
  for (const double value : measured) {
    RunResult run;
    run.diagnostics.assign(plan.description().diagnostics.size(), 0.0);
    run.diagnostics[tunneling::kTransmission] = value;
    run.diagnostics[tunneling::kTransmissionExact] = 2 * value;
    result.runs.push_back(run);
  }
  return result;
}

const Channel& channelIn(const Picture& picture, const char* key) {
  const Channel* channel = picture.frame.find(key);
  EXPECT_NE(channel, nullptr) << key;
  return *channel;
}

TEST(SweepTable, HasParametersTimeAndTheExactValueBesideTheMeasuredOne) {
  const Plan plan = planOver({"packet_momentum=1:2:3", "barrier_width=1:2:2"}, {"transmission", "norm"});
  std::vector<std::string> keys;
  for (const exporting::CsvColumn& each : columnsOf(plan)) keys.push_back(each.key);
  EXPECT_THAT(keys,
              ElementsAre("packet_momentum", "barrier_width", "time", "transmission", "transmission_exact", "norm"));
  EXPECT_THAT(rowOf(plan, resultWith(plan, {0, 0.1, 0.2, 0.3, 0.4, 0.5}), 4), ElementsAre(1.5, 2, 0, 0.4, 0.8, 0));
}

TEST(SweepPicture, CurveGoesThroughTheRunsValuesWithTheExactOneOverIt) {
  const Plan plan = planOver({"packet_momentum=1:3:3"}, {"transmission"});
  const Picture picture = pictureOf(plan, resultWith(plan, {0, 1, 0}), {});
  const CurveView& view = *picture.description.view(picture.options.view).as<CurveView>();
  ASSERT_EQ(view.traces.size(), 2u);
  EXPECT_EQ(view.traces[1].style, TraceStyle::Ghost);
  const Channel& measured = channelIn(picture, "transmission");
  const std::vector<float> values = measured.data.toHost();
  const double step = (measured.x_max - measured.x_min) / measured.width;
  const auto at = [&](double x) { return values[static_cast<std::size_t>(std::lround((x - measured.x_min) / step))]; };
  EXPECT_NEAR(at(1), 0, 1e-6);
  EXPECT_NEAR(at(1.5), 0.5, 2e-3);
  EXPECT_NEAR(at(2), 1, 2e-3);
  EXPECT_NEAR(at(3), 0, 1e-6);
  EXPECT_NEAR(measured.x_min + (measured.width - 1) * step, 3, 1e-12);
  EXPECT_EQ(measured.low, 0);
  EXPECT_GT(measured.high, 2);  // room for the exact one
  EXPECT_TRUE(picture.description.panelsOf(picture.description.view(picture.options.view)).size() == 1);
}

TEST(SweepPicture, ARunWithoutAValueIsAGap) {
  const Plan plan = planOver({"packet_momentum=1:5:5"}, {"transmission"});
  const Picture picture = pictureOf(plan, resultWith(plan, {0, 1, kGap, 1, 0}), {});
  const std::vector<float> values = channelIn(picture, "transmission").data.toHost();
  EXPECT_TRUE(std::isnan(values[values.size() / 2]));
  EXPECT_TRUE(std::isfinite(values[values.size() / 5]));
  EXPECT_TRUE(std::isfinite(values.back()));
}

TEST(SweepPicture, DescendingAndLogarithmicAxesLieAsTheyAreRead) {
  const Plan plan = planOver({"barrier_width=10:0.1:3:log"}, {"transmission"});
  const Picture picture = pictureOf(plan, resultWith(plan, {0.3, 0.2, 0.1}), {});
  const CurveView& view = *picture.description.view(picture.options.view).as<CurveView>();
  EXPECT_TRUE(view.x.decades);
  const Channel& measured = channelIn(picture, "transmission");
  EXPECT_NEAR(measured.x_min, -1, 1e-12);
  EXPECT_NEAR(measured.data.toHost().front(), 0.1, 1e-6);
}

TEST(SweepPicture, PhaseDiagramHasACellForEachRunAndOneRangeOfColours) {
  const Plan plan = planOver({"packet_momentum=1:3:3", "barrier_width=4:2:2"}, {"transmission"});
  const Picture picture = pictureOf(plan, resultWith(plan, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), {});
  const Channel& measured = channelIn(picture, "transmission");
  const Channel& exact = channelIn(picture, "transmission_exact");
  EXPECT_EQ(measured.width, 3);
  EXPECT_EQ(measured.height, 2);
  // The second parameter descends: the lower row is that of its last value.
  EXPECT_THAT(measured.data.toHost(), ElementsAre(0.4f, 0.5f, 0.6f, 0.1f, 0.2f, 0.3f));
  EXPECT_DOUBLE_EQ(measured.x_min, 0.5);
  EXPECT_DOUBLE_EQ(measured.x_max, 3.5);
  EXPECT_DOUBLE_EQ(measured.y_min, 1);
  EXPECT_DOUBLE_EQ(measured.y_max, 5);
  EXPECT_EQ(measured.low, exact.low);
  EXPECT_EQ(measured.high, exact.high);
  EXPECT_EQ(picture.description.panelsOf(picture.description.view(picture.options.view)).size(), 2u);
}

TEST(SweepPicture, ListedValuesLieAtTheirPlacesInAnyOrder) {
  const Plan curve = planOver({"packet_momentum=3,1,2"}, {"transmission"});
  const Result result = resultWith(curve, {0.3, 0.1, 0.2});
  EXPECT_THAT(curveOf(curve, result).x, ElementsAre(1, 2, 3));
  EXPECT_THAT(curveOf(curve, result).measured, ElementsAre(0.1, 0.2, 0.3));
  EXPECT_NEAR(channelIn(pictureOf(curve, result, {}), "transmission").data.toHost().front(), 0.1, 1e-6);
  EXPECT_EQ(runAt(curve, 2.9, 0), 0u);
  EXPECT_EQ(runAt(curve, 1.6, 0), 2u);
  EXPECT_EQ(runAt(curve, 0.4, 0), std::nullopt);
}

// The cells of -1, 0, and 8 end at -0.5 and 4.
TEST(SweepPicture, CellsOfUnequalDistancesEndHalfWayToTheirNeighbours) {
  const Plan plan = planOver({"packet_momentum=8,-1,0", "barrier_width=1:2:2"}, {"transmission"});
  const Picture picture = pictureOf(plan, resultWith(plan, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), {});
  const Channel& measured = channelIn(picture, "transmission");
  EXPECT_DOUBLE_EQ(measured.x_min, -1.5);
  EXPECT_DOUBLE_EQ(measured.x_max, 12);
  EXPECT_EQ(measured.height, 2);
  const std::vector<float> values = measured.data.toHost();
  const auto at = [&](double x) {
    return values[static_cast<std::size_t>((x - measured.x_min) / (measured.x_max - measured.x_min) * measured.width)];
  };
  EXPECT_EQ(at(-1.4), 0.2f);
  EXPECT_EQ(at(-0.6), 0.2f);
  EXPECT_EQ(at(-0.4), 0.3f);
  EXPECT_EQ(at(3.9), 0.3f);
  EXPECT_EQ(at(4.1), 0.1f);
  EXPECT_EQ(at(11.9), 0.1f);
  EXPECT_EQ(runAt(plan, 3.9, 1), 2u);
  EXPECT_EQ(runAt(plan, 4.1, 2), 3u);
}

TEST(SweepPicture, CaptionsDoNotNameTheSweptParameter) {
  Scene scene = sceneWith(tunneling::description(), {{"packet_momentum", "7"}, {"barrier_height", "9"}});
  const Plan plan = planWith(scene, {"packet_momentum=1:3:3"}, {"norm"}, 10);
  const Picture picture = pictureOf(plan, resultWith(plan, {0, 0, 0}), {});
  EXPECT_EQ(picture.parameters.changed(), std::vector<std::size_t>{picture.parameters.find("barrier_height")});
}

TEST(SweepPicture, RefusesMorePanelsThanCanBeRead) {
  const Plan plan = planOver({"packet_momentum=1:3:3"},
                             {"norm", "energy", "reflection", "transmission", "inside", "spread", "mean_position"});
  EXPECT_THROW(checkPicture(plan), UsageError);
}

TEST(SweepTiles, AreAsWideAsFiguresAndInThePlacesOfThePhaseDiagram) {
  const Tiles six = tilesFor(planOver({"packet_momentum=1:3:6"}, {"norm"}), 960, 540);
  EXPECT_EQ(six.columns * six.rows, 6);
  EXPECT_GE(six.width, kSmallestTileWidth);
  EXPECT_EQ(six.top(0), 0);
  const Tiles plane = tilesFor(planOver({"packet_momentum=1:3:3", "barrier_width=1:2:2"}, {"norm"}), 960, 540);
  EXPECT_EQ(plane.columns, 3);
  EXPECT_EQ(plane.top(0), 270);  // the lower row
  EXPECT_EQ(plane.top(3), 0);
  EXPECT_THROW(tilesFor(planOver({"packet_momentum=1:3:99"}, {"norm"}), 960, 540), UsageError);
}

TEST(SweepTiles, ProposeNoSizeThatNoPictureHas) {
  const auto why = [](const char* axis) -> std::string {
    return simscope::tests::refusal([&] { tilesFor(planOver({axis}, {"norm"}), 960, 540); });
  };
  EXPECT_THAT(why("packet_momentum=1:3:99"), testing::HasSubstr("nearest size: "));
  EXPECT_THAT(why("packet_momentum=1:3:10000"),
              testing::AllOf(testing::HasSubstr("sweep fewer values: at most 91 x 121"),
                             testing::Not(testing::HasSubstr("nearest size"))));
}

}  // namespace
}  // namespace simscope::sweep::tests
