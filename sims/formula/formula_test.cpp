// What a typed formula means, and which are refused with what to write instead.
#include "sims/formula/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sims/core/parameters.h"
#include "sims/core/testing/refusal.h"

namespace simscope::formula {
namespace {

using testing::HasSubstr;

std::string refusalOf(const std::string& text) {
  return tests::refusal([&] { requireSound(text, {"x", "y"}); });
}

TEST(AFormula, WithAChainOfComparisonsIsRefusedWithWhatToWrite) {
  const std::pair<const char*, const char*> chains[] = {
      {"-1<x<1", "column 5: comparisons do not chain; write -1 < x && x < 1"},
      {"0 < x <= 2 ? 3 : 0", "column 7: comparisons do not chain; write 0 < x && x <= 2"},
      {"4*(abs(x) > 1 > y)", "column 15: comparisons do not chain; write abs(x) > 1 && 1 > y"},
      {"x > 0 && -1 < y < 1 < x", "column 17: comparisons do not chain; write -1 < y && y < 1 && 1 < x"},
      {"x == y == 1", "column 8: comparisons do not chain; write x == y && y == 1"},
      {"max(0, 1 >= x > 0)", "column 15: comparisons do not chain; write 1 >= x && x > 0"},
  };
  for (const auto& [text, message] : chains) EXPECT_THAT(refusalOf(text), HasSubstr(message)) << text;
}

TEST(AFormula, WithSeveralComparisonsThatAreNoChainIsTaken) {
  for (const char* text : {"x>-1 && x<1", "(x<1) == (y<1)", "x<0 ? 1 : x<1 ? 2 : 3", "max(x<1, x>0)",
                           "abs(x)>2&&abs(x)<3.6 ? 4 : 0", "(x>0)*(x<1)", "x>0 || y>0 && x!=y"}) {
    EXPECT_EQ(refusalOf(text), "") << text;
  }
  Formula between("x>-1 && x<1", {"x", "y"});
  EXPECT_EQ(between.at({0, 0}), 1);
  EXPECT_EQ(between.at({-3, 0}), 0);
}

double valueOf(const std::string& text, double x, double y = 0) {
  requireSound(text, {"x", "y"});
  return Formula(text, {"x", "y"}).at({x, y});
}

TEST(AFormula, MeansWhatPeopleType) {
  const double x = 1.7, pi = 3.14159265358979323846;
  const std::pair<const char*, double> kTyped[] = {
      {"x**2", x * x},
      {"2**3**2", 512},
      {"-x**2", -x * x},
      {"x²", x * x},
      {"x³ - 2x² + 1", x * x * x - 2 * x * x + 1},
      {"x⁻²", 1 / (x * x)},
      {"2x", 2 * x},
      {"3(x+1)", 3 * (x + 1)},
      {"(x+1)(x-1)", (x + 1) * (x - 1)},
      {"2e3x", 2e3 * x},
      {"π·x", pi * x},
      {"−x", -x},
      {"x × 2 ÷ 4", x / 2},
      {"ħ*x", x},
      {"e^x", std::exp(x)},
      {"x ≥ 1.7 and x ≤ 2", 1},
      {"x < 0 or x > 2", 0},
      {"!(x > 2)", 1},
      {"if(x > 1, 4, x)", 4},
      {"where(x > 2, 4, if(x<0, 1, -x))", -x},
      {"2 if(x > 1, 3, 0) + 1", 7},
      {"max(0,5)", 5},
      {"floor(-x) + ceil(x) + round(2.5) + rint(2.5) + round(-0.5)", -2 + 2 + 3 + 2 - 1},
      {"mod(-1, 3)", 2},
      {"heaviside(x) + heaviside(0) + heaviside(-x)", 1.5},
      {"erf(x)", std::erf(x)},
      {"pow(x, 3)", x * x * x},
      {"log(e) + ln(e)", 2},
      {"max(x;1)", x},
      {"if(x > 1; 4; x)", 4},
      {"x > 1 AND x < 2", 1},
      {"x < 1 OR x > 3", 0},
      {"½x", x / 2},
      {"x^½ - ¼", std::sqrt(x) - 0.25},
      {"x(x+1)", x * (x + 1)},
      {"x (x+1) + 2x(x-1)", x * (x + 1) + 2 * x * (x - 1)},
      {"pi(x)", pi * x},
      {"true + 2*False", 1},
      {"0x + 1", 1},
      {"0.5 && 1", 1},
      {"2x²y + --x", x},
  };
  for (const auto& [text, value] : kTyped) EXPECT_DOUBLE_EQ(valueOf(text, x), value) << text;
}

TEST(AFormula, HasTheSameBitsInLanesAndAlone) {
  std::vector<double> x, y;
  for (int i = 0; i < 203; ++i) {
    x.push_back(0.07 * i - 7);
    y.push_back(std::sin(1.0 * i));
  }
  std::vector<double> lanes(x.size());
  const double* const places[] = {x.data(), y.data()};
  for (const char* text :
       {"x", "2.5", "3*(x - 0.1) + y/3", "x^2 + y^3 - x^4 + x^5", "sin(x)*exp(-y^2)", "x < 0 ? -x : y < 0 ? 1/y : x*y",
        "if(x < -9, sqrt(x), 2)", "x < 9 ? x : y", "min(x, y, 1) + max(x, y) + avg(x, y, 3)", "mod(x, 2) + atan2(y, x)",
        "!(x > y) + (x >= 1 && y != 0 || x == y)"}) {
    Formula formula(text, {"x", "y"});
    formula.over(places, lanes);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(lanes[i], formula.at({x[i], y[i]})) << text << ' ' << i;
  }
}

TEST(AFormula, HasInverseHyperbolicFunctionsOfAllNumbers) {
  EXPECT_DOUBLE_EQ(valueOf("asinh(x)", -1e9), -21.416413017506354) << "-ln(2·10⁹)";
  EXPECT_DOUBLE_EQ(valueOf("asinh(x)", 1e-20), 1e-20);
  EXPECT_DOUBLE_EQ(valueOf("acosh(x)", 1e200), 461.2101657793691) << "ln(2·10²⁰⁰)";
  EXPECT_DOUBLE_EQ(valueOf("atanh(x)", -1e-20), -1e-20);
  EXPECT_EQ(valueOf("log2(x)", 536870912), 29);
  EXPECT_EQ(valueOf("1/abs(x)", -0.0), INFINITY);
}

TEST(AFormula, IsReadHoweverManyParenthesesItHas) {
  EXPECT_EQ(valueOf(std::string(2000, '(') + "x" + std::string(2000, ')'), 3), 3);
  EXPECT_EQ(valueOf(std::string(999, '-') + "x", 3), -3);
  std::string tower = "1";
  for (int i = 0; i < 2000; ++i) tower += "^x";
  EXPECT_EQ(valueOf(tower, 3), 1);
  EXPECT_THAT(refusalOf(std::string(4000, '-') + "x"), HasSubstr("nested more than 3000 deep"));
  EXPECT_THAT(refusalOf(std::string(5000, '1')), HasSubstr("at most 4096"));
}

TEST(AFormula, ThatMightMeanTwoThingsIsRefusedWithWhatToWrite) {
  const std::pair<const char*, const char*> kFaults[] = {
      {"1/2x", "column 4: write the * of this product"},
      {"2^-2x", "column 5: write the * of this product"},
      {"x^2(y+1)", "column 4: write the * of this product"},
      {"|x| < 2", "column 1: write abs(x) for |x|"},
      {"2*|x|", "column 3: write abs(x) for |x|"},
      {"3!", "column 2: factorials are not known; write 6 for 3!"},
      {"x!", "column 2: factorials are not known; write the number"},
      {"0,5*x", "column 2: decimals are written with a point: 0.5"},
      {"(1,25 + x)", "column 3: decimals are written with a point: 1.25"},
      {"x % 2", "column 3: write mod(x, y)"},
      {"√x", "column 1: write sqrt(…) for √"},
      {"x | y", "column 3: write || for 'or', and abs(x) for |x|"},
      {"x & y", "column 3: write && for 'and'"},
      {"not x", "column 1: write (…) == 0 for 'not'"},
      {"if(x > 1, 2)", "column 12: expected three arguments: if(condition"},
      {"x + é", "column 5: 'é' has no meaning in a formula"},
      {"²", "column 1: expected a number, a name, or ')' before the raised digit"},
      {"x x", "column 3: unexpected 'x'"},
      {"sin²(x)", "column 1: write sin(…)^2"},
      {"1 + sin^3(x)", "column 5: write sin(…)^3"},
      {"tan⁻¹(x)", "column 1: write tan(…)^-1, or atan(…)"},
      {"max(0,5;1)", "column 8: arguments are divided by commas, and decimals are written with a point"},
      {"x; y", "column 2: unexpected ';'"},
      {"2½", "column 2: write this number with a decimal point"},
      {"1/x(x+1)", "column 4: write the * of this product"},
      {"2*1e400", "column 3: 1e400 is too large; numbers reach up to 1.7e308"},
      {"x*0x10", "column 3: write 16 for 0x10"},
      {"1_000x", "column 1: write 1000 without '_'"},
      {"np.sin(x)", "column 1: write sin for np.sin"},
      {"x²3", "column 3: unexpected '3'; expected an operator"},
      {"max(x, 1) + pow(x, 2, y)", "column 23: too many arguments for pow"},
      {"(x ? 1) + 2", "column 7: expected ':' and the other value"},
      {"max(x,)", "column 7: unexpected ')'"},
      {"2*math.pi", "column 3: write pi for math.pi"},
      {"numpy.round(x)", "column 1: write rint for numpy.round"},
  };
  for (const auto& [text, message] : kFaults) EXPECT_THAT(refusalOf(text), HasSubstr(message)) << text;
}

TEST(AFormula, FaultBehindTranslatedTextIsToldAtItsTypedColumn) {
  EXPECT_THAT(refusalOf("π·x² + quux"), HasSubstr("column 8: 'quux' is not known"));
  EXPECT_THAT(refusalOf("if(x>1, 2, 3) + * y"), HasSubstr("column 17: unexpected '*'"));
  EXPECT_THAT(refusalOf("x² + 0 < x < 2"),
              HasSubstr("column 12: comparisons do not chain; write x^2 + 0 < x && x < 2"));
}

TEST(AFormula, ProposesNoNameForOneLetter) {
  EXPECT_THAT(refusalOf("q + 1"),
              testing::AllOf(HasSubstr("'q' is not known; expected"), testing::Not(HasSubstr("did you mean"))));
  EXPECT_THAT(refusalOf("sni(x)"), HasSubstr("'sni' is not known; did you mean 'sin'? Expected: a number"));
}

}  // namespace
}  // namespace simscope::formula
