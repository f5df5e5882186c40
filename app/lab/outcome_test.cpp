// Times of lessons, their spread, and that a wrong result gives no number.
#include "app/lab/outcome.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/lab/lab_testing.h"
#include "app/lab/measurer.h"
#include "app/lab/stored_run.h"
#include "app/lab/timekeeper.h"

namespace simscope::lab {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using Clock = std::chrono::steady_clock;
double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void sleep(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

TEST(TimekeeperTest, SpreadsBelongToTimesAndToWhatFollowsFromOneAlone) {
  Timekeeper keeper;
  keeper.note(2e-3, 0.1);
  EXPECT_DOUBLE_EQ(keeper.spreadOf(2e-3), 2e-4);
  const double rate = carried(1 / 2e-3, 2e-3);
  EXPECT_EQ(rate, 1 / 2e-3);
  EXPECT_DOUBLE_EQ(keeper.spreadOf(rate), 50);
  EXPECT_TRUE(std::isnan(keeper.spreadOf(3e-3)));
  EXPECT_EQ(carried(7, 3e-3), 7);
  EXPECT_TRUE(std::isnan(keeper.spreadOf(7)));
  keeper.note(2e-3, 0.3);  // as long by chance: the one that varies more counts
  EXPECT_DOUBLE_EQ(keeper.spreadOf(2e-3), 6e-4);
}

TEST(TimekeeperTest, IsTheInnermostOfItsThreadAlone) {
  EXPECT_EQ(Timekeeper::current(), nullptr);
  Timekeeper outer;
  {
    Timekeeper inner;
    EXPECT_EQ(Timekeeper::current(), &inner);
  }
  EXPECT_EQ(Timekeeper::current(), &outer);
  std::thread([] { EXPECT_EQ(Timekeeper::current(), nullptr); }).join();
}

TEST(TimingTest, GivesTheMedianOfSevenWithTheRangeOfTheMiddleHalf) {
  Timekeeper keeper;
  int calls = 0;
  // Two calls before the seven that count; of these one is twice as long, and is no median.
  const double seconds = hostSecondsOf([] {}, [&] { sleep(++calls == 5 ? 10e-3 : 4e-3); });
  EXPECT_EQ(calls, 9);
  EXPECT_GE(seconds, 4e-3);
  EXPECT_GE(keeper.spreadOf(seconds), 0);
  EXPECT_LT(keeper.spreadOf(seconds), 3e-3) << "one of seven says how far they lie apart";
  EXPECT_EQ(keeper.measured(), 1);
  EXPECT_EQ(keeper.hurried(), 0);
}

TEST(TimingTest, IsRepeatedLessWhereTimeRunsShort) {
  Timekeeper keeper({.suits = 0});
  int calls = 0;
  const double seconds = hostSecondsOf([] {},
                                       [&] {
                                         ++calls;
                                         sleep(3e-3);
                                       });
  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(std::isnan(keeper.spreadOf(seconds))) << "one measurement has no spread";
  EXPECT_EQ(keeper.hurried(), 1);
}

TEST(TimingTest, EndsWhereThereIsNoTimeLeft) {
  const Timekeeper keeper({.suits = 0, .most = 0.05});
  EXPECT_THROW(
      {
        for (;;) hostSecondsOf([] {}, [] { sleep(1e-3); });
      },
      OutOfTime);
}

Result right(Bench& bench, const ParameterSet&) {
  bench.check();
  Result result = plainResult(1);
  const double seconds = hostSecondsOf(bench.check, [] { sleep(3e-3); });
  result.rows[0].values = {seconds, carried(1e6 / seconds, seconds), 0.5};
  return result;
}

Result wrong(Bench& bench, const ParameterSet& set) {
  Result result = right(bench, set);
  requireValue("the kernel", 3.0, 4.0, 1e-6);
  return result;
}

TEST(OutcomeTest, AResultHasTheSpreadsOfItsTimes) {
  Bench bench = benchHere();
  const Lesson lesson = made("right", right);
  const Outcome outcome = outcomeOf(lesson, bench, lesson.defaults());
  ASSERT_TRUE(outcome.result) << outcome.failure;
  const Row& row = outcome.result->rows[0];
  EXPECT_GE(row.spreads[0], 0);
  EXPECT_NEAR(row.spreads[1] / row.values[1], row.spreads[0] / row.values[0], 1e-12);
  EXPECT_TRUE(std::isnan(row.spreads[2]));
  EXPECT_TRUE(std::isnan(outcome.result->rows[1].spreads[0])) << "nobody measured it";
  EXPECT_THAT(outcome.result->notes, IsEmpty());
}

TEST(OutcomeTest, WhatWasWrongHasNoNumberAnywhere) {
  Bench bench = benchHere();
  const Lesson lesson = made("wrong", wrong);
  const Outcome outcome = outcomeOf(lesson, bench, lesson.defaults());
  EXPECT_FALSE(outcome.result);
  EXPECT_THAT(outcome.failure, HasSubstr("the kernel gave 3, but a plain loop gives 4"));
  const auto written = json(std::vector<Outcome>{outcome}, "a machine").at("lessons").at(0);
  EXPECT_EQ(written.at("failure"), outcome.failure);
  for (const char* key : {"rows", "columns", "chart", "finding"}) EXPECT_FALSE(written.contains(key)) << key;
}

Result withShares(Bench& bench, const ParameterSet& set) {
  Result result = right(bench, set);
  result.columns[2].share = true;
  result.rows = {{"usual", {1e-3, 2e9, 0.5}},
                 {"as fast as can be", {1e-3, 2e9, 1.04}},
                 {"no reason", {1e-3, 2e9, 1.3}},
                 {"in a cache", {1e-3, 2e9, 7}},
                 {"more than that", {1e-3, 2e9, 1.7}},
                 {"nothing", {1e-3, 2e9, 0}},
                 {"not told", {1e-3, 2e9, std::nan("")}}};
  result.rows[3].headroom = {1e9, "caches hold it"};
  result.rows[4].headroom = {1.6, "it reads alone"};
  return result;
}

TEST(OutcomeTest, AShareAboveWhatTheMachineCanDoIsAFaultAndNotShown) {
  Bench bench = benchHere();
  const Lesson lesson = made("shares", withShares);
  const Outcome outcome = outcomeOf(lesson, bench, lesson.defaults());
  ASSERT_TRUE(outcome.result) << outcome.failure;
  const std::vector<Row>& rows = outcome.result->rows;
  EXPECT_EQ(rows[0].values[2], 0.5);
  EXPECT_EQ(rows[1].values[2], 1.04);
  EXPECT_EQ(rows[3].values[2], 7);
  for (const std::size_t faulty : {2, 4, 5}) {
    EXPECT_TRUE(std::isnan(rows[faulty].values[2])) << rows[faulty].name;
    EXPECT_EQ(rows[faulty].values[0], 1e-3) << "what was measured right is shown";
    EXPECT_THAT(outcome.result->notes, Contains(AllOf(StartsWith(rows[faulty].name), HasSubstr("fault"))));
  }
  EXPECT_THAT(outcome.result->notes, Contains(AllOf(HasSubstr("in a cache"), HasSubstr("caches hold it"))));
  EXPECT_THAT(outcome.result->notes, SizeIs(4));
}

TEST(OutcomeTest, WhatStopsItIsNoOutcome) {
  struct Ended {};
  Bench bench = benchHere();
  bench.check = [] { throw Ended(); };
  const Lesson lesson = made("right", right);
  EXPECT_THROW(outcomeOf(lesson, bench, lesson.defaults()), Ended);
}

TEST(BudgetTest, WhatALessonLeavesIsForTheOthers) {
  Budget budget(10, 5);
  EXPECT_DOUBLE_EQ(budget.next().suits, 2);
  EXPECT_LE(budget.next().most, 10);
  budget.spend(0.4);
  EXPECT_DOUBLE_EQ(budget.next().suits, 2.4);
  budget.spend(100);
  EXPECT_EQ(budget.next().suits, 0);
}

Result slow(Bench& bench, const ParameterSet& set) {
  for (int i = 0; i < 100; ++i) hostSecondsOf(bench.check, [] { sleep(10e-3); });
  return right(bench, set);
}

Result hurried(Bench& bench, const ParameterSet& set) {
  sleep(0.35);  // more than its share
  return right(bench, set);
}

TEST(BudgetTest, AllLessonsEndInTheirTimeAndSaySo) {
  Bench bench = benchHere();
  const Lesson first = made("hurried", hurried), second = made("slow", slow), third = made("right", right);
  std::vector<Request> requests;
  for (const Lesson* each : {&first, &second, &third, &third}) requests.push_back({each, each->defaults()});
  std::vector<Outcome> outcomes;
  const auto start = Clock::now();
  measureAll(
      requests, bench, 1.2, [](const Request&) {}, [&](Outcome outcome) { outcomes.push_back(std::move(outcome)); });
  EXPECT_LT(since(start), 2.4) << "slow would take three seconds or more";
  ASSERT_THAT(outcomes, SizeIs(4));
  ASSERT_TRUE(outcomes[0].result) << outcomes[0].failure;
  EXPECT_THAT(outcomes[0].result->notes, Contains(HasSubstr("repeated less")));
  const auto last =
      std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) { return o.lesson == &second; });
  ASSERT_NE(last, outcomes.end());
  EXPECT_FALSE(last->result);
  EXPECT_THAT(last->failure, HasSubstr("not measured"));
  // A little time was reserved for the lessons after it.
  EXPECT_THAT(outcomes[1].result ? std::string("measured") : outcomes[1].failure,
              AnyOf("measured", HasSubstr("not measured")));
}

int readings = 0;
Result slowTheFirstTime(Bench& bench, const ParameterSet& set) {
  if (++readings == 1) return slow(bench, set);
  return right(bench, set);
}

TEST(BudgetTest, WhatWasReadIntoTheFirstShareIsMeasuredAfterTheOthers) {
  Bench bench = benchHere();
  readings = 0;
  const Lesson cold = made("cold", slowTheFirstTime), other = made("right", right);
  std::vector<Outcome> outcomes;
  int begun = 0;
  measureAll(
      {{&cold, cold.defaults()}, {&other, other.defaults()}, {&other, other.defaults()}}, bench, 2.4,
      [&](const Request&) { ++begun; }, [&](Outcome outcome) { outcomes.push_back(std::move(outcome)); });
  ASSERT_THAT(outcomes, SizeIs(3));
  EXPECT_EQ(begun, 4);
  EXPECT_EQ(outcomes[0].lesson, &other);
  EXPECT_EQ(outcomes[2].lesson, &cold);
  EXPECT_TRUE(outcomes[2].result) << outcomes[2].failure;
  EXPECT_GT(outcomes[2].seconds, 0.3) << "with what it took in vain";
}

// What the thread's lessons saw, for the tests below.
std::atomic<bool> begun{false};
std::weak_ptr<compute::Device> device_seen;

Result endless(Bench& bench, const ParameterSet&) {
  device_seen = bench.cpu;
  begun = true;
  for (;;) {
    bench.check();
    bench.progress(0.25);
    sleep(1e-3);
  }
}

void waitFor(const std::function<bool()>& condition) {
  for (const auto start = Clock::now(); !condition();) {
    ASSERT_LT(since(start), 60);
    sleep(1e-3);
  }
}

TEST(MeasurerTest, EndsWithinAFractionOfASecondAndGivesItsDevicesBack) {
  const Lesson lesson = made("endless", endless);
  Measurer measurer("cpu");
  begun = false;
  measurer.start({{&lesson, lesson.defaults()}}, 1e9);
  waitFor([] { return begun.load(); });
  const Measurer::State state = measurer.state();
  EXPECT_TRUE(state.busy);
  EXPECT_EQ(state.lesson, &lesson);
  EXPECT_FALSE(state.machine.empty());
  EXPECT_FALSE(device_seen.expired());
  const auto asked = Clock::now();
  measurer.cancel();
  waitFor([&] { return !measurer.state().busy; });
  EXPECT_LT(since(asked), 0.5);
  EXPECT_TRUE(device_seen.expired()) << "its device is still there";
  EXPECT_THAT(measurer.take(), IsEmpty());
}

TEST(MeasurerTest, GoesAwayInTheMiddleOfALesson) {
  const Lesson lesson = made("endless", endless);
  begun = false;
  auto measurer = std::make_unique<Measurer>("cpu");
  measurer->start({{&lesson, lesson.defaults()}}, 1e9);
  waitFor([] { return begun.load(); });
  const auto asked = Clock::now();
  measurer.reset();
  EXPECT_LT(since(asked), 0.5);
  EXPECT_TRUE(device_seen.expired());
}

TEST(MeasurerTest, MeasuresAgainAfterItWasCancelledAndKeepsWhatWasDone) {
  const Lesson good = made("right", right), lesson = made("endless", endless);
  Measurer measurer("cpu");
  begun = false;
  measurer.start({{&good, good.defaults()}, {&lesson, lesson.defaults()}}, 1e9);
  waitFor([] { return begun.load(); });
  measurer.start({{&good, good.defaults()}}, 1e9);  // it is busy
  measurer.cancel();
  waitFor([&] { return !measurer.state().busy; });
  std::vector<Outcome> outcomes = measurer.take();
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_TRUE(outcomes[0].result);
  measurer.start({{&good, good.defaults()}}, 1e9);
  waitFor([&] { return !measurer.state().busy; });
  EXPECT_THAT(measurer.take(), SizeIs(1));
}

TEST(MeasurerTest, ADeviceThatIsNotThereIsAnOutcome) {
  const Lesson good = made("right", right);
  Measurer measurer("cuda:900");
  measurer.start({{&good, good.defaults()}}, 1e9);
  waitFor([&] { return !measurer.state().busy; });
  const std::vector<Outcome> outcomes = measurer.take();
  ASSERT_THAT(outcomes, SizeIs(1));
  EXPECT_FALSE(outcomes[0].result);
  EXPECT_FALSE(outcomes[0].failure.empty());
}

}  // namespace
}  // namespace simscope::lab
