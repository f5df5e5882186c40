// The runs of a sweep: the same in every way of making them, independent of failures of other runs, and cancellable.
#include "app/sweep/runner.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <system_error>
#include <thread>

#include "app/sweep/pool.h"
#include "app/sweep/threads.h"
#include "sims/core/registry.h"
#include "sims/core/testing/fake_simulation.h"
#include "sims/heat/heat.h"
#include "sims/tunneling/simulation.h"
#include "tests/sweep/support.h"

namespace simscope::sweep::tests {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// To the bit; NaN is itself.
bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

TEST(SweepRuns, GiveTheSameForAnyNumberOfThreadsAndAnyOrder) {
  // Values that have the same bits from either end.
  const Plan up = planWith(sceneWith(fake::description()), {"growth=1:2:5"}, {"first"}, 20);
  const Plan down = planWith(sceneWith(fake::description()), {"growth=2:1:5"}, {"first"}, 20);
  const std::vector<double> one = valuesOf(up, made(up, 1), "first");
  const std::vector<double> four = valuesOf(up, made(up, 4), "first");
  std::vector<double> reversed = valuesOf(down, made(down, 3), "first");
  std::reverse(reversed.begin(), reversed.end());
  EXPECT_TRUE(sameBits(one, four));
  EXPECT_TRUE(sameBits(one, reversed));
  EXPECT_NE(one.front(), one.back());
  const Plan heat =
      planWith(sceneWith(heat::description(), {{"grid_points", "128"}}), {"diffusivity=0.2:1:5"}, {"maximum"}, 40);
  EXPECT_TRUE(sameBits(valuesOf(heat, made(heat, 1), "maximum"), valuesOf(heat, made(heat, 8), "maximum")));
}

TEST(SweepRuns, SideBySideAreWhatTheyAreOneByOne) {
  const Scene scene = sceneWith(tunneling::description(), {{"grid_points", "256"}});
  const Plan plan = planWith(scene, {"packet_momentum=1:2.5:5", "packet_width=3:6:2"}, {"transmission"}, 200);
  const Result together = made(plan, 2), alone = made(plan, 2, {.batched = false});
  EXPECT_EQ(together.batched, 10u);
  EXPECT_EQ(together.batches, 1u);
  EXPECT_EQ(alone.batches, 0u);
  for (std::size_t i = 0; i < plan.runs(); ++i) {
    EXPECT_TRUE(sameBits(together.runs[i].diagnostics, alone.runs[i].diagnostics)) << "run " << i;
    EXPECT_EQ(together.runs[i].time, alone.runs[i].time);
  }
}

TEST(SweepRuns, OfSeveralShapesAreSeveralBatches) {
  const Scene scene = sceneWith(tunneling::description());
  const Plan plan = planWith(scene, {"grid_points=128:512:3", "packet_momentum=1:2:3"}, {"transmission"}, 20);
  const Result result = made(plan);
  EXPECT_EQ(result.batches, 3u);
  EXPECT_EQ(result.batched, 9u);
  const Result alone = made(plan, 2, {.batched = false});
  for (std::size_t i = 0; i < plan.runs(); ++i) {
    EXPECT_TRUE(sameBits(result.runs[i].diagnostics, alone.runs[i].diagnostics)) << "run " << i;
  }
}

TEST(SweepRuns, WithStrokesAreMadeOneByOne) {
  Scene scene = sceneWith(tunneling::description(), {{"grid_points", "256"}});
  Stroke kick;
  kick.tool = "kick";
  kick.events.push_back({.step = 5, .brush = {.tool = "kick", .x = -50, .radius = 10, .begins = true}});
  scene.timeline.strokes.push_back(kick);
  const Plan plan = planWith(scene, {"barrier_height=1:2:2"}, {"mean_momentum"}, 20);
  const Result result = made(plan);
  EXPECT_EQ(result.batches, 0u);
  EXPECT_GT(valuesOf(plan, result, "mean_momentum").front(), 2.3);  // 2 without it
}

// Numbers that grow tenfold a step overflow at step 39, others do not.
TEST(SweepRuns, ThatDoNotStayFiniteSayWhyAndLeaveTheOthersAlone) {
  const Plan plan =
      planWith(sceneWith(fake::description()), {"growth=1:10:4"}, {fake::description().diagnostics[0].key}, 60);
  const Result result = made(plan);
  ASSERT_EQ(result.runs.size(), 4u);
  EXPECT_THAT(result.runs.front().failure, IsEmpty());
  EXPECT_TRUE(std::isfinite(result.runs.front().diagnostics[0]));
  EXPECT_THAT(result.runs.back().failure, HasSubstr("39"));
  EXPECT_TRUE(std::isnan(result.runs.back().diagnostics[0]));
  EXPECT_GE(result.failed(), 1u);
}

TEST(SweepRuns, OfWhichNoneComesToItsEndAreAnError) {
  const Plan plan =
      planWith(sceneWith(fake::description()), {"growth=9:10:3"}, {fake::description().diagnostics[0].key}, 100);
  EXPECT_THAT([&] { made(plan); }, testing::ThrowsMessage<Error>(HasSubstr("none of the 3 runs")));
}

struct Ended {};

void expectEnds(const Plan& plan, const Making& making) {
  const auto start = std::chrono::steady_clock::now();
  int calls = 0;
  EXPECT_THROW(makeRuns(
                   plan, simscope::tests::cpu(2),
                   [&](const Progress& progress) {
                     EXPECT_LE(progress.share, 1);
                     if (++calls > 5) throw Ended();
                   },
                   making),
               Ended);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));  // of more than an hour
}

TEST(SweepRuns, EndSoonWhenTheyAreToldTo) {
  const Plan plan = planWith(sceneWith(tunneling::description()), {"packet_momentum=1:2:50"}, {"norm"}, 10'000'000);
  expectEnds(plan, {});
  expectEnds(plan, {.batched = false});
}

TEST(SweepPool, DividesItsThreads) {
  const Plan plan =
      planWith(sceneWith(heat::description(), {{"grid_points", "64"}}), {"diffusivity=0.2:1:6"}, {"center"}, 1);
  const double plenty = 1e12;
  EXPECT_EQ(sharesOf(plan, 6, 4, plenty).workers, 4);
  EXPECT_EQ(sharesOf(plan, 6, 4, plenty).threads_each, 1);
  EXPECT_EQ(sharesOf(plan, 2, 8, plenty).workers, 2);
  EXPECT_EQ(sharesOf(plan, 2, 8, plenty).threads_each, 4);
  // Memory for two and a half at a time, of which half may be taken.
  const double each = plan.description().memory(plan.parametersOf(0), compute::Backend::Cpu);
  EXPECT_EQ(sharesOf(plan, 6, 4, 5 * each).workers, 2);
  EXPECT_EQ(sharesOf(plan, 6, 4, 0).workers, 1);
}

// The first number that applies live, from its default half of the way to an end of its range.
std::string anyAxis(const Description& description) {
  const ParameterSet set = Scene::fromPreset(description, description.presets.front().key).parameters;
  std::string found;
  for (std::size_t i = 0; i < set.size(); ++i) {
    const ParameterInfo& info = set.infos()[i];
    if (info.kind != Kind::Real || !set.matters(i)) continue;
    const double value = set.real(info.key);
    const double other = value < info.maximum ? value + 0.01 * (info.maximum - value) : info.minimum;
    found = info.key + "=" + toText(Value(value)) + ":" + toText(Value(other)) + ":2";
    if (info.applies == Applies::Live) return found;
  }
  return found;
}

TEST(SweepRuns, OfEverySimulation) {
  for (const Description* each : simulations()) {
    SCOPED_TRACE(each->id);
    Scene scene = Scene::fromPreset(*each, each->presets.front().key);
    const std::string axis = anyAxis(*each);
    if (axis.empty()) continue;  // nothing but whole numbers and choices matters in its first preset
    const Plan plan = planWith(scene, {axis}, {each->diagnostics.front().key}, 1);
    const Result result = made(plan);
    EXPECT_EQ(result.runs.size(), 2u);
    for (const RunResult& run : result.runs) EXPECT_EQ(run.diagnostics.size(), each->diagnostics.size());
  }
}

// Copied into each thread, and the third copy fails as a thread does that the system does not start.
struct ThirdFails {
  struct Told {
    int copies = 0;
    std::atomic<bool> ended{false};
    std::atomic<int> done{0};
  };
  explicit ThirdFails(Told& all) : told(&all) {}
  ThirdFails(const ThirdFails& other) : told(other.told) {
    if (++told->copies == 3) throw std::system_error(EAGAIN, std::generic_category());
  }
  void operator()(int) const {
    while (!told->ended) std::this_thread::yield();
    ++told->done;
  }
  Told* told;
};

TEST(SweepThreads, ThatCannotAllBeStartedEndWithAMessage) {
  ThirdFails::Told told;
  EXPECT_THAT([&] { startedThreads(5, told.ended, ThirdFails(told)); },
              testing::ThrowsMessage<Error>(HasSubstr("only 2 of 5 threads")));
  EXPECT_EQ(told.done, 2) << "those that had begun were joined";
}

}  // namespace
}  // namespace simscope::sweep::tests
