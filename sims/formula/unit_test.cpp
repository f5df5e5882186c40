#include "sims/formula/unit.h"

#include <gtest/gtest.h>

#include <cmath>

namespace simscope::formula {
namespace {

double inSi(std::string_view text) {
  const std::optional<Unit> unit = readUnit(text);
  return unit ? unit->factor * std::pow(10.0, unit->decade) : std::nan("");
}

TEST(AUnit, IsReadWithItsPrefix) {
  EXPECT_DOUBLE_EQ(inSi("nm"), 1e-9);
  EXPECT_DOUBLE_EQ(inSi("mm"), 1e-3);
  for (const char* micro : {"um", "\u00b5m", "\u03bcm"}) EXPECT_DOUBLE_EQ(inSi(micro), 1e-6) << micro;
  for (const char* ohm : {"kohm", "k\u03a9", "k\u2126"}) EXPECT_DOUBLE_EQ(inSi(ohm), 1e3) << ohm;
  EXPECT_DOUBLE_EQ(inSi("kg"), 1);
  EXPECT_DOUBLE_EQ(inSi("min"), 60) << "a minute, no milli-inch";
  EXPECT_DOUBLE_EQ(inSi("GeV"), 1.602176634e-10);
  EXPECT_DOUBLE_EQ(inSi("%"), 0.01);
  EXPECT_DOUBLE_EQ(inSi(""), 1);
}

TEST(AUnit, MayBeOfSeveral) {
  EXPECT_DOUBLE_EQ(inSi("km/h"), 1 / 3.6);
  EXPECT_DOUBLE_EQ(inSi("m/s²"), 1);
  EXPECT_DOUBLE_EQ(inSi("mm^2"), 1e-6);
  EXPECT_DOUBLE_EQ(inSi("cm⁻¹"), 100);
  EXPECT_DOUBLE_EQ(inSi("1/mm"), 1000);
  EXPECT_EQ(readUnit("W/(m·K)")->dimension, readUnit("W m⁻¹ K⁻¹")->dimension);
  EXPECT_EQ(readUnit("N")->dimension, readUnit("kg m/s²")->dimension);
  EXPECT_EQ(readUnit("V")->dimension, readUnit("W/A")->dimension);
  EXPECT_EQ(readUnit("T")->dimension, readUnit("V s/m²")->dimension);
  EXPECT_NE(readUnit("°")->dimension, readUnit("%")->dimension);
}

TEST(AUnit, OfASimulationOrOfNothingIsNone) {
  for (const char* text : {"length",
                           "ħ/(m·length²)",
                           "half-width",
                           "radii",
                           "σ",
                           "x²/t",
                           "mean free times",
                           "mmm",
                           "foo",
                           "m/",
                           "/s",
                           "m^",
                           "m^x",
                           "(m",
                           "m)",
                           "((((((m))))))",
                           "1",
                           "m^99",
                           "°C/m",
                           "°C²",
                           "²",
                           "m 5",
                           "1/1000 iterations",
                           "\xff",
                           "\xc2",
                           "kmin"}) {
    EXPECT_FALSE(readUnit(text)) << text;
  }
}

TEST(AUnit, SuitsTheNumber) {
  EXPECT_EQ(suitedUnit("m", 5e-4, 5e-4), "mm");
  EXPECT_EQ(suitedUnit("m", 6.33e-7, 6.33e-7), "nm");
  EXPECT_EQ(suitedUnit("m", 5e-7, 6.33e-7), "nm") << "as wavelengths usually are";
  EXPECT_EQ(suitedUnit("m", 5e-7, 1), "\u00b5m");
  EXPECT_EQ(suitedUnit("m", 1e-12, 6.33e-7), "pm");
  EXPECT_EQ(suitedUnit("m", 1, 1), "m");
  EXPECT_EQ(suitedUnit("m", 1e9, 1), "km");
  EXPECT_EQ(suitedUnit("m", 0, 6.33e-7), "nm");
  EXPECT_EQ(suitedUnit("m", -0.02, 1), "mm");
  EXPECT_EQ(suitedUnit("nm", 0.37, 0.37), "nm");
  EXPECT_EQ(suitedUnit("nm", 2e6, 0.37), "mm");
  EXPECT_EQ(suitedUnit("s", 0.25, 0.25), "s");
  EXPECT_EQ(suitedUnit("s", 1e-4, 0.25), "ms");
  EXPECT_EQ(suitedUnit("s", 1e7, 0.25), "s") << "nobody says megaseconds";
  EXPECT_EQ(suitedUnit("GeV", 1e-5, 2.5), "keV");
  for (const char* unit : {"K", "kg", "m/s", "length", "", "°"}) EXPECT_EQ(suitedUnit(unit, 1e-7, 1), unit);
  EXPECT_EQ(suitedUnit("m", std::nan(""), 1), "m");
}

TEST(AUnit, NamesItsMultiples) {
  EXPECT_EQ(multiplesOf("m"), "pm, nm, \u00b5m, mm, m, km");
  EXPECT_EQ(multiplesOf("m/s"), "m/s");
}

}  // namespace
}  // namespace simscope::formula
