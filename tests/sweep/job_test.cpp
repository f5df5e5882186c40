// A sweep on a thread of its own: the same as on the caller's, ended at any time, and what is read from it.
#include "app/sweep/job.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/render/gl/gl_context.h"
#include "app/sweep/outputs.h"
#include "app/sweep/reading.h"
#include "app/sweep/writing.h"
#include "sims/core/testing/fake_simulation.h"
#include "sims/core/testing/folder.h"
#include "sims/heat/heat.h"
#include "sims/tunneling/simulation.h"
#include "tests/sweep/support.h"

namespace simscope::sweep::tests {
namespace {

using simscope::tests::contentOf;
using testing::ElementsAre;
using testing::HasSubstr;

void await(const Job& job) {
  while (!job.finished()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

using SweepFiles = simscope::tests::InFolder;

TEST(SweepJob, GivesWhatTheRunsGiveOnTheCallersThread) {
  const Scene scene = sceneWith(tunneling::description(), {{"grid_points", "128"}});
  const Plan plan = planWith(scene, {"barrier_height=0.5:2:6"}, {"transmission"}, 50);
  const Job job({.plan = plan, .device = "cpu", .threads = 2});
  await(job);
  ASSERT_TRUE(job.result()) << job.failure();
  EXPECT_EQ(valuesOf(plan, *job.result(), "transmission"), valuesOf(plan, made(plan, 1), "transmission"));
  EXPECT_EQ(job.progress().runs_done, 6u);
}

TEST(SweepJob, EndsSoonAfterItIsCancelledAndWhenItIsDestroyed) {
  const Plan plan = planWith(sceneWith(heat::description()), {"diffusivity=0.1:1:50"}, {"maximum"}, 1'000'000'000);
  Job job({.plan = plan, .device = "cpu", .threads = 1});
  while (job.progress().share <= 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  job.cancel();
  await(job);
  EXPECT_FALSE(job.result());
  EXPECT_EQ(job.failure(), "");
  { const Job other({.plan = plan, .device = "cpu", .threads = 1}); }
}

TEST(SweepJob, SaysWhyThereIsNoResult) {
  const Plan plan = planWith(sceneWith(fake::description()), {"growth=1:2:2"}, {"first"}, 5);
  const Job job({.plan = plan, .device = "cuda:99"});
  await(job);
  EXPECT_FALSE(job.result());
  EXPECT_NE(job.failure(), "");
}

TEST_F(SweepFiles, AreThoseOfTheCommandLine) {
  const Scene scene = sceneWith(tunneling::description(), {{"grid_points", "128"}});
  const Plan plan = planWith(scene, {"barrier_height=0.5:2:5", "packet_momentum=1:2:3"}, {"transmission"}, 20);
  const Result direct = made(plan, 2);
  Outputs outputs(plan, {{folder_ / "a.csv", folder_ / "a.npy"}});
  outputs.finish(direct);
  const Job job({.plan = plan, .device = "cpu", .threads = 1});
  await(job);
  const auto result = std::make_shared<const Result>(*job.result());
  for (const char* ending : {".csv", ".npy"}) {
    Writing writing(plan, result, folder_ / (std::string("b") + ending), false);
    while (!writing.finished()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_THAT(writing.take(), ElementsAre(HasSubstr("15")));
    EXPECT_EQ(contentOf(folder_ / (std::string("a") + ending)), contentOf(folder_ / (std::string("b") + ending)));
  }
  EXPECT_THROW(Writing(plan, result, folder_ / "a.csv", false), UsageError) << "it exists";
  EXPECT_THROW(Writing(plan, result, folder_ / "a.txt", false), UsageError);
}

// Drawn by another thread than that of the runs, one figure after another.
TEST_F(SweepFiles, OfFiguresAreTheSameWhoeverDrawsThem) {
  std::optional<render::HeadlessContext> context;
  try {
    context.emplace();
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  render::Figure figure;
  Scene scene = sceneWith(heat::description(), {{"grid_points", "64"}});
  scene.figure.width = 2 * kSmallestTileWidth;
  scene.figure.height = 2 * kSmallestTileHeight;
  scene.steps_per_frame = 10;
  const Plan plan = planWith(scene, {"diffusivity=0.2:1:4"}, {"maximum"}, 25);
  const auto device = simscope::tests::cpu(2);
  Outputs outputs(plan, {{folder_ / "a.gif"}});
  Multiples multiples(plan, device, plan.scene.figure, [](const Progress&) {});
  outputs.addFrame(multiples.draw(figure));
  for (const int steps : {10, 10, 5}) {
    multiples.step(steps, [](const Progress&) {});
    outputs.addFrame(multiples.draw(figure));
  }
  outputs.finish(multiples.result());
  Job job({.plan = plan, .device = "cpu", .threads = 1, .figures = true, .files = {folder_ / "b.gif"}});
  while (!job.finished()) job.draw(figure, 0);
  ASSERT_TRUE(job.result()) << job.failure();
  EXPECT_EQ(job.pictures(), 4);
  EXPECT_EQ(contentOf(folder_ / "a.gif"), contentOf(folder_ / "b.gif"));
  EXPECT_EQ(valuesOf(plan, *job.result(), "maximum"), valuesOf(plan, multiples.result(), "maximum"));

  Job cancelled({.plan = plan, .device = "cpu", .threads = 1, .figures = true, .files = {folder_ / "c.gif"}});
  while (!cancelled.draw(figure, 0)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  cancelled.cancel();
  await(cancelled);
  EXPECT_FALSE(cancelled.result());
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.gif"));
}

TEST(SweepReading, FindsTheRunNearestToAPlace) {
  const Scene scene = sceneWith(tunneling::description());
  const Plan one = planWith(scene, {"barrier_height=1:3:5"}, {"transmission"}, 1);
  EXPECT_EQ(runAt(one, 1.7, 0), 1u);
  EXPECT_EQ(runAt(one, 3.2, 0), 4u);
  EXPECT_EQ(runAt(one, 3.3, 0), std::nullopt) << "beyond half a distance";
  EXPECT_EQ(runAt(one, std::nan(""), 0), std::nullopt);
  const Plan two = planWith(scene, {"barrier_height=3:1:3", "barrier_width=1:100:3:log"}, {"transmission"}, 1);
  EXPECT_EQ(runAt(two, 1.1, 1.1), 3 * 1 + 2u) << "by the logarithm, and the first axis runs down";
  EXPECT_EQ(runAt(two, 3, 2.4), 6u);
  EXPECT_EQ(runAt(two, 3, 2.6), std::nullopt);
}

TEST(SweepReading, IsTheCurveInAscendingOrderWithTheExactOne) {
  const Scene scene = sceneWith(tunneling::description(), {{"grid_points", "128"}});
  const Plan down = planWith(scene, {"barrier_height=2:1:3"}, {"transmission"}, 10);
  const Result result = made(down);
  const Curve curve = curveOf(down, result);
  EXPECT_THAT(curve.x, ElementsAre(1, 1.5, 2));
  ASSERT_EQ(curve.exact.size(), 3u);
  const std::size_t exact = *exactOf(down.description(), down.measures.front());
  EXPECT_EQ(curve.exact.front(), result.runs[2].diagnostics[exact]);
  EXPECT_EQ(curve.measured.front(), result.runs[2].diagnostics[down.measures.front()]);
  Plan norm = down;
  norm.measures = {down.description().diagnosticIndex("norm")};
  EXPECT_TRUE(curveOf(norm, result).exact.empty());
  EXPECT_THAT(summaryOf(down, result), HasSubstr("3 runs of 10 steps on cpu"));
  EXPECT_THAT(readingOf(down, result, 0), ElementsAre(HasSubstr("= 2"), HasSubstr("Transmission"), HasSubstr("xact")));
}

TEST(SweepReading, SaysWhyThereIsNoValue) {
  const Plan plan = planWith(sceneWith(fake::description()), {"growth=1:10:2"}, {"first"}, 100);
  const Result result = made(plan);
  EXPECT_THAT(readingOf(plan, result, 1).back(), HasSubstr("NaN or Inf"));
  EXPECT_THAT(troublesOf(plan, result).front(), HasSubstr("1 run has no values"));
  EXPECT_TRUE(std::isnan(curveOf(plan, result).measured.back()));
}

TEST(SweepTiles, HaveRoomAndAreFoundByTheMouse) {
  const Plan plan = planWith(sceneWith(heat::description()), {"diffusivity=0.1:1:30"}, {"maximum"}, 1);
  const Room room = roomFor(plan, 640, 300);
  EXPECT_EQ(room.width, 640);
  EXPECT_GT(room.height, 300);
  const Tiles tiles = tilesFor(plan, room.width, room.height);
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    EXPECT_EQ(tiles.runAt(tiles.left(run) + 1, tiles.top(run) + 1, plan.runs()), run);
  }
  EXPECT_EQ(tiles.runAt(-1, 0, plan.runs()), std::nullopt);
  const Plan grid =
      planWith(sceneWith(heat::description()), {"diffusivity=0.1:1:5", "grid_points=64:128:2"}, {"maximum"}, 1);
  EXPECT_EQ(roomFor(grid, 300, 200).width, 5 * kSmallestTileWidth);
}

}  // namespace
}  // namespace simscope::sweep::tests
