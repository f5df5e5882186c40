#include "sims/core/state_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "sims/core/testing/testing.h"
#include "sims/core/timeline/timeline.h"

namespace simscope {
namespace {

using testing::HasSubstr;
using tests::refusal;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

State stateWith(StateArray array) {
  State state;
  state.simulation = "sample";
  state.arrays.push_back(std::move(array));
  return state;
}

TEST(StateReader, NumbersThatAreNoneAreRefusedWithArrayAndIndex) {
  using compute::Complex;
  std::vector<float> singles(6, 1.0f);
  singles[5] = std::numeric_limits<float>::quiet_NaN();
  const State single = stateWith(arrayOf("u", "<f4", {2, 3}, singles));
  EXPECT_EQ(refusal([&] {
              (void)StateReader("sample", single).values<float>("u", {2, 3});
            }),
            "sample: the state's array 'u' is nan at [1, 2]; it must be a finite number");

  std::vector<double> doubles(10'000, 0.0);
  doubles[9'999] = -kInfinity;
  const State real = stateWith(arrayOf("x", "<f8", {10'000}, doubles));
  EXPECT_THAT(refusal([&] { (void)StateReader("sample", real).array<double>("x", {10'000}); }),
              HasSubstr("'x' is -inf at [9999]"));

  std::vector<Complex<double>> waves(4, {0, 0});
  waves[3].im = kInfinity;
  const State wave = stateWith(arrayOf("psi", "<c16", {2, 2}, waves));
  EXPECT_THAT(refusal([&] {
                (void)StateReader("sample", wave).array<Complex<double>>("psi", {2, 2});
              }),
              HasSubstr("'psi' is inf at [1, 1]"));
}

TEST(StateReader, ValuesOutOfTheirRangeAreRefused) {
  const State state = stateWith(arrayOf("group", "<i4", {3}, std::vector<int>{0, 7, -1}));
  const StateReader reader("sample", state);
  EXPECT_EQ(reader.values<int>("group", {3}).size(), 3u);
  EXPECT_EQ(refusal([&] {
              (void)reader.values<int>("group", {3}, {0, 7});
            }),
            "sample: the state's array 'group' is -1 at [2]; it must be a whole number from 0 to 7");
  EXPECT_THAT(refusal([&] { (void)reader.values<int>("group", {3}, {-1, 6}); }), HasSubstr("is 7 at [1]"));
}

TEST(StateReader, TypeAndShapeMustBeTheOnesThatAreAskedFor) {
  const State state = stateWith(arrayOf("u", "<f4", {2, 3}, std::vector<float>(6)));
  const StateReader reader("sample", state);
  EXPECT_NO_THROW((void)reader.values<float>("u", {2, 3}));
  for (const StateReader::Shape& shape : {StateReader::Shape{3, 2}, {6}, {2, 3, 1}, {2, 4}, {}}) {
    EXPECT_THAT(refusal([&] { (void)reader.values<float>("u", shape); }), HasSubstr("'u' must have "));
  }
  EXPECT_THAT(refusal([&] { (void)reader.values<int>("u", {2, 3}); }), HasSubstr("must have 2 × 3 values of type <i4"));
  EXPECT_THAT(refusal([&] { (void)reader.values<float>("u", {std::size_t{1} << 62, 8}); }), HasSubstr("overflows"));
  EXPECT_THAT(refusal([&] { (void)reader.array("v"); }), HasSubstr("has no array 'v'"));
  State torn = state;
  torn.arrays[0].bytes.resize(20);
  EXPECT_THAT(refusal([&] { (void)StateReader("sample", torn).values<float>("u", {2, 3}); }), HasSubstr("20 bytes"));
}

// An array of 4 × 2 values that is somewhere else, and counts who asks.
class Elsewhere final : public StateSource {
 public:
  explicit Elsewhere(std::vector<float> values) : values_(std::move(values)) {}
  std::size_t bytes() const override { return values_.size() * sizeof(float); }
  std::vector<std::byte> read(StateRows rows) const override {
    asked.push_back(rows.count);
    const auto all = std::as_bytes(std::span(values_)).subspan(rows.first * 8, rows.count * 8);
    return {all.begin(), all.end()};
  }
  std::string digest() const override { return "elsewhere"; }
  mutable std::vector<std::size_t> asked;

 private:
  std::vector<float> values_;
};

TEST(StateReader, OfAnArrayElsewhereTheRowsThatAreAskedForAreRead) {
  std::vector<float> values = {0, 1, 2, 3, 4, 5, 6, 7};
  values[1] = std::nanf("");
  StateArray array{"u", "<f4", {4, 2}, {}};
  const auto source = std::make_shared<Elsewhere>(values);
  array.source = source;
  const State state = stateWith(array);
  EXPECT_EQ(state.bytes(), 32u);
  const StateReader reader("sample", state);
  const StateArray& two = reader.array("u", "<f4", {4, 2}, {}, StateRows{2, 2});
  EXPECT_EQ(valuesOf<float>(two), (std::vector<float>{4, 5, 6, 7}));
  ASSERT_TRUE(two.part);
  EXPECT_EQ(two.part->first, 2u);
  EXPECT_THAT(refusal([&] {
                (void)reader.array("u", "<f4", {4, 2}, {0, 6}, StateRows{2, 2});
              }),
              HasSubstr("'u' is 7 at [3, 1]; it must be"))
      << "a place in the whole array";
  EXPECT_THAT(refusal([&] { (void)reader.values<float>("u", {4, 2}); }), HasSubstr("'u' is nan at [0, 1]"));
  EXPECT_THAT(refusal([&] { (void)reader.values<float>("u", {2, 4}); }), HasSubstr("must have 2 × 4 values"));
  EXPECT_EQ(source->asked, (std::vector<std::size_t>{2, 2, 4})) << "of a wrong shape nothing is read";
}

TEST(StateReader, ARanksPartIsForThatRank) {
  StateArray array{"u", "<f4", {4, 2}, arrayOf("", "", {}, std::vector<float>{4, 5, 6, 7}).bytes};
  array.part = StateRows{2, 2};
  const State state = stateWith(array);
  const StateReader reader("sample", state);
  EXPECT_EQ(valuesOf<float>(reader.array("u", "<f4", {4, 2}, {}, StateRows{2, 2})).size(), 4u);
  EXPECT_THAT(refusal([&] { (void)reader.array("u", "<f4", {4, 2}, {}, StateRows{0, 2}); }), HasSubstr("another rank"));
  EXPECT_THAT(refusal([&] { (void)reader.values<float>("u", {4, 2}); }), HasSubstr("another rank"));
  State torn = state;
  torn.arrays[0].bytes.resize(12);
  EXPECT_THAT(refusal([&] {
                (void)StateReader("sample", torn).array("u", "<f4", {4, 2}, {}, StateRows{2, 2});
              }),
              HasSubstr("12 bytes in 2 rows"));
}

TEST(StateReader, StepsAndTimeMustBeThoseOfARun) {
  const auto why = [](std::int64_t steps, double time) {
    State state;
    state.simulation = "sample";
    state.steps = steps;
    state.time = time;
    return refusal([&] { StateReader("sample", state); });
  };
  EXPECT_EQ(why(0, -1), "");
  EXPECT_THAT(why(-1, 0), HasSubstr("number of steps is -1"));
  EXPECT_THAT(why(Timeline::kLastStep + 1, 0), HasSubstr("number of steps"));
  EXPECT_THAT(why(0, kNaN), HasSubstr("time is nan"));
  State foreign;
  foreign.simulation = "\x1b[2Jevil";
  EXPECT_EQ(refusal([&] { StateReader("sample", foreign); }), "sample: the state belongs to another simulation");
}

}  // namespace
}  // namespace simscope
