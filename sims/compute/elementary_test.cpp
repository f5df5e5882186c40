// Elementary functions of specified bits, against long double ones, whose digits are more.
#include "sims/compute/elementary.h"

#include <gtest/gtest.h>

#include <limits>

namespace simscope::compute {
namespace {

using Double = double (*)(double);
using Long = long double (*)(long double);

struct Claim {
  const char* name;
  Double ours;
  Long exact;
  double low, high, ulps;
};

// In units of the last place of the exact value.
double errorOf(double value, long double exact) {
  const double near = std::fabs(static_cast<double>(exact));
  const long double ulp = static_cast<long double>(std::nextafter(near, HUGE_VAL)) - near;
  return static_cast<double>(std::fabs((value - exact) / ulp));
}

TEST(Elementary, FunctionsHaveTheErrorsThatTheyState) {
  const Claim claims[] = {
      {"sine", sine, [](long double x) { return std::sin(x); }, -10, 10, 1},
      {"cosine", cosine, [](long double x) { return std::cos(x); }, -10, 10, 1},
      {"sine", sine, [](long double x) { return std::sin(x); }, -1e6, 1e6, 1},
      {"cosine", cosine, [](long double x) { return std::cos(x); }, 1e7, 1e13, 1},
      {"tangent", tangent, [](long double x) { return std::tan(x); }, -10, 10, 3},
      {"exponential", exponential, [](long double x) { return std::exp(x); }, -708, 709, 1},
      {"exponential", exponential, [](long double x) { return std::exp(x); }, -1, 1, 1},
      {"logarithm", logarithm, [](long double x) { return std::log(x); }, 0.2, 5, 1},
      {"logarithm", logarithm, [](long double x) { return std::log(x); }, 1e-300, 1e300, 1},
      {"logarithmOfOnePlus", logarithmOfOnePlus, [](long double x) { return std::log1p(x); }, -0.9, 1, 4},
      {"cubeRoot", cubeRoot, [](long double x) { return std::cbrt(x); }, -30, 30, 1},
      {"arcTangent", arcTangent, [](long double x) { return std::atan(x); }, -4, 4, 2},
      {"arcSine", arcSine, [](long double x) { return std::asin(x); }, -1, 1, 4},
      {"hyperbolicSine", hyperbolicSine, [](long double x) { return std::sinh(x); }, -2, 2, 4},
      {"hyperbolicSine", hyperbolicSine, [](long double x) { return std::sinh(x); }, -710, 710, 4},
      {"hyperbolicCosine", hyperbolicCosine, [](long double x) { return std::cosh(x); }, -710, 710, 4},
      {"hyperbolicTangent", hyperbolicTangent, [](long double x) { return std::tanh(x); }, -3, 3, 4},
      {"areaSine", areaSine, [](long double x) { return std::asinh(x); }, -3, 3, 4},
      {"areaCosine", areaCosine, [](long double x) { return std::acosh(x); }, 1, 3, 4},
      {"areaTangent", areaTangent, [](long double x) { return std::atanh(x); }, -0.99, 0.99, 4},
      {"errorFunction", errorFunction, [](long double x) { return std::erf(x); }, -5, 5, 16},
  };
  constexpr int kPlaces = 3001;
  for (const Claim& c : claims) {
    for (int i = 0; i < kPlaces; ++i) {
      const double x = c.low + (c.high - c.low) * (i + 0.318) / kPlaces;
      ASSERT_LE(errorOf(c.ours(x), c.exact(static_cast<long double>(x))), c.ulps) << c.name << " of " << x;
    }
  }
}

TEST(Elementary, TurnsAndPowersHaveTheErrorsThatTheyState) {
  // Of the rest to the nearest half turn, where the product with 2π is small wherever the sine is.
  const auto sineOfTurn = [](long double u) {
    constexpr long double kTwoPi = 6.28318530717958647692528676655900577L;
    const long double rest = std::remainder(u, 0.5L);
    return std::remainder(u - rest, 1.0L) == 0 ? std::sin(kTwoPi * rest) : -std::sin(kTwoPi * rest);
  };
  for (int i = 0; i < 3001; ++i) {
    const double u = -3 + 6 * (i + 0.318) / 3001;
    ASSERT_LE(errorOf(sineOfTurns(u), sineOfTurn(u)), 1) << u;
    ASSERT_LE(errorOf(cosineOfTurns(u), sineOfTurn(static_cast<long double>(u) + 0.25L)), 1) << u;
    for (const double b : {-2.0 / 3, 10.3, 0.5, -31.7, 1.0 / 7}) {
      const double a = std::exp(-10 + 30 * (i + 0.5) / 3001);
      ASSERT_LE(errorOf(power(a, b), std::pow(static_cast<long double>(a), static_cast<long double>(b))), 4) << a;
    }
  }
  EXPECT_EQ(cosineOfTurns(0.25), 0);
  EXPECT_EQ(sineOfTurns(0.5), 0);
  EXPECT_EQ(sineOfTurns(-0.75), 1);
  for (const double x : {0.0, 1.0, -8.0, 27.0, 0x1p-340, -0x3p300}) EXPECT_EQ(cubeRoot(x * x * x), x);
}

TEST(Elementary, WhatIsNotFiniteOrZeroIsAsInCmath) {
  const double infinity = HUGE_VAL, least = std::numeric_limits<double>::denorm_min();
  const double special[] = {0.0, -0.0,  infinity, -infinity, std::numeric_limits<double>::quiet_NaN(),
                            1,   -1,    2,        -2,        0.5,
                            3,   1e308, least,    -745.2,    710};
  const auto same = [](double ours, double theirs) {
    if (std::isnan(theirs)) return std::isnan(ours);
    return (ours == theirs && std::signbit(ours) == std::signbit(theirs)) ||
           std::fabs(ours - theirs) <= 1e-15 * std::fabs(theirs);
  };
  const std::pair<Double, Double> pairs[] = {
      {sine, [](double x) { return std::sin(x); }},
      {cosine, [](double x) { return std::cos(x); }},
      {tangent, [](double x) { return std::tan(x); }},
      {exponential, [](double x) { return std::exp(x); }},
      {logarithm, [](double x) { return std::log(x); }},
      {logarithmOfOnePlus, [](double x) { return std::log1p(x); }},
      {cubeRoot, [](double x) { return std::cbrt(x); }},
      {arcTangent, [](double x) { return std::atan(x); }},
      {arcSine, [](double x) { return std::asin(x); }},
      {hyperbolicSine, [](double x) { return std::sinh(x); }},
      {hyperbolicCosine, [](double x) { return std::cosh(x); }},
      {hyperbolicTangent, [](double x) { return std::tanh(x); }},
      {areaSine, [](double x) { return std::asinh(x); }},
      {areaCosine, [](double x) { return std::acosh(x); }},
      {areaTangent, [](double x) { return std::atanh(x); }},
      {errorFunction, [](double x) { return std::erf(x); }},
  };
  for (std::size_t k = 0; k < std::size(pairs); ++k) {
    for (const double x : special) {
      EXPECT_TRUE(same(pairs[k].first(x), pairs[k].second(x))) << k << " of " << x << ": " << pairs[k].first(x);
    }
  }
  for (const double a : special) {
    for (const double b : special) {
      EXPECT_TRUE(same(power(a, b), std::pow(a, b))) << a << "^" << b << " is " << power(a, b);
      EXPECT_TRUE(same(arcTangent2(a, b), std::atan2(a, b))) << a << ", " << b << ": " << arcTangent2(a, b);
    }
  }
}

}  // namespace
}  // namespace simscope::compute
