// The compiled formula: its values beside the evaluation on the host, its gradients beside central differences, its
// errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sims/descent/formula.h"
#include "sims/descent/testing.h"
#include "sims/formula/formula.h"

namespace simscope::descent {
namespace {

using testing::HasSubstr;

std::string complaintOf(const std::string& formula) {
  return simscope::tests::refusal([&] { (void)compile(formula); });
}

// What both must agree on.
const char* const kFormulas[] = {
    "x^2 + y^2",
    "-x^2",
    "2^-x",
    "2^x^2",
    "(x - 1)^3 * y",
    "x^1.5 + abs(y)^y",
    "-2^2",
    "1 - 2 - 3*x/4/5",
    "sin(3*x)*cos(2*y) + tan(x/4)",
    "exp(-x^2 - y^2) - log(2 + x*y + 9)",
    "sqrt(x^2 + 1) + abs(y - x)",
    "min(x, y, 0.5) + max(x*y, 1, y)",
    "x > y ? x^2 : y^3",
    "x < 0 ? -x : x < 1 ? x^2 : 2*x - 1",
    "(x >= 1) + (y <= 2)*2 + (x == x)",
    "x != y && y > 0 || x < -1",
    "tanh(x) + sign(y) + log10(3 + abs(x))",
    "1e-3*x + .5*y + 2.5e2",
    "-(-x) + +y",
    "(1 - x)^2 + 100*(y - x^2)^2",
    "x*-y",
    "ln(4 + x) * pi",
    "3*x^2*y^0 + x^10",
    "asin(x/4) + acos(y/4) + atan(x) + atan2(y, x)",
    "sinh(x) - cosh(y) + asinh(x) + acosh(4 + y) + atanh(x/4)",
    "log2(4 + x) + sum(x, y, 2) * avg(x, y)",
};

TEST(Formula, ValuesAreThoseOfTheOtherSimulations) {
  for (const char* text : kFormulas) {
    formula::Formula other(text, {"x", "y"});
    const Program program = compile(text);
    for (double x = -2.9; x < 3; x += 0.37) {
      for (double y = -2.7; y < 3; y += 0.41) {
        const double expected = other.at({x, y}), value = evaluate(program, x, y);
        if (std::isnan(expected)) {
          EXPECT_TRUE(std::isnan(value)) << text << " at " << x << ", " << y;
        } else {
          EXPECT_NEAR(value, expected, 1e-12 * (1 + std::abs(expected))) << text << " at " << x << ", " << y;
        }
      }
    }
  }
  EXPECT_EQ(evaluate(compile("pow(2, 3) + e - e"), 0.0, 0.0), 8);
}

TEST(Formula, KnowsWhatTheOtherSimulationsKnow) {
  for (const std::string& name : formula::functionNames()) {
    const bool two = name == "mod" || name == "pow" || name == "atan2";
    EXPECT_EQ(complaintOf(name + (two ? "(x, y)" : "(x)")), "");
  }
  for (const char* text :
       {"x**2 + 2y - π", "if(x > y and y > 0, x², -y)", "floor(x) + ceil(y) + round(2*x) + rint(2*y)",
        "mod(x, y) + heaviside(x) + erf(y)", "pow(x, 2) + e", "!(x > 1)", "hbar*x - y/m", "--x + min(x; y)"}) {
    formula::requireSound(text, {"x", "y"});
    formula::Formula other(text, {"x", "y"});
    const Program program = compile(text);
    for (double x = -2.75; x < 3; x += 0.25) {
      for (double y = -2.65; y < 3; y += 0.5) EXPECT_NEAR(evaluate(program, x, y), other.at({x, y}), 4e-15) << text;
    }
  }
  const Dual at = evaluate(compile("erf(x) + mod(y, 2)"), Dual(0.3, 1, 0), Dual(2.5, 0, 1));
  EXPECT_DOUBLE_EQ(at.x, 2 / std::sqrt(std::numbers::pi) * std::exp(-0.09));
  EXPECT_DOUBLE_EQ(at.y, 1);
}

// Of the eight places none lies where a formula has a jump or a corner.
TEST(Formula, GradientsAreThoseOfCentralDifferences) {
  const double h = 1e-5;
  for (const char* text : kFormulas) {
    const Program program = compile(text);
    for (const double x : {-1.63, -0.37, 0.41, 1.71}) {
      for (const double y : {0.29, 1.13}) {
        const Dual at = differentiate(Typed{program}, x, y);
        const double by_x = (evaluate(program, x + h, y) - evaluate(program, x - h, y)) / (2 * h);
        const double by_y = (evaluate(program, x, y + h) - evaluate(program, x, y - h)) / (2 * h);
        if (std::isnan(by_x)) continue;
        EXPECT_EQ(at.v, evaluate(program, x, y)) << text << ": the same bits with and without derivatives";
        EXPECT_NEAR(at.x, by_x, 1e-7 * (1 + std::abs(by_x))) << text << " at " << x << ", " << y;
        EXPECT_NEAR(at.y, by_y, 1e-7 * (1 + std::abs(by_y))) << text << " at " << x << ", " << y;
      }
    }
  }
}

TEST(Surfaces, GradientsAreThoseOfCentralDifferencesAndValuesThoseOfTypedFormulas) {
  const std::pair<const char*, const char*> kTyped[] = {
      {"rosenbrock", "(1-x)^2 + 100*(y-x^2)^2"},
      {"himmelblau", "(x^2+y-11)^2 + (x+y^2-7)^2"},
      {"rastrigin", "20 + x^2 - 10*cos(2*pi*x) + y^2 - 10*cos(2*pi*y)"},
      {"beale", "(1.5-x+x*y)^2 + (2.25-x+x*y^2)^2 + (2.625-x+x*y^3)^2"},
      {"ackley", "20 - 20*exp(-0.2*sqrt(0.5*(x^2+y^2))) + e - exp(0.5*(cos(2*pi*x) + cos(2*pi*y)))"}};
  for (const auto& [key, formula] : kTyped) {
    const std::string name = key;  // clang 14 takes no structured binding into a lambda
    const Program program = compile(formula);
    withSurface(tests::parametersWith({{"surface", name}}).surfaceData(), [&](const auto& f) {
      for (double x = -3.1; x < 3.3; x += 0.73) {
        for (double y = -2.9; y < 3; y += 0.61) {
          const double h = 1e-5, value = f(x, y);
          const Dual at = differentiate(f, x, y), typed = differentiate(Typed{program}, x, y);
          EXPECT_NEAR(value, typed.v, 1e-12 * (1 + std::abs(value))) << name;
          EXPECT_NEAR(at.x, typed.x, 1e-11 * (1 + std::abs(at.x))) << name;
          EXPECT_NEAR(at.y, typed.y, 1e-11 * (1 + std::abs(at.y))) << name;
          EXPECT_NEAR(at.x, (f(x + h, y) - f(x - h, y)) / (2 * h), 1e-6 * (1 + std::abs(at.x))) << name;
          EXPECT_NEAR(at.y, (f(x, y + h) - f(x, y - h)) / (2 * h), 1e-6 * (1 + std::abs(at.y))) << name;
        }
      }
    });
  }
}

TEST(Formula, ErrorsTellTheColumnAndWhatWasExpected) {
  const std::pair<const char*, std::pair<const char*, const char*>> kFaults[] = {
      {"", {"column 1:", "empty"}},
      {"x + ", {"column 5:", "ends too early"}},
      {"x + * y", {"column 5:", "unexpected '*'"}},
      {"(x + y", {"column 7:", "expected ')'"}},
      {"x + y)", {"column 6:", "unexpected ')'"}},
      {"x 2", {"column 3:", "expected an operator"}},
      {"sni(x)", {"column 1:", "did you mean 'sin'"}},
      {"1 + sin x", {"column 5:", "needs its argument"}},
      {"pow(x)", {"column 6:", "too few arguments"}},
      {"sin(x, y)", {"column 8:", "too many arguments"}},
      {"x > 0 ? 1", {"column 10:", "expected ':'"}},
      {"x = 3", {"column 3:", "write =="}},
      {"-1 < x < 1", {"column 8:", "write -1 < x && x < 1"}},
      {"x, y", {"column 2:", "unexpected ','"}},
      {"é*x", {"column 1:", "has no meaning"}},
      {"1e999", {"column 1:", "too large"}},
  };
  for (const auto& [formula, expected] : kFaults) {
    EXPECT_THAT(complaintOf(formula), HasSubstr("formula")) << formula;
    EXPECT_THAT(complaintOf(formula), HasSubstr(expected.first)) << formula;
    EXPECT_THAT(complaintOf(formula), HasSubstr(expected.second)) << formula;
  }
}

TEST(Formula, LengthDepthAndNestingAreBounded) {
  std::string sum = "x", deep = "x", nested = "x";
  for (int i = 0; i < 58; ++i) sum += "+x";
  EXPECT_EQ(complaintOf(sum), "");
  for (int i = 0; i < 10; ++i) sum += "+x";
  EXPECT_THAT(complaintOf(sum), HasSubstr("too long"));
  for (int i = 0; i < 15; ++i) deep = "x+(" + deep + ")";
  EXPECT_EQ(complaintOf(deep), "") << "sixteen values";
  EXPECT_THAT(complaintOf("x+(" + deep + ")"), HasSubstr("intermediate values"));
  for (int i = 0; i < 200; ++i) nested = "(" + nested + ")";
  EXPECT_THAT(complaintOf(nested), HasSubstr("nested"));
  EXPECT_THAT(complaintOf(std::string(300, '-') + "x"), HasSubstr("nested"));
  EXPECT_THAT(complaintOf(std::string(2000, ' ') + "x"), HasSubstr("at most"));
  EXPECT_EQ(evaluate(compile(deep), 1.0, 0.0), 16);
}

TEST(Formula, AFaultIsOneOfTheParameterAndOnlyWhereItMatters) {
  const auto made = [](const char* surface, const char* formula) {
    return simscope::tests::refusedParameter([&] {
      tests::Session({{"starts", "16"}, {"surface", surface}, {"formula", formula}});
    });
  };
  EXPECT_EQ(made("formula", "x +"), "formula");
  EXPECT_EQ(made("formula", "sqrt(-1 - x^2)"), "formula") << "no number anywhere";
  EXPECT_EQ(made("bowl", "x +"), "");
}

TEST(Dual, SlopesAreNumbersWhereFunctionsHaveNone) {
  for (const char* formula : {"sqrt(x^2 + y^2)", "abs(x) + abs(y)", "x^0.5 + y^1.5", "min(x, y)", "x^y"}) {
    const Dual at = differentiate(Typed{compile(formula)}, 0, 0);
    EXPECT_TRUE(std::isfinite(at.v) || std::string(formula) == "x^y") << formula;
    EXPECT_FALSE(std::isnan(at.x) || std::isnan(at.y)) << formula;
  }
}

}  // namespace
}  // namespace simscope::descent
