#include "sims/tunneling/resonant_integral.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

namespace simscope::tunneling {
namespace {

using C = std::complex<double>;

// γ/((s - s₀)² + γ²), whose integral is an arctangent.
ResonantIntegrand peak(double place, double width) {
  ResonantIntegrand f;
  f.crossed = [=](double s) { return Crossed{C(s - place, width), 1.0, 0.0}; };
  f.value = [=](double, const Crossed& crossed) { return width / std::norm(crossed.under); };
  f.panel = 1;
  f.smooth = 10;
  return f;
}

TEST(ResonantIntegral, APeakOfAnyWidthHasItsArea) {
  for (const double width : {1.0, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12}) {
    for (const double place : {0.3, 1.0, 2.718281828459045}) {
      const double area = std::atan((4 - place) / width) + std::atan(place / width);
      // Where a peak lies is known to a rounding error, of which its area depends only through the ends.
      EXPECT_NEAR(integrate(peak(place, width), 0, 4).value, area, width < 1e-10 ? 1e-3 : 1e-6)
          << width << ", " << place;
      if (width > 1e-7) {
        EXPECT_NEAR(integrate(peak(place, width), 0, 4).value, area, 1e-8) << width << ", " << place;
      }
    }
  }
}

// 1/|D|² with D = (s - a + iγ)(s - b + iγ): two peaks that begin to be one.
TEST(ResonantIntegral, TwoPeaksSideBySideAreBothFound) {
  const double width = 1e-5;
  for (const double apart : {1e-5, 1e-3, 0.1}) {
    ResonantIntegrand f = peak(1, width);
    f.crossed = [=](double s) { return Crossed{C(s - 1, width) * C(s - 1 - apart, width), 0.0, 0.0}; };
    // ∫1/|D|² ds over all s, by residues.
    const double whole = 2 * std::acos(-1.0) / width / (apart * apart + 4 * width * width);
    f.value = [=](double, const Crossed& crossed) { return 1 / (std::norm(crossed.under) * whole); };
    EXPECT_NEAR(integrate(f, -3, 5).value, 1, 1e-4) << apart;
  }
}

TEST(ResonantIntegral, ScalesFarBeyondWhatNumbersHoldCancel) {
  ResonantIntegrand f = peak(1, 0.1);
  f.crossed = [](double s) { return Crossed{C(s - 1, 0.1), 1.0, 5000 + s}; };
  f.value = [](double s, const Crossed& crossed) {
    return std::norm(crossed.back / crossed.under) * std::exp(-s) * std::exp(s);
  };
  EXPECT_NEAR(integrate(f, 0, 2).value, 2 * std::atan(10.0) / 0.1, 1e-8);
}

TEST(ResonantIntegral, SaysWhenItsCallsDoNotSuffice) {
  ResonantIntegrand f = peak(1, 0.1);
  EXPECT_TRUE(integrate(f, 0, 4).whole);
  f.most = 50;
  EXPECT_FALSE(integrate(f, 0, 4).whole);
  EXPECT_EQ(integrate(f, 4, 4).value, 0);
}

}  // namespace
}  // namespace simscope::tunneling
