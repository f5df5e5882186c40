// Ways, timed over sizes: what is called in which order, what is left out, and what rows and curves show.
#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "app/lab/checks.h"
#include "app/lab/measurer.h"
#include "app/lab/sweep.h"

namespace simscope::lab {
namespace {

using testing::ElementsAre;

TEST(SweepTest, AWayIsPreparedClearedRunAndCheckedBeforeItIsTimed) {
  const Bench bench = benchOf("cpu", 1);
  std::vector<std::string> calls;
  const auto call = [&](const char* name) { return [&calls, name](std::size_t) { calls.emplace_back(name); }; };
  const Way way{.title = "it",
                .device = bench.cpu,
                .prepare =
                    [&](std::size_t n) {
                      calls.emplace_back("prepare");
                      return tasks(call("run"), call("check"), call("ready"))(n);
                    },
                .clear = [&] { calls.emplace_back("clear"); },
                .timed_by = TimedBy::Host};
  EXPECT_GT(secondsAt(way, bench, 8), 0);
  calls.resize(5);
  EXPECT_THAT(calls, ElementsAre("prepare", "clear", "ready", "run", "check"));
}

TEST(SweepTest, SizesThatAreTooLargeOrWouldTakeTooLongAreLeftOut) {
  Bench bench = benchOf("cpu", 1);
  const auto nothing = [](std::size_t) {};
  const auto wait = [](std::size_t n) { std::this_thread::sleep_for(std::chrono::milliseconds(n)); };
  Sweep sweep{.sizes = {1, 2, 4}, .power = 3};
  sweep.ways.push_back({.title = "all", .device = bench.cpu, .prepare = tasks(nothing, nothing)});
  sweep.ways.push_back({.title = "small", .device = bench.cpu, .prepare = tasks(nothing, nothing), .most = 2});
  // From 1 ms at one element the third power predicts 8 ms at two.
  sweep.ways.push_back({.title = "slow", .device = bench.cpu, .prepare = tasks(wait, nothing), .longest = 5e-3});
  sweep.time(bench);
  EXPECT_EQ(sweep.largestOf(sweep.ways[0]), 4);
  EXPECT_EQ(sweep.largestOf(sweep.ways[1]), 2);
  EXPECT_EQ(sweep.largestOf(sweep.ways[2]), 1);
  EXPECT_TRUE(std::isnan(sweep.ways[2].seconds[1]));

  Result result;
  sweep.addRows(result, [](const Way& way, double size, double) { return Row{way.title, {size}}; });
  EXPECT_THAT(result.rows[1].values, ElementsAre(2));
  sweep.drawTimes(result.chart, "Times", {.title = "elements"});
  EXPECT_EQ(result.chart.curves[2].values.size(), 3u);
  EXPECT_NEAR(result.chart.last, std::log10(4), 1e-15);
}

TEST(SweepTest, AWrongResultHasNoTime) {
  Bench bench = benchOf("cpu", 1);
  Sweep sweep{.sizes = {1}};
  const auto wrong = [](std::size_t) { requireRight(false, "wrong"); };
  sweep.ways.push_back({.title = "it", .device = bench.cpu, .prepare = tasks([](std::size_t) {}, wrong)});
  EXPECT_THROW(sweep.time(bench), Error);
  EXPECT_TRUE(sweep.ways[0].seconds.empty());
}

TEST(SweepTest, WhatFitsIsBoundByTheFreeMemoryOfEachDevice) {
  const Bench bench = benchOf("cpu", 1);
  EXPECT_EQ(fitting(bench, 100, {.host = 1, .gpu = 1}), 100);
  const double elements = fitting(bench, 1e30, {.host = 1e6, .gpu = 1});
  EXPECT_GT(elements, 1);
  EXPECT_LT(elements, 1e9);
}

}  // namespace
}  // namespace simscope::lab
