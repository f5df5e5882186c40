#include "sims/live/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "sims/core/run/runner.h"
#include "sims/core/simulation.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::live {
namespace {

LiveArray plane(int width, int height) {
  LiveArray array;
  array.title = "Temperature";
  array.unit = "K";
  array.plane = true;
  array.width = width;
  array.height = height;
  return array;
}

// A script beside a run of its array.
struct Live {
  explicit Live(const LiveArray& array)
      : mailbox(std::make_shared<Mailbox>(array.components())), description(describe(array, mailbox)) {}

  void offer(std::vector<float> values) {
    memory = std::move(values);
    mailbox->offer({memory, ++number, 0.25 * static_cast<double>(number), {}});
  }
  std::unique_ptr<Simulation> run() { return description.create(device, description.defaults()); }

  compute::DevicePtr device = compute::Device::open("cpu", 1);
  std::shared_ptr<Mailbox> mailbox;
  const Description& description;
  std::vector<float> memory;
  std::uint64_t number = 0;
};

Frame presented(Simulation& run) {
  Frame frame;
  frame.device = run.device();
  run.present(frame);
  return frame;
}

std::vector<float> shown(Simulation& run, const char* key) {
  const Frame frame = presented(run);
  return frame.find(key)->data.toHost();
}

TEST(LiveTest, AStepShowsTheNewestArrayElementForElement) {
  Live live(plane(3, 2));
  live.offer({1, 2, 3, 4, 5, 6});
  const auto run = live.run();
  EXPECT_THAT(shown(*run, "u"), testing::ElementsAre(1, 2, 3, 4, 5, 6));
  live.offer({6, 5, 4, 3, 2, 1});
  EXPECT_EQ(shown(*run, "u")[0], 1) << "an array comes in with a step";
  run->step(1);
  EXPECT_THAT(shown(*run, "u"), testing::ElementsAre(6, 5, 4, 3, 2, 1));
  EXPECT_EQ(run->steps(), 1);
  EXPECT_EQ(run->time(), 2) << "updates are counted where the script gives no time";
}

TEST(LiveTest, AxesAreTheScripts) {
  LiveArray array = plane(4, 2);
  array.x = {"x", "m", -1, 3};
  array.y = {"z", "cm", 5, 7};
  array.time_unit = "s";
  Live live(array);
  live.offer(std::vector<float>(8, 1));
  const auto run = live.run();
  const Frame frame = presented(*run);
  const Channel& u = *frame.find("u");
  EXPECT_EQ((std::vector{u.x_min, u.x_max, u.y_min, u.y_max}), (std::vector{-1.0, 3.0, 5.0, 7.0}));
  EXPECT_EQ(std::make_pair(u.width, u.height), std::make_pair(4, 2));
  const FieldView& view = *live.description.views.front().as<FieldView>();
  EXPECT_EQ(view.y.title + view.y.unit + view.value.unit, "zcmK");
  EXPECT_FALSE(view.equal_lengths) << "a metre is no centimetre";
  EXPECT_EQ(run->time(), 0.25);
}

TEST(LiveTest, TheRangeIsTheWidestSeenUntilAReset) {
  Live live(plane(2, 1));
  const auto range = [&](Simulation& run) {
    const Frame frame = presented(run);
    return std::make_pair(frame.find("u")->low, frame.find("u")->high);
  };
  live.offer({-2, 8});
  const auto run = live.run();
  live.offer({0, 1});
  run->step(1);
  EXPECT_EQ(range(*run), std::make_pair(-2.0, 8.0));
  ParameterSet each = run->parameters();
  each.set("range", std::string("each"));
  run->apply(each);
  EXPECT_EQ(range(*run), std::make_pair(0.0, 1.0));
  run->apply(live.description.defaults());
  run->reset(1);
  EXPECT_EQ(range(*run), std::make_pair(0.0, 1.0));
}

TEST(LiveTest, AGivenRangeStandsWhateverComes) {
  LiveArray array = plane(2, 1);
  array.range = {10, 20};
  Live live(array);
  live.offer({-2, 8});
  const auto run = live.run();
  const Frame frame = presented(*run);
  EXPECT_EQ(frame.find("u")->low, 10);
  EXPECT_EQ(frame.find("u")->high, 20);
}

TEST(LiveTest, ARangeThatIsSymmetricIsAboutZero) {
  LiveArray array = plane(2, 1);
  array.symmetric = true;
  Live live(array);
  live.offer({-2, 8});
  const auto run = live.run();
  const Frame frame = presented(*run);
  EXPECT_EQ(frame.find("u")->low, -8);
  EXPECT_EQ(frame.find("u")->high, 8);
}

TEST(LiveTest, AFieldThatIsTheSameEverywhereHasARange) {
  Live live(plane(2, 1));
  live.offer({3, 3});
  const auto run = live.run();
  const Frame frame = presented(*run);
  EXPECT_EQ(frame.find("u")->low, 3);
  EXPECT_GT(frame.find("u")->high, 3);
}

TEST(LiveTest, NaNIsShownAndToldAndStopsNothing) {
  Live live(plane(2, 1));
  live.offer({1, std::numeric_limits<float>::quiet_NaN()});
  const auto run = live.run();
  EXPECT_TRUE(run->finite());
  EXPECT_TRUE(std::isnan(shown(*run, "u")[1]));
  std::vector<double> values(live.description.diagnostics.size());
  run->diagnostics(values);
  EXPECT_EQ(values[live.description.diagnosticIndex("not_finite")], 1);
  EXPECT_EQ(values[live.description.diagnosticIndex("maximum")], 1);
  ASSERT_EQ(run->check(values).size(), 1u);
  EXPECT_EQ(run->check(values)[0].level, Finding::Level::Note);
}

// The codes of what a run finds in an array.
std::vector<std::string> foundIn(const LiveArray& array, std::vector<float> values, const Lost& lost = {}) {
  Live live(array);
  live.memory = std::move(values);
  live.mailbox->offer({.values = live.memory, .number = 1, .time = 0, .end = {}, .lost = lost});
  std::vector<std::string> codes;
  const auto run = live.run();
  for (const Finding& each : run->check({})) codes.push_back(each.code);
  return codes;
}

TEST(LiveTest, WhatSinglePrecisionLosesIsTold) {
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_THAT(foundIn(plane(2, 1), {1e9f, 1e9f}), testing::IsEmpty()) << "all may be the same";
  EXPECT_THAT(foundIn(plane(2, 1), {1e9f, 1e9f}, {4e-3, 0}), testing::ElementsAre("digits_lost"));
  EXPECT_THAT(foundIn(plane(2, 1), {0, 0}, {1e-50, 0}), testing::ElementsAre("digits_lost"));
  EXPECT_THAT(foundIn(plane(2, 1), {1, infinite}, {0, 1}), testing::ElementsAre("beyond_single"));
  EXPECT_THAT(foundIn(plane(3, 1), {1, infinite, infinite}, {0, 1}),
              testing::ElementsAre("not_finite", "beyond_single"))
      << "one was infinite already";
  EXPECT_THAT(foundIn(plane(2, 1), {-3e38f, 3e38f}), testing::ElementsAre("beyond_single"));
  LiveArray wave;
  wave.complex = true;
  wave.width = 1;
  EXPECT_THAT(foundIn(wave, {3e20f, 0}), testing::ElementsAre("squares_beyond_single"));
  EXPECT_THAT(foundIn(wave, {3e-20f, 0}), testing::ElementsAre("squares_beyond_single"));
  EXPECT_THAT(foundIn(wave, {1, 1}), testing::IsEmpty());
}

TEST(LiveTest, WhatIsLostIsToldWithItsCure) {
  Live live(plane(2, 1));
  live.memory = {1e9f, 1e9f};
  live.mailbox->offer({.values = live.memory, .number = 1, .time = 0, .end = {}, .lost = {4e-3, 0}});
  const auto run = live.run();
  EXPECT_THAT(run->check({}).at(0).message,
              testing::HasSubstr("differ by 0.004. Single precision, in which they are shown, has steps of 64 "));
  EXPECT_THAT(run->check({}).at(0).message, testing::HasSubstr("Show u - u.mean()."));
}

TEST(LiveTest, ShapeAxesAndRangeComeWithEachArray) {
  LiveArray array = plane(3, 2);
  Live live(array);
  live.offer({1, 2, 3, 4, 5, 6});
  const auto run = live.run();
  EXPECT_EQ(shown(*run, "u").size(), 6u);
  array.width = 2;
  array.height = 4;
  array.x = {"x", "", -1, 1};
  array.range = {0, 9};
  EXPECT_TRUE(isDescribedAlike(array, plane(7, 7)));
  live.memory = {1, 2, 3, 4, 5, 6, 7, 8};
  live.mailbox->offer(
      {.values = live.memory, .number = 2, .time = 0, .end = {}, .form = std::make_shared<const LiveArray>(array)});
  run->step(1);
  const Frame frame = presented(*run);
  const Channel& u = *frame.find("u");
  EXPECT_EQ(std::make_pair(u.width, u.height), std::make_pair(2, 4));
  EXPECT_EQ((std::vector{u.x_min, u.x_max, u.low, u.high}), (std::vector{-1.0, 1.0, 0.0, 9.0}));
  EXPECT_THAT(u.data.toHost(), testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_THAT(run->method(), testing::HasSubstr("4 × 2 numbers"));
  array.unit = "m";
  EXPECT_FALSE(isDescribedAlike(array, plane(7, 7)));
}

TEST(LiveTest, AComplexCurveHasItsSquareItsPhaseAndItsParts) {
  LiveArray array;
  array.complex = true;
  array.symbol = "ψ";
  array.width = 2;
  Live live(array);
  live.offer({3, 4, 0, -2});
  const auto run = live.run();
  EXPECT_THAT(shown(*run, "density"), testing::ElementsAre(25, 4));
  EXPECT_THAT(shown(*run, "phase"), testing::ElementsAre(std::atan2(4.0f, 3.0f), std::atan2(-2.0f, 0.0f)));
  EXPECT_THAT(shown(*run, "real"), testing::ElementsAre(3, 0));
  EXPECT_THAT(shown(*run, "imaginary"), testing::ElementsAre(4, -2));
  for (const View& view : live.description.views) EXPECT_FALSE(channelsOf(view).empty());
}

TEST(LiveTest, EveryChannelOfEveryViewIsMade) {
  for (const bool in_plane : {false, true}) {
    for (const bool complex : {false, true}) {
      LiveArray array = plane(4, in_plane ? 3 : 1);
      array.plane = in_plane;
      array.complex = complex;
      Live live(array);
      live.offer(std::vector<float>(static_cast<std::size_t>(array.elements() * array.components()), 1));
      const auto run = live.run();
      const Frame frame = presented(*run);
      for (const std::string& key : live.description.drawnChannels()) EXPECT_NE(frame.find(key), nullptr) << key;
      EXPECT_NE(frame.find(live.description.state_array), nullptr);
    }
  }
}

TEST(LiveTest, EachDescriptionIsShownFromItsOwnMailbox) {
  Live first(plane(1, 1)), second(plane(1, 1));
  first.offer({1});
  second.offer({2});
  EXPECT_EQ(shown(*second.run(), "u")[0], 2);
  EXPECT_EQ(shown(*first.run(), "u")[0], 1);
  EXPECT_TRUE(isLive(first.description));
}

TEST(LiveTest, ARunOnAnotherDeviceGoesOnWithTheSameArray) {
  Live live(plane(2, 1));
  live.offer({4, std::numeric_limits<float>::quiet_NaN()});
  Stepper before(live.description, live.device, live.description.defaults(), 1);
  before.step(3);
  Stepper after(live.description, compute::Device::open("cpu", 2), live.description.defaults(), 1);
  after.load(before.save());
  EXPECT_EQ(after.simulation().steps(), 3);
  EXPECT_EQ(shown(after.simulation(), "u")[0], 4);
}

TEST(LiveTest, APlayingRunTakesWhatComesAndCommandsAreNotHeldUp) {
  Live live(plane(2, 1));
  live.offer({1, 2});
  Runner runner(live.description, live.description.defaults(), 1, "cpu", 1);
  runner.keepPast(std::nullopt);
  runner.play();
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  live.offer({3, 4});
  const auto there = [&] {
    const Frame* frame = runner.newestFrame();
    return frame && frame->find("u") && frame->find("u")->data.toHost()[0] == 3;
  };
  while (!there() && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_TRUE(there());
  const CommandId paused = runner.pause();
  runner.waitUntilIdle();
  EXPECT_GE(runner.status().handled, paused);
  EXPECT_FALSE(runner.status().playing);
  EXPECT_LE(runner.status().past.states, 1u);
}

// On a GPU each frame takes its time from the script's loop.
TEST(LiveTest, APlayingRunPublishesNothingWhereNothingCame) {
  Live live(plane(2, 1));
  live.offer({1, 2});
  Runner runner(live.description, live.description.defaults(), 1, "cpu", 1);
  const auto until = [&](const auto& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!condition(runner.status()) && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(condition(runner.status()));
  };
  runner.play();
  std::uint64_t standing = 0;
  until([&](const RunnerStatus& s) {  // a step in vain takes a tenth of a second
    const std::uint64_t before = std::exchange(standing, s.frame);
    std::this_thread::sleep_for(std::chrono::milliseconds(700));
    return before == s.frame && runner.status().frame == s.frame;
  });
  live.offer({3, 4});
  until([&](const RunnerStatus& s) { return s.frame > standing; });
  live.mailbox->finish("the script has ended");
  until([](const RunnerStatus& s) { return s.method == "the script has ended; the last array remains"; });
  runner.pause();
  runner.waitUntilIdle();
  EXPECT_GT(runner.status().frame, standing + 1);
}

TEST(LiveTest, TheStatusTellsWhereItComesFromAndThatTheScriptHasEnded) {
  LiveArray array = plane(1, 1);
  array.source = "heat.py, process 7";
  Live live(array);
  live.offer({1});
  const auto run = live.run();
  EXPECT_THAT(run->method(), testing::HasSubstr("heat.py, process 7"));
  live.mailbox->finish("the script has ended");
  EXPECT_EQ(run->method(), "the script has ended; the last array remains");
}

}  // namespace
}  // namespace simscope::live
