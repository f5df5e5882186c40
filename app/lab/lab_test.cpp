#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <regex>
#include <set>

#include "app/lab/fit.h"
#include "app/lab/lab_testing.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_text.h"
#include "app/lab/outcome.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "sims/compute/fault.h"
#include "sims/compute/held_memory.h"
#include "sims/compute/loops/detail/reduce_scratch.h"

namespace simscope::lab {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::SizeIs;
using testing::ThrowsMessage;

TEST(FitTest, TheLawOfTransfersIsFoundFromItsTimes) {
  const std::vector<double> bytes = sizesBetween(1024, 1e9, 2);
  std::vector<double> seconds;
  for (const double each : bytes) seconds.push_back(5e-6 + each / 20e9);
  const TransferLaw law = transferLaw(bytes, seconds);
  EXPECT_NEAR(law.latency, 5e-6, 1e-12);
  EXPECT_NEAR(law.bandwidth, 20e9, 1);
}

TEST(FitTest, ACrossingIsWhereItHoldsForGood) {
  const std::vector<double> x = {1, 10, 100, 1000, 10000};
  const std::vector<double> flat = {8, 8, 8, 8, 8}, rising = {1, 9, 4, 32, 256};
  const auto found = crossing(x, flat, rising);
  ASSERT_TRUE(found);
  EXPECT_NEAR(*found, 100 * std::pow(10, 1.0 / 3), 1e-9);  // 4 → 32 passes 8 after a third
  EXPECT_FALSE(crossing(x, rising, flat));
  EXPECT_EQ(crossing(x, std::vector<double>(5, 1.0), flat), 1.0);
}

TEST(FitTest, SizesAscendAndEndWhereTheyShould) {
  const std::vector<double> sizes = sizesBetween(1000, 1e8, 3);
  EXPECT_EQ(sizes.front(), 1000);
  EXPECT_EQ(sizes.back(), 1e8);
  EXPECT_THAT(sizes, SizeIs(16));
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
}

TEST(PhrasesTest, NumbersAreRoundAndHaveNoExponentsOfProgrammingLanguages) {
  EXPECT_EQ(roundText(0.7512), "0.75");
  EXPECT_EQ(roundText(2.04), "2");
  EXPECT_EQ(roundText(37.6), "38");
  EXPECT_EQ(roundText(99.7), "100");
  EXPECT_EQ(roundText(1731), "1,700");
  EXPECT_EQ(roundText(1731, 3), "1,730");
  EXPECT_EQ(roundText(9970), "1·10⁴");
  EXPECT_EQ(roundText(26'400), "2.6·10⁴");
  EXPECT_EQ(roundText(99'700), "1·10⁵");
  EXPECT_EQ(roundText(3.42e-8), "3.4·10⁻⁸");
  EXPECT_EQ(roundText(-3.42e-8), "-3.4·10⁻⁸");
  EXPECT_EQ(roundText(0), "0");
  EXPECT_EQ(sizeText(4500), "4,500");
  EXPECT_EQ(sizeText(99'700), "1·10⁵");
  EXPECT_EQ(percentText(2.6), "260 %");
  EXPECT_EQ(timesAs(2.11, "long"), "2.1 times as long");
  EXPECT_EQ(timesAs(0.3, "fast"), "0.3 times as fast");
  EXPECT_EQ(timesAs(1.02, "long"), "about as long");
}

TEST(LessonTest, ValuesHaveThePrefixThatSuits) {
  EXPECT_EQ(valueText(12.34e-6, "s"), "12.34 µs");
  EXPECT_EQ(valueText(2.9e12, "B/s"), "2.9 TB/s");
  EXPECT_EQ(valueText(2.9e12, "1/s"), "2.9 T/s");
  EXPECT_EQ(valueText(2.9, "1/s"), "2.9 1/s");
  EXPECT_EQ(valueText(2.9e6, "elements/s"), "2.9 M elements/s");
  EXPECT_EQ(valueText(2.9e9, 2e8, "FLOP/s"), "2.90 ± 0.20 GFLOP/s");
  EXPECT_EQ(valueText(0.25, "%"), "25 %");
  EXPECT_EQ(valueText(std::nan(""), "s"), "");
  EXPECT_EQ(valueText(132, ""), "132");
}

TEST(LessonTest, AnUnknownOneIsRefusedWithTheClosest) {
  EXPECT_THAT([] { (void)lessonById("vector_adition"); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("vector_adition"), HasSubstr("vector_addition"))));
}

// Every share of a limit is possible, or has a reason to exceed the limit; and every lesson marks its shares.
void expectSharesWithinLimits(const Result& result) {
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    const Column& column = result.columns[c];
    const auto names = [&](const char* what) { return column.title.find(what) != std::string::npos; };
    if (column.unit == "%") {
      EXPECT_EQ(column.share, names("limit") || names("roof")) << column.title;
    }
    if (!column.share) continue;
    for (const Row& row : result.rows) {
      const double share = row.values[c];
      if (std::isnan(share)) continue;
      EXPECT_GT(share, 0) << row.name;
      EXPECT_TRUE(share <= kMostShare || !row.headroom.why.empty()) << row.name << ": " << share;
      EXPECT_LE(share, row.headroom.most) << row.name;
    }
  }
}

class Lessons : public testing::TestWithParam<const Lesson*> {};

TEST_P(Lessons, SayWhatTheyAre) {
  const Lesson& lesson = *GetParam();
  EXPECT_GT(lesson.text.size(), 150u);
  EXPECT_FALSE(lesson.title.empty());
  for (const ParameterInfo& info : *lesson.parameters) {
    EXPECT_FALSE(info.title.empty());
    EXPECT_FALSE(info.help.empty()) << info.key;
  }
}

TEST_P(Lessons, MeasureAndSayWhatTheyFound) {
  const Lesson& lesson = *GetParam();
  Bench bench = benchHere();
  int asked = 0;
  bench.check = [&] { ++asked; };
  const ParameterSet parameters = quick(lesson);
  const Result result = measure(lesson, bench, parameters);
  EXPECT_GT(asked, 1) << "nobody could have stopped it";
  ASSERT_FALSE(result.rows.empty());
  ASSERT_FALSE(result.chart.curves.empty());
  std::set<std::string> titles;
  for (const Curve& curve : result.chart.curves) {
    EXPECT_TRUE(titles.insert(curve.title).second) << curve.title;
    EXPECT_TRUE(std::any_of(curve.values.begin(), curve.values.end(), [](double v) { return std::isfinite(v); }))
        << curve.title;
  }
  expectSharesWithinLimits(result);
  for (const Row& row : result.rows) {
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (result.columns[i].unit == "s" && std::isfinite(row.values[i])) {
        EXPECT_GE(row.values[i], 0) << row.name;
      }
    }
  }
  EXPECT_TRUE(result.finding.ends_with('.')) << result.finding;
  EXPECT_FALSE(std::regex_search(result.finding, std::regex("[0-9]e[-+]?[0-9]"))) << result.finding;
  EXPECT_EQ(result.finding.find("nan"), std::string::npos) << result.finding;
  EXPECT_EQ(result.finding.find("inf"), std::string::npos) << result.finding;
  EXPECT_EQ(json(lesson, parameters, result).at("rows").size(), result.rows.size());
  for (const compute::DevicePtr& device : bench.devices()) {
    // What reductions work in belongs to the device, from the first one on.
    const std::size_t own = device->isCuda() ? compute::detail::kReducePartials * compute::detail::kReduceLargest : 0;
    EXPECT_LE(compute::heldBytes(*device), own) << device->info().id << " has not all of its memory back";
  }
  int varying = 0;
  for (const Row& row : result.rows) {
    ASSERT_EQ(row.spreads.size(), row.values.size());
    for (const double spread : row.spreads) varying += std::isfinite(spread) ? 1 : 0;
  }
  if (lesson.id != "devices") {  // whose rates are the best of several, not a median
    EXPECT_GT(varying, 0) << "no number tells how far it varies: derive it by carried()";
  }
  const std::string table = csv(result);
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), static_cast<std::ptrdiff_t>(result.rows.size() + 1));
}

TEST_P(Lessons, HaveNoNumberWhereTheirResultIsWrong) {
  const Lesson& lesson = *GetParam();
  if (lesson.id == "devices") GTEST_SKIP() << "the lesson of devices computes nothing that could be wrong";
  Bench bench = benchHere();
  compute::setFaults("result:1+");
  const Outcome outcome = outcomeOf(lesson, bench, quick(lesson));
  compute::setFaults("");
  EXPECT_FALSE(outcome.result) << "its checks do not end in requireRight (checks.h)";
  EXPECT_FALSE(outcome.failure.empty());
}

// The points of kernels on the roofline, at a size that fills no device.
TEST_P(Lessons, HavePointsThatNoRoofForbids) {
  const Lesson& lesson = *GetParam();
  if (!lesson.points) GTEST_SKIP() << "the lesson has no points";
  Bench bench = benchHere();
  for (const compute::DevicePtr& device : bench.devices()) {
    std::vector<RoofPoint> points;
    device->run([&] { lesson.points(bench, device, 0.02, points); });
    for (const RoofPoint& each : points) {
      EXPECT_GT(each.bytes, 0) << each.kernel;
      EXPECT_GT(each.operations, 0) << each.kernel;
      ASSERT_GT(each.seconds, 0) << each.kernel;
      // A CPU is shared with other programs, and sanitizers slow the measured limit but not libraries: the two times
      // cannot be compared.
      if (!device->isCuda()) continue;
      const double most = bench.arithmeticOf(device, each.format), rate = each.operations / each.seconds;
      const double moved = each.bytes / each.seconds / bench.limitsOf(device).bytes_per_second;
      EXPECT_LE(moved, headroomOf(device, each.bytes).most) << each.kernel;
      if (most > 0) {
        EXPECT_LE(rate / most, kMostShare) << each.kernel;
      }
    }
  }
}

// At full size, which fills the card.
TEST_P(Lessons, OnAGpuHaveNoShareThatIsAFault) {
  const Lesson& lesson = *GetParam();
  Bench bench = benchHere();
  if (!bench.cuda) GTEST_SKIP() << bench.no_cuda;
  const Outcome outcome = outcomeWithin(lesson, bench, lesson.defaults(), {.suits = 3, .most = 60});
  ASSERT_TRUE(outcome.result) << outcome.failure;
  expectSharesWithinLimits(*outcome.result);
  for (const std::string& note : outcome.result->notes) {
    if (note.starts_with("GPU")) {
      EXPECT_EQ(note.find("the measurement gave"), std::string::npos) << note;
    }
  }
}

struct Stopped {};

TEST_P(Lessons, AreStoppedBetweenMeasurements) {
  Bench bench = benchHere();
  int left = 2;
  bench.check = [&] {
    if (left-- == 0) throw Stopped();
  };
  EXPECT_THROW(measure(*GetParam(), bench, quick(*GetParam())), Stopped);
}

INSTANTIATE_TEST_SUITE_P(Every, Lessons, testing::ValuesIn(lessons()),
                         [](const auto& lesson) { return lesson.param->id; });

}  // namespace
}  // namespace simscope::lab
