// Bounds hold every value, whatever the formula; what has one outcome in a box has no jump there.
#include "sims/formula/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "sims/formula/formula.h"

namespace simscope::formula {
namespace {

const std::vector<std::string> kPlane = {"x", "y"};

void expectBounded(const std::string& text, std::mt19937& random) {
  requireSound(text, kPlane);
  const Bounds bounds(text, kPlane);
  Formula formula(text, kPlane);
  const auto uniform = [&](double from, double to) { return std::uniform_real_distribution<>(from, to)(random); };
  for (int k = 0; k < 60; ++k) {
    const double size = std::pow(10, uniform(-3, 1)), x = uniform(-4, 4), y = uniform(-4, 4);
    const Interval box[] = {{x, x + size, false}, {y, y + uniform(0, 1) * size, false}};
    bool may_jump = false;
    const Interval found = bounds.over(box, may_jump);
    for (int i = 0; i < 20; ++i) {
      const double u = uniform(box[0].low, box[0].high), v = uniform(box[1].low, box[1].high);
      const double value = formula.at({u, v});
      if (std::isnan(value)) {
        ASSERT_TRUE(found.partly) << text << " at " << u << ", " << v;
      } else {
        ASSERT_TRUE(value >= found.low && value <= found.high)
            << text << " is " << value << " at " << u << ", " << v << ", beyond " << found.low << " … " << found.high;
      }
    }
  }
}

TEST(Bounds, HoldAllValuesOfEveryFunctionAndOperator) {
  std::mt19937 random(1);
  for (const std::string& name : functionNames()) {
    if (name == "rnd") continue;
    const bool two = name == "mod" || name == "pow" || name == "atan2";
    const bool many = name == "min" || name == "max" || name == "sum" || name == "avg";
    for (const char* inner : {"x", "x*y", "sin(3*x) - y", "0.3*x"}) {
      expectBounded(name + "(" + inner + (two ? ", y)" : many ? ", y, 0.5)" : ")"), random);
    }
  }
  for (const char* text :
       {"x + y - 2*x", "x/y", "x/(y^2 + 1)", "-x^2", "2^-x", "x^y", "x^3 - y^-2", "(x^2)^0.5", "x < y",
        "x >= 2 ? y : x", "x*y > 1 && x < 2 || !(y < 0)", "x <= 1 ? x != y ? 1 : 2 : x == y", "2^3^2 - x",
        "-x*y + !x*2", "1e-3x + .5y", "floor(x) + 1 == 2", "sqrt(x) > 1 ? 5 : 0", "(x - 1)(y + 2)", "pi*e*hbar/m"}) {
    expectBounded(text, random);
  }
}

TEST(Bounds, OfWhatHasOneOutcomeSayThatItDoesNotJump) {
  const auto may = [](const std::string& text, double from, double to) {
    const Interval box[] = {{from, to, false}, {1, 1.1, false}};
    return Bounds(text, kPlane).mayJump(box);
  };
  EXPECT_TRUE(may("abs(x-3.05)<0.02 ? 5 : 0", 3, 3.1));
  EXPECT_FALSE(may("abs(x-3.05)<0.02 ? 5 : 0", 3.071, 3.1));
  EXPECT_TRUE(may("floor(x)", 1.9, 2.1));
  EXPECT_FALSE(may("floor(x)", 1.1, 1.9));
  EXPECT_FALSE(may("floor(x) + 1 == 2 ? 1 : 0", 1.1, 1.9));
  EXPECT_FALSE(may("sin(x) > 2 ? 1 : 0", -100, 100));
  EXPECT_FALSE(may("sqrt(x) > 1 ? 5 : 0", -3, -1)) << "nothing is compared with NaN";
  EXPECT_FALSE(may("x < -1 && floor(9*x) > 2", 0, 1)) << "the second is never asked";
  EXPECT_FALSE(may("x > -1 ? x^2 : floor(x)", 0, 2));
  EXPECT_FALSE(may("atan2(y, x)", -3, 3)) << "off the negative x axis";
  EXPECT_TRUE(may("atan2(y - 1.05, x)", -3, -2));
  EXPECT_FALSE(Bounds("x^2 + sin(y)", kPlane).hasSteps());
  EXPECT_FALSE(Bounds(std::string(1500, '(') + "x" + std::string(1500, ')') + " > 0", kPlane).hasSteps())
      << "nested too deep";
}

}  // namespace
}  // namespace simscope::formula
