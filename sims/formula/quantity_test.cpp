#include "sims/formula/quantity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sims/formula/unit.h"

namespace simscope::formula {
namespace {

using testing::AllOf;
using testing::HasSubstr;

ParameterInfo wavelength() {
  return {.key = "wavelength", .unit = "m", .kind = Kind::Real, .initial = 6.33e-7, .minimum = 1e-12, .maximum = 1};
}
ParameterInfo plain(double low = -1e6, double high = 1e6) {
  return {.key = "x", .kind = Kind::Real, .initial = 1.0, .minimum = low, .maximum = high};
}
ParameterInfo count(bool power_of_two = false) {
  return {.key = "grid_points",
          .kind = Kind::Integer,
          .initial = std::int64_t{256},
          .minimum = 64,
          .maximum = 16384,
          .power_of_two = power_of_two};
}

double real(const ParameterInfo& info, std::string_view text, const std::string& bare) {
  return std::get<double>(readValue(info, text, info.unit, bare));
}
double real(const ParameterInfo& info, std::string_view text) {
  return real(info, text, info.unit);
}

QuantityError refusal(const ParameterInfo& info, std::string_view text, const std::string& bare) {
  try {
    const Value value = readValue(info, text, info.unit, bare);
    ADD_FAILURE() << text << " was read as " << toText(value);
  } catch (const QuantityError& error) {
    EXPECT_EQ(error.key(), info.key);
    return error;
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.key(), info.key);
    return {error.key(), error.what(), std::nullopt};
  }
  return {"", "", std::nullopt};
}
QuantityError refusal(const ParameterInfo& info, std::string_view text) {
  return refusal(info, text, info.unit);
}

TEST(AQuantity, MayBeArithmetic) {
  EXPECT_EQ(real(plain(), "1/3"), 1.0 / 3);
  EXPECT_EQ(real(plain(), "2*pi"), 2 * std::numbers::pi);
  EXPECT_EQ(real(plain(), "2 pi"), 2 * std::numbers::pi);
  EXPECT_EQ(real(plain(), "2π"), 2 * std::numbers::pi);
  EXPECT_EQ(real(plain(), "sqrt(2)"), std::sqrt(2.0));
  EXPECT_EQ(real(plain(), "3e-4*2"), 6e-4);
  EXPECT_EQ(real(plain(), "(1+2)*3 - 4"), 5);
  EXPECT_EQ(real(plain(), "1 - -2"), 3);
  EXPECT_EQ(real(plain(), "-2^2"), -4);
  EXPECT_EQ(real(plain(), "2^-1"), 0.5);
  EXPECT_EQ(real(plain(), "2**-1"), 0.5);
  EXPECT_EQ(real(plain(), "30000/1001"), 30000.0 / 1001);
  EXPECT_EQ(real(plain(), "2×3 − 1"), 5);
  EXPECT_EQ(real(plain(), "+.5"), 0.5);
  EXPECT_EQ(real(plain(), "max(1, 2, 3)"), 3);
  EXPECT_EQ(real(plain(), "e"), std::numbers::e);
  EXPECT_NEAR(real(plain(), "cos(pi/3)"), 0.5, 1e-15);
}

TEST(AQuantity, MayHaveAUnitWithAPrefix) {
  EXPECT_EQ(real(wavelength(), "633 nm"), 6.33e-7);
  EXPECT_EQ(real(wavelength(), "633nm"), 6.33e-7);
  EXPECT_EQ(real(wavelength(), "0.1 mm"), 1e-4) << "to the bit";
  EXPECT_EQ(real(wavelength(), "0.7 \u00b5m"), 7e-7);
  EXPECT_EQ(real(wavelength(), "5*mm"), 5e-3);
  EXPECT_EQ(real(wavelength(), "3e-1mm"), 3e-4);
  EXPECT_EQ(real(wavelength(), "5 Å"), 5e-10);
  EXPECT_DOUBLE_EQ(real(wavelength(), "1/3 mm"), 1e-3 / 3) << "a third of it, not one over three";
  EXPECT_DOUBLE_EQ(real(wavelength(), "1 mm + 20 um"), 1.02e-3);
  EXPECT_DOUBLE_EQ(real(wavelength(), "1 mm - 2*100um"), 8e-4);
  EXPECT_DOUBLE_EQ(real(wavelength(), "2*pi*100 nm"), 2 * std::numbers::pi * 1e-7);

  ParameterInfo other = plain(-1e9, 1e9);
  other.unit = "V";
  EXPECT_EQ(real(other, "2.5 kV"), 2500);
  other.unit = "m/s";
  EXPECT_DOUBLE_EQ(real(other, "36 km/h"), 10);
  other.unit = "1/s";
  EXPECT_EQ(real(other, "5/s"), 5);
  EXPECT_EQ(real(other, "5 1/ms"), 5000);
  EXPECT_EQ(real(other, "3 Hz"), 3);
  other.unit = "K";
  EXPECT_EQ(real(other, "20 °C"), 293.15);
  other.unit = "°";
  EXPECT_DOUBLE_EQ(real(other, "pi/2 rad"), 90);
  EXPECT_EQ(real(other, "45°"), 45);
  other.unit = "GeV";
  EXPECT_EQ(real(other, "300 MeV"), 0.3);
  other.unit = "kg";
  EXPECT_NEAR(real(other, "28 u"), 4.65e-26, 1e-29);
  other.unit = "%";
  EXPECT_EQ(real(other, "5%"), 5);
  EXPECT_EQ(real(plain(), "50%"), 0.5);
  EXPECT_EQ(real(plain(), "2k"), 2000);
  other.unit = "ħ/(m·length²)";
  EXPECT_EQ(real(other, "5 ħ/(m·length²)"), 5) << "its own name fits";
}

TEST(AQuantity, WithoutAUnitIsInTheOneThatIsShown) {
  EXPECT_EQ(real(wavelength(), "700", "nm"), 7e-7);
  EXPECT_EQ(real(wavelength(), "2*350", "nm"), 7e-7);
  EXPECT_EQ(real(wavelength(), "0.5 µm", "nm"), 5e-7);
  EXPECT_EQ(real(wavelength(), "7e-7"), 7e-7);
}

TEST(AQuantity, OfACountIsWhole) {
  EXPECT_EQ(std::get<std::int64_t>(readValue(count(), "2^10", "")), 1024);
  EXPECT_EQ(std::get<std::int64_t>(readValue(count(), "3*(1000/3)", "")), 1000);
  EXPECT_EQ(std::get<std::int64_t>(readValue(count(), "2k", "")), 2000);
  EXPECT_EQ(toText(*refusal(count(), "100/3*10").nearest), "333");
  EXPECT_EQ(toText(*refusal(count(true), "1000").nearest), "1024");
  EXPECT_EQ(toText(*refusal(count(true), "10*100").nearest), "1024");
  EXPECT_EQ(toText(*refusal(count(), "1e300*10").nearest), "16384");
}

TEST(AQuantity, OutOfRangeOffersTheNearestValue) {
  const QuantityError far = refusal(wavelength(), "5 km");
  EXPECT_EQ(*far.nearest, Value(1.0));
  EXPECT_THAT(far.what(), AllOf(HasSubstr("wavelength = 5 km"), HasSubstr("out of range"), HasSubstr("1 pm to 1 m"),
                                HasSubstr("nearest: 1 m)")));
  EXPECT_THAT(refusal(wavelength(), "633").what(), HasSubstr("1 pm to 1 m; 633 nm? (nearest: 1 m)"));
  EXPECT_THAT(refusal(wavelength(), "-633").what(), HasSubstr("1 pm to 1 m (nearest: 1 pm)"));
  EXPECT_EQ(*refusal(wavelength(), "7").nearest, Value(1.0));
  EXPECT_EQ(*refusal(wavelength(), "-1").nearest, Value(1e-12));
  EXPECT_EQ(*refusal(plain(), "1/0").nearest, Value(1e6)) << "infinite";
  EXPECT_EQ(*refusal(plain(), "1e999").nearest, Value(1e6));
  EXPECT_FALSE(refusal(plain(), "sqrt(-1)").nearest) << "no number at all";
  EXPECT_FALSE(refusal(plain(), "nan").nearest);
}

TEST(AQuantity, ThatCannotBeReadSaysWhatWasExpected) {
  EXPECT_THAT(refusal(wavelength(), "5 kg").what(), AllOf(HasSubstr("'kg' does not fit"), HasSubstr("nm, ")));
  EXPECT_THAT(refusal(wavelength(), "5 furlong").what(), HasSubstr("'furlong' is not a known unit"));
  EXPECT_THAT(refusal(plain(), "5 mm").what(), HasSubstr("pure number"));
  ParameterInfo own = plain();
  own.unit = "length";
  EXPECT_THAT(refusal(own, "5 mm").what(), HasSubstr("has the unit length"));
  EXPECT_THAT(refusal(wavelength(), "1 + 2 mm").what(), HasSubstr("some terms have a unit"));
  EXPECT_THAT(refusal(plain(), "2*").what(), AllOf(HasSubstr("column 3"), HasSubstr("too early")));
  EXPECT_THAT(refusal(plain(), "2*/3").what(), HasSubstr("column 3: unexpected '/'"));
  EXPECT_THAT(refusal(plain(), "(1+2").what(), HasSubstr("expected ')'"));
  EXPECT_THAT(refusal(plain(), "1+2)").what(), HasSubstr("unexpected ')'"));
  EXPECT_THAT(refusal(plain(), "1,5").what(), HasSubstr("with a point"));
  EXPECT_THAT(refusal(plain(), "sqr(2)").what(), HasSubstr("did you mean 'sqrt'?"));
  EXPECT_THAT(refusal(plain(), "sqrt 2").what(), HasSubstr("in parentheses"));
  EXPECT_THAT(refusal(plain(), "sqrt(1,2)").what(), HasSubstr("sqrt"));
  EXPECT_THAT(refusal(plain(), "(5 mm)").what(), HasSubstr("within parentheses"));
  EXPECT_THAT(refusal(plain(), "").what(), HasSubstr("x"));
  ParameterInfo warm = plain();
  warm.unit = "K";
  EXPECT_THAT(refusal(warm, "20 °C + 3 K").what(), HasSubstr("cannot be added"));
}

TEST(AQuantity, IsTakenInTheNotationsOfPeople) {
  EXPECT_EQ(real(plain(), "1_000"), 1000);
  EXPECT_EQ(real(plain(), "-1_000.25"), -1000.25);
  EXPECT_EQ(std::get<std::int64_t>(readValue(count(), "1_000", "")), 1000);
  EXPECT_EQ(real(plain(), "½"), 0.5);
  EXPECT_EQ(real(plain(), "2·¼ + ¾"), 1.25);
  EXPECT_EQ(real(wavelength(), "½ mm"), 5e-4);
  EXPECT_THAT(refusal(plain(), "1½").what(), HasSubstr("column 2: unexpected '½' after a number"));
  EXPECT_THAT(refusal(plain(), "0x10").what(), HasSubstr("hexadecimal numbers are not taken; write 16"));
  EXPECT_THAT(refusal(plain(), "0xfffffffffffffffff").what(), HasSubstr("write a decimal number"));
  for (const char* text : {"1__0", "_1", "1_", "1._5"})
    EXPECT_NE(std::string(refusal(plain(), text).what()), "") << text;
}

TEST(AQuantity, ThatIsNotFiniteOrASwitchIsRefusedWithTheRangeInUnits) {
  for (const char* text : {"nan", "NaN", "inf", "-inf", "infinity"}) {
    EXPECT_EQ(std::string(refusal(wavelength(), text).what()),
              std::string("wavelength = ") + text + " is not a finite number: 1 pm to 1 m (default: 633 nm)");
  }
  for (const char* text : {"on", "False"}) {
    EXPECT_EQ(
        std::string(refusal(wavelength(), text).what()),
        std::string("wavelength = ") + text + " is the value of a switch, not a number: 1 pm to 1 m (default: 633 nm)");
  }
  EXPECT_THAT(refusal(plain(), "sqr(2)").what(), HasSubstr("did you mean 'sqrt'? Range: ")) << "one stop";
}

TEST(AQuantity, OfAFileIsRefusedWithTheRangeInUnits) {
  const auto said = [](const Value& value) -> std::string {
    try {
      return toText(checkedQuantity(wavelength(), value, "m"));
    } catch (const ParameterError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(said(6.33e-7), "6.33e-07");
  EXPECT_EQ(said(std::int64_t{1}), "1");
  EXPECT_EQ(said(std::int64_t{633}), "wavelength = 633 is out of range: 1 pm to 1 m; 633 nm? (nearest: 1 m)");
  EXPECT_EQ(said(std::string("633 m")), "wavelength = 633 m is not a number: 1 pm to 1 m (default: 633 nm)");
  EXPECT_EQ(said(-2.0), "wavelength = -2 is out of range: 1 pm to 1 m (nearest: 1 pm)");
}

TEST(AQuantity, OfGarbageIsRefusedAndNothingWorse) {
  for (const char* text :
       {"=",      "x=3",      "1=1",   "1<2",  "a?b:c", "\"5\"", "'",          "5 5",   "..",
        ".",      "1.2.3",    "0x10",  "1e",   "e e",   "()",    "(,)",        "max()", "max(",
        "5(",     "^",        "- -",   "--",   "&&",    "5;6",   "\xff\xfe",   "5\x01", "5 °°",
        "pi pi(", "sin",      "sin()", "5 %%", "1/ /2", "$",     "5 m m m m/", "inf",   "nan",
        "-nan",   "infinity", "rnd",   "_pi",  "5 ^",   "5 1/",  "*mm",        "/s",    "if(1,2,3)"}) {
    EXPECT_NE(std::string(refusal(plain(), text).what()), "") << text;
    EXPECT_NE(std::string(refusal(wavelength(), text, "nm").what()), "") << text;
  }
  refusal(plain(), std::string(100'000, '('));
  refusal(plain(), std::string(150, '(') + "1");
  EXPECT_EQ(real(plain(), std::string(60, '(') + "1" + std::string(60, ')')), 1);
}

TEST(AQuantity, ThatIsShownReadsBackTheSame) {
  const ParameterInfo info = wavelength();
  for (const double value : {6.33e-7, 5e-4, 1.0 / 3, 0.1 + 0.2, 1e-12, 1.0, 1e-3, 0.12345678901234567,
                             5.0000000000000001e-7, std::nextafter(1e-7, 1.0)}) {
    const std::string unit = shownUnit(info, value, "m");
    const std::string text = numberIn(value, "m", unit);
    EXPECT_EQ(real(info, text, unit), value) << text << " " << unit;
    EXPECT_EQ(real(info, quantityText(info, value, "m")), value) << quantityText(info, value, "m");
  }
  EXPECT_EQ(quantityText(info, 6.33e-7, "m"), "633 nm");
  EXPECT_EQ(quantityText(info, 5e-7, "m"), "500 nm");
  EXPECT_EQ(quantityText(info, 0.05, "m"), "50 mm");
  EXPECT_EQ(quantityText(count(), std::int64_t{256}, ""), "256");
  EXPECT_EQ(quantityText(plain(), 0.25, "length"), "0.25 length");
  EXPECT_EQ(quantityText(plain(), 90.0, "°"), "90°");
  EXPECT_EQ(numberIn(1e9, "m", "km"), "1000000");
  EXPECT_EQ(numberIn(1e12, "m", "km"), "1e+09");
  EXPECT_EQ(numberIn(-2.5e-4, "m", "mm"), "-0.25");
  EXPECT_EQ(numberIn(0.0, "m", "mm"), "0");
}

TEST(AQuantity, OfAnotherKindIsReadAsEverywhere) {
  ParameterInfo flag{.key = "on", .kind = Kind::Flag, .initial = false};
  EXPECT_EQ(readValue(flag, "on", ""), Value(true));
  ParameterInfo text{.key = "formula", .kind = Kind::Text, .initial = std::string()};
  EXPECT_EQ(readValue(text, "1/3", ""), Value(std::string("1/3")));
}

}  // namespace
}  // namespace simscope::formula
