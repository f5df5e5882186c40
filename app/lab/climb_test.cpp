// The division of time among lessons, with a clock that only their work advances.
#include "app/lab/climb.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "app/lab/lab_testing.h"
#include "app/lab/outcome.h"

namespace simscope::lab {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

ParameterInfo knobOf(double least, double most, bool power_of_two = false) {
  return {.key = knobs::kLargest,
          .title = "Largest",
          .kind = Kind::Integer,
          .initial = static_cast<std::int64_t>(most),
          .minimum = least,
          .maximum = most,
          .power_of_two = power_of_two};
}

struct Climbed {
  std::vector<double> sizes;
  double seconds = 0;
};
template <class Cost>
Climbed climbed(Climb climb, const Cost& cost) {
  Climbed all;
  while (const auto size = climb.next()) {
    all.sizes.push_back(*size);
    climb.recordTime(*size, cost(*size));
    all.seconds += cost(*size);
    if (all.sizes.size() > 50) break;
  }
  return all;
}

TEST(ClimbTest, GoesFromTheSmallestByTheMiddleToWhatIsWanted) {
  const Climbed all = climbed(Climb(knobOf(1e4, 1e8), 1e8, 10), [](double n) { return 0.1 + 1e-8 * n; });
  EXPECT_THAT(all.sizes, testing::ElementsAre(1e4, 1e6, 1e8)) << "each size costs its time again";
}

TEST(ClimbTest, StopsInTheMiddleWhereTheWholeWouldBeLate) {
  // The smallest size, with the fewest repeats, takes a third of its usual time; then 1, 3.2, and so 10 s.
  const auto cost = [](double n) { return 0.1 * std::sqrt(n / 1e4) / (n == 1e4 ? 3 : 1); };
  EXPECT_THAT(climbed(Climb(knobOf(1e4, 1e8), 1e8, 6), cost).sizes, testing::ElementsAre(1e4, 1e6, 1e7));
  EXPECT_THAT(climbed(Climb(knobOf(1e4, 1e8), 1e8, 4), cost).sizes, testing::ElementsAre(1e4, 1e6));
}

TEST(ClimbTest, TriesTheMiddleOnceMoreWhereTheWholeIsLate) {
  Climb climb(knobOf(1e4, 1e8), 1e8, 10);
  climb.recordTime(1e4, 0.1);
  EXPECT_EQ(climb.next(), 1e6);
  Climb again = climb;
  climb.recordTime(1e6, 0.3);
  EXPECT_EQ(climb.next(), 1e8);
  climb.recordLate(1e8, 5);
  EXPECT_EQ(climb.next(), 1e7);
  climb.recordLate(1e7, 2);
  EXPECT_EQ(climb.next(), std::nullopt);
  again.recordLate(1e6, 1);
  EXPECT_EQ(again.next(), 1e5);
  again.recordTime(1e5, 1);
  EXPECT_EQ(again.next(), std::nullopt) << "there is no middle worth its time";
}

TEST(ClimbTest, GoesOnWithWhatIsGrantedBesides) {
  Climb climb(knobOf(1e4, 1e8), 1e8, 2);
  climb.recordTime(1e4, 1.9);  // the first use of something
  EXPECT_EQ(climb.next(), std::nullopt);
  climb.addTime(3);
  EXPECT_EQ(climb.next(), 1e6);
}

TEST(ClimbTest, BeginsNothingLargerThatCannotEnd) {
  EXPECT_THAT(climbed(Climb(knobOf(64, 4096, true), 4096, 1), [](double) { return 3.0; }).sizes, SizeIs(1));
  EXPECT_THAT(climbed(Climb(knobOf(64, 4096, true), 4096, 1), [](double) { return 0.6; }).sizes, SizeIs(1));
}

TEST(ClimbTest, KeepsToPowersOfTwoWhereTheKnobDoes) {
  Climb climb(knobOf(64, 4096, true), 4096, 1);
  climb.recordTime(64, 0.1);
  climb.recordLate(4096, 0.3);
  EXPECT_EQ(climb.next(), 512);
}

// A machine whose clock only the work of lessons advances.
double clock_seconds = 0, slowness = 1;

void work(double seconds) {
  for (double left = slowness * seconds; left > 0; left -= 0.01) {
    Timekeeper::current()->require();
    clock_seconds += std::min(left, 0.01);
  }
}

struct Sized {
  int largest = 100'000'000;
};
const Binding<Sized>& sized() {
  static const Binding<Sized> all = knobs::largest<Sized>({.title = "Largest", .minimum = 10'000, .maximum = 1e9});
  return all;
}

// Seconds: fixed ones in thousandths, those of the wanted size in hundredths, and how they grow in halves.
template <int kFixed, int kWanted, int kHalves>
Result costing(Bench& bench, const ParameterSet& set) {
  const double size = sized().read(set).largest / 1e8;
  bench.check();
  work(1e-3 * kFixed + 1e-2 * kWanted * std::pow(size, 0.5 * kHalves));
  return plainResult(size);
}

Lesson costly(const std::string& id, Result (*measure)(Bench&, const ParameterSet&)) {
  Lesson lesson = made(id, measure);
  lesson.parameters = sized().infos();
  return lesson;
}

const std::vector<Lesson>& costlyLessons() {
  static const std::vector<Lesson> all = [] {
    std::vector<Lesson> some = {costly("quick", costing<20, 30, 2>),    costly("linear", costing<100, 900, 2>),
                                costly("sorts", costing<200, 4000, 2>), costly("cubic", costing<50, 100'000, 6>),
                                costly("fixed", costing<400, 0, 2>),    costly("root", costing<50, 300, 1>)};
    std::vector<Lesson> many;
    for (int i = 0; i < 4; ++i) many.insert(many.end(), some.begin(), some.end());
    return many;
  }();
  return all;
}

std::vector<Outcome> allOn(double slower, double seconds) {
  Bench bench;
  bench.cpu = compute::Device::open("cpu", 1);
  bench.now = [] { return clock_seconds; };
  slowness = slower;
  std::vector<Request> requests;
  for (const Lesson& each : costlyLessons()) requests.push_back({&each, each.defaults()});
  std::vector<Outcome> outcomes;
  clock_seconds = 0;
  measureAll(
      requests, bench, seconds, [](const Request&) {},
      [&](Outcome outcome) { outcomes.push_back(std::move(outcome)); });
  return outcomes;
}

double sizeOf(const Outcome& outcome) {
  return sized().read(outcome.parameters).largest;
}

TEST(AllLessonsTest, EachIsMeasuredWithinTheTimeOfAllOnFastMachinesAndSlowOnes) {
  for (const double slower : {0.01, 0.1, 0.5, 1.0, 2.0, 4.0, 6.0}) {
    const std::vector<Outcome> outcomes = allOn(slower, 54);
    EXPECT_LE(clock_seconds, 54 + 24 * 0.01) << "a machine " << slower << " times as slow";
    double seconds = 0;
    for (const Outcome& each : outcomes) {
      seconds += each.seconds;
      ASSERT_TRUE(each.result) << each.lesson->id << ", " << slower << " times as slow: " << each.failure;
      EXPECT_LE(each.seconds, 3 * 54.0 / 24 + 6) << each.lesson->id;
      if (sizeOf(each) == 1e8) {
        EXPECT_THAT(each.result->notes, IsEmpty()) << each.lesson->id;
      } else {
        ASSERT_THAT(each.result->notes, SizeIs(1)) << each.lesson->id;
        EXPECT_THAT(each.result->notes[0], HasSubstr("left out"));
        EXPECT_THAT(each.result->notes[0], HasSubstr("of 1·10⁸"));
      }
    }
    EXPECT_NEAR(seconds, clock_seconds, 1e-6);
    if (slower <= 0.01) {
      for (const Outcome& each : outcomes) {
        if (each.lesson->id != "cubic") {
          EXPECT_EQ(sizeOf(each), 1e8) << each.lesson->id;
        }
      }
    }
  }
}

TEST(AllLessonsTest, WhatOneLeavesIsUsedByThoseAfterIt) {
  const std::vector<Outcome> outcomes = allOn(1, 54);
  EXPECT_GE(clock_seconds, 0.5 * 54) << "sizes were left out with half of the time unused";
  double first = 0, last = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].lesson->id == "sorts") (first > 0 ? last : first) = sizeOf(outcomes[i]);
  }
  EXPECT_GE(last, first);
}

TEST(AllLessonsTest, AMachineThatIsTooSlowForTheSmallestSizesSaysSo) {
  const std::vector<Outcome> outcomes = allOn(100, 54);
  EXPECT_LE(clock_seconds, 54 + 24 * 0.01 * 2);
  std::size_t unmeasured = 0;
  for (const Outcome& each : outcomes) {
    if (each.result) continue;
    ++unmeasured;
    EXPECT_THAT(each.failure, HasSubstr("smallest sizes")) << each.lesson->id;
  }
  EXPECT_GT(unmeasured, 4u);
  EXPECT_LT(unmeasured, outcomes.size()) << "a slow lesson took the time of quick ones";
}

TEST(AllLessonsTest, ByItselfALessonHasItsFullSizes) {
  Bench bench;
  bench.cpu = compute::Device::open("cpu", 1);
  bench.now = [] { return clock_seconds; };
  slowness = 10;
  const Lesson& lesson = costlyLessons()[2];
  const Outcome outcome = outcomeWithin(lesson, bench, lesson.defaults(), {});
  ASSERT_TRUE(outcome.result);
  EXPECT_EQ(sizeOf(outcome), 1e8);
  EXPECT_THAT(outcome.result->notes, IsEmpty());
}

Result wrongWhenLarge(Bench& bench, const ParameterSet& set) {
  bench.check();
  work(0.01);
  requireRight(sized().read(set).largest < 1'000'000, "the kernel is wrong");
  return plainResult(1);
}

TEST(AllLessonsTest, AWrongResultAtALargerSizeIsNoResultAtAll) {
  Bench bench;
  bench.cpu = compute::Device::open("cpu", 1);
  bench.now = [] { return clock_seconds; };
  slowness = 1;
  const Lesson lesson = costly("wrong", wrongWhenLarge);
  const Outcome outcome = outcomeWithin(lesson, bench, lesson.defaults(), {.suits = 2, .most = 3});
  EXPECT_FALSE(outcome.result);
  EXPECT_EQ(outcome.failure, "the kernel is wrong");
}

TEST(AllLessonsTest, ProgressGoesForwardThroughAllSizes) {
  Bench bench;
  bench.cpu = compute::Device::open("cpu", 1);
  bench.now = [] { return clock_seconds; };
  slowness = 1;
  std::vector<double> shares;
  bench.progress = [&](double share) { shares.push_back(share); };
  const Lesson& lesson = costlyLessons()[2];
  EXPECT_TRUE(outcomeWithin(lesson, bench, lesson.defaults(), {.suits = 2, .most = 3}).result);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
}

}  // namespace
}  // namespace simscope::lab
