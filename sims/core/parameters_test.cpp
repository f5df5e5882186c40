#include "sims/core/parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sims/core/run/step_meter.h"
#include "sims/core/testing/fake_simulation.h"

namespace simscope {
namespace {

ParameterInfo real(double minimum, double maximum) {
  return {.key = "barrier_height",
          .title = "V₀",
          .unit = "",
          .help = "",
          .kind = Kind::Real,
          .initial = 1.5,
          .minimum = minimum,
          .maximum = maximum,
          .choices = {},
          .group = ""};
}

ParameterInfo integer(double minimum, double maximum, bool power_of_two) {
  ParameterInfo info = real(minimum, maximum);
  info.key = "grid_points";
  info.kind = Kind::Integer;
  info.initial = std::int64_t{4096};
  info.power_of_two = power_of_two;
  return info;
}

ParameterInfo choice() {
  ParameterInfo info = real(0, 0);
  info.key = "potential";
  info.kind = Kind::Choice;
  info.initial = std::string("barrier");
  info.choices = {{"barrier", "Barrier"}, {"double_barrier", "Double barrier"}, {"step", "Step"}};
  return info;
}

ParameterInfo flag() {
  ParameterInfo info = real(0, 0);
  info.key = "absorbing_edges";
  info.kind = Kind::Flag;
  info.initial = false;
  return info;
}

std::string refusal(const ParameterInfo& info, std::string_view text) {
  try {
    parseValue(info, text);
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.key(), info.key);
    return error.what();
  }
  return "accepted";
}

TEST(Parameters, RealsPrintTheShortestTextThatReadsBackTheSame) {
  EXPECT_EQ(toText(0.05), "0.05");
  EXPECT_EQ(toText(200.0), "200");
  EXPECT_EQ(toText(0.1 + 0.2), "0.30000000000000004");
  for (const double value : {1.0 / 3, 5e-324, 1e-7, 6.02214076e23, std::nextafter(20.0, 21.0), -1e300}) {
    EXPECT_EQ(std::get<double>(parseValue(real(-1e308, 1e308), toText(value))), value);
  }
  EXPECT_EQ(toText(true), "on");
  EXPECT_EQ(toText(std::int64_t{-4}), "-4");
}

TEST(Parameters, NumbersAreReadInEveryUsualNotation) {
  const ParameterInfo info = real(-10, 20);
  for (const char* text : {"0.05", "5e-2", ".05", "+0.05", " 0.05 ", "5.0E-02"}) {
    EXPECT_EQ(std::get<double>(parseValue(info, text)), 0.05) << text;
  }
  EXPECT_FALSE(std::signbit(std::get<double>(parseValue(info, "-0"))));
  EXPECT_EQ(std::get<double>(parseValue(info, "1e-999")), 0.0);
  EXPECT_EQ(std::get<std::int64_t>(parseValue(integer(0, 1e6, false), "4e3")), 4000);
  for (const char* text : {"on", "true", "1", "True"}) EXPECT_TRUE(std::get<bool>(parseValue(flag(), text))) << text;
  for (const char* text : {"off", "false", "0"}) EXPECT_FALSE(std::get<bool>(parseValue(flag(), text))) << text;
}

TEST(Parameters, RefusalNamesKeyRangeAndNearestBound) {
  EXPECT_EQ(refusal(real(0, 20), "25"), "barrier_height = 25 is out of range: 0 to 20 (nearest: 20)");
  EXPECT_EQ(refusal(real(0, 20), "-1e999"), "barrier_height = -1e999 is out of range: 0 to 20 (nearest: 0)");
  EXPECT_EQ(refusal(integer(2, 9, false), "4.5"), "grid_points = 4.5 is not a whole number: 2 to 9 (nearest: 5)");
  EXPECT_EQ(refusal(integer(2, 9, false), "99999999999999999999"),
            "grid_points = 99999999999999999999 is out of range: 2 to 9 (nearest: 9)");
}

TEST(Parameters, RefusalNamesNearestPowerOfTwo) {
  const ParameterInfo info = integer(16, 65536, true);
  EXPECT_EQ(refusal(info, "3000"),
            "grid_points = 3000 is not a power of two: 16 to 65536, powers of two (nearest: 2048)");
  EXPECT_THAT(refusal(info, "3100"), testing::EndsWith("(nearest: 4096)"));
  EXPECT_THAT(refusal(info, "0"), testing::HasSubstr("is out of range"));
  EXPECT_THAT(refusal(info, "-5"), testing::EndsWith("(nearest: 16)"));
  EXPECT_THAT(refusal(info, "65537"), testing::EndsWith("(nearest: 65536)"));
  EXPECT_THAT(refusal(info, "4096.5"), testing::EndsWith("(nearest: 4096)"));
  EXPECT_EQ(std::get<std::int64_t>(parseValue(info, "65536")), 65536);
}

TEST(Parameters, RefusalNamesNearestChoice) {
  EXPECT_EQ(refusal(choice(), "double-barier"),
            "potential = double-barier is not a choice: one of: barrier, double_barrier, step (nearest: "
            "double_barrier)");
  EXPECT_THAT(refusal(choice(), "xyz"), testing::EndsWith("(default: barrier)"));
  EXPECT_THAT(refusal(flag(), "onn"), testing::EndsWith("on or off (nearest: on)"));
}

TEST(Parameters, APrecisionIsAlsoNamedByItsFormat) {
  ParameterInfo precision = choice();
  precision.choices = {{"single", "Single"}, {"double", "Double"}};
  precision.initial = std::string("single");
  for (const auto& [format, key] : {std::pair{"float32", "single"}, std::pair{"float64", "double"}}) {
    EXPECT_EQ(parseValue(precision, format), Value(std::string(key)));
    EXPECT_EQ(checkedValue(precision, std::string(format)), Value(std::string(key)));
    EXPECT_EQ(parseValue(precision, key), Value(std::string(key)));
  }
  EXPECT_NE(refusal(precision, "float16"), "accepted");
  precision.choices = {{"single", "One state"}, {"pair", "Two states"}};
  EXPECT_NE(refusal(precision, "float32"), "accepted") << "single means something else";
}

TEST(Parameters, NotANumberIsRefusedHoweverItIsWritten) {
  for (const char* text : {"nan", "NaN", "-nan", "inf", "-Inf", "infinity", "", "  ", "0x10", "1,5", "1.5 m", "abc"}) {
    EXPECT_THAT(refusal(real(-1e308, 1e308), text), testing::HasSubstr("barrier_height")) << text;
    EXPECT_THAT(refusal(integer(0, 10, false), text), testing::HasSubstr("grid_points")) << text;
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(checkedValue(real(0, 20), nan), UsageError);
  EXPECT_THROW(checkedValue(real(0, 20), std::numeric_limits<double>::infinity()), UsageError);
}

TEST(Parameters, OneStepBeyondABoundIsRefused) {
  EXPECT_NO_THROW(checkedValue(real(0, 20), 20.0));
  EXPECT_THROW(checkedValue(real(0, 20), std::nextafter(20.0, 21.0)), UsageError);
  EXPECT_THROW(checkedValue(real(0, 20), std::nextafter(0.0, -1.0)), UsageError);
  EXPECT_EQ(std::get<double>(checkedValue(real(0, 20), std::int64_t{3})), 3.0);
  EXPECT_THROW(checkedValue(integer(0, 9, false), 3.0), UsageError);
}

TEST(Parameters, ClosestNameFindsTyposPartsAndNothingElse) {
  const std::vector<std::string> names = {"grid_points", "time_step", "barrier_height", "norm"};
  EXPECT_EQ(closestName("gird_points", names), "grid_points");
  EXPECT_EQ(closestName("Time Step", names), "time_step");
  EXPECT_EQ(closestName("height", names), "barrier_height");
  EXPECT_EQ(closestName("nrom", names), "norm");
  EXPECT_EQ(closestName("zzzz", names), "");
  EXPECT_EQ(closestName("", names), "");
  EXPECT_EQ(closestName(std::string(100000, 'a'), names), "");
}

TEST(ParameterSet, RefusedValueLeavesTheSetUnchanged) {
  ParameterSet set = fake::description().defaults();
  const ParameterSet before = set;
  EXPECT_THROW(set.setText("growth", "1000"), UsageError);
  EXPECT_THROW(set.set("cells", std::int64_t{12}), UsageError);
  EXPECT_EQ(set, before);
  EXPECT_THAT([&] { set.setText("grwth", "1"); },
              testing::ThrowsMessage<UsageError>(testing::AllOf(testing::HasSubstr("did you mean 'growth'?"),
                                                                testing::HasSubstr("cells, growth, nan_step"))));
}

TEST(ParameterSet, KnowsWhatChangedAndWhatNeedsAReset) {
  const ParameterSet defaults = fake::description().defaults();
  ParameterSet set = defaults;
  EXPECT_TRUE(set.changed().empty());
  set.setText("growth", "2");
  EXPECT_THAT(set.changed(), testing::ElementsAre(1));
  EXPECT_FALSE(set.needsReset(defaults));
  set.setText("cells", "16");
  EXPECT_TRUE(set.needsReset(defaults));
  EXPECT_EQ(set.real("cells"), 16.0);
  EXPECT_EQ(set.integer("cells"), 16);
  EXPECT_EQ(set.text("trouble"), "none");
  EXPECT_THROW(set.real("trouble"), UsageError);
  EXPECT_THROW(set.changed(fake::otherDescription().defaults()), UsageError);
}

TEST(Description, PresetIsDefaultsWithItsChanges) {
  const ParameterSet set = fake::description().preset("growing");
  EXPECT_EQ(set.real("growth"), 2.0);
  EXPECT_EQ(set.integer("cells"), 16);
  EXPECT_EQ(fake::description().diagnosticIndex("count"), 1u);
  EXPECT_THAT([&] { fake::description().preset("growin"); },
              testing::ThrowsMessage<UsageError>(testing::HasSubstr("did you mean 'growing'?")));
  EXPECT_THROW(fake::description().diagnosticIndex("norm"), UsageError);
}

TEST(StepMeter, PlansFromTheGuessThenFromTheCheaperOfTwoBatches) {
  StepMeter meter;
  EXPECT_EQ(meter.fitting(100, 1000), 1);  // nothing known
  meter.start(1000);                       // 1 ms
  EXPECT_EQ(meter.fitting(100, 1000), 100);
  meter.add(10, 500);  // the first batch, slowed by preparations
  EXPECT_EQ(meter.fitting(100, 1000), 100);
  meter.add(10, 20);
  meter.add(10, 20);
  EXPECT_EQ(meter.fitting(100, 1000), 50);
  meter.add(10, 1e6);  // held up once
  EXPECT_EQ(meter.fitting(100, 1000), 50);
  meter.add(10, 1e6);
  EXPECT_EQ(meter.fitting(100, 1000), 1);
}

}  // namespace
}  // namespace simscope
