#include "sims/schrodinger2d/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::parametersWith;

constexpr double kLength = 60;

struct Motion {
  double x0, k0, sigma, omega;
  Complex<double> at(double x, double t) const { return gaussianLine(x0, k0, sigma, omega, t, kLength).at(x); }
};
const Motion kMotions[] = {{-3, 2, 0.8, 0}, {1, 0, 1.5, 0}, {-4, 1, 1, 0.5}, {2, -3, 0.6, 0.9}, {0, 0, 2, 0.3}};

TEST(Exact, GaussiansSolveTheSchroedingerEquation) {
  for (const Motion& m : kMotions) {
    for (const double t : {0.0, 0.7, 2.3, 9.0, 17.0}) {
      constexpr double h = 1e-3;
      double worst = 0, size = 0;
      for (double x = -20; x < 20; x += 0.37) {
        const Complex<double> slope = (0.5 / h) * (m.at(x, t + h) - m.at(x, t - h));
        const Complex<double> bend = (1 / (h * h)) * (m.at(x + h, t) - 2.0 * m.at(x, t) + m.at(x - h, t));
        const Complex<double> v = (0.5 * m.omega * m.omega * x * x) * m.at(x, t);
        // i ∂ψ/∂t + ½ ∂²ψ/∂x² - Vψ
        const Complex<double> rest = Complex<double>{-slope.im, slope.re} + 0.5 * bend - v;
        worst = std::max(worst, norm2(rest));
        size = std::max(size, norm2(bend));
      }
      EXPECT_LT(std::sqrt(worst / size), 2e-4) << "k0 = " << m.k0 << ", ω = " << m.omega << ", t = " << t;
    }
  }
}

TEST(Exact, GaussiansStartAsThePacketAndKeepTheirNorm) {
  for (const Motion& m : kMotions) {
    const double height = std::pow(2 * kPi * m.sigma * m.sigma, -0.25);
    for (const double x : {-4.0, -1.0, 0.5, 3.0}) {
      const double envelope = height * std::exp(-std::pow((x - m.x0) / (2 * m.sigma), 2));
      EXPECT_NEAR(m.at(x, 0).re, envelope * std::cos(m.k0 * x), 1e-12);
      EXPECT_NEAR(m.at(x, 0).im, envelope * std::sin(m.k0 * x), 1e-12);
    }
    for (const double t : {0.0, 1.0, 3.0}) {
      const GaussianLine line = gaussianLine(m.x0, m.k0, m.sigma, m.omega, t, kLength);
      double norm = 0, squares = 0;
      for (double x = -30; x < 30; x += 0.01) {
        norm += 0.01 * line.densityAt(x);
        squares += 0.01 * line.densityAt(x) * std::pow(x - line.centre, 2);
      }
      EXPECT_NEAR(norm, 1, 1e-6);
      EXPECT_NEAR(std::sqrt(squares), line.width(), 1e-6);
    }
  }
}

TEST(Exact, FreeWidthAndCoherentWidthAreTheTextbooks) {
  EXPECT_NEAR(gaussianLine(0, 1, 2, 0, 12, kLength).width(), 2 * std::sqrt(1 + std::pow(12 / 8.0, 2)), 1e-12);
  for (const double t : {0.1, 2.0, 5.0}) EXPECT_NEAR(gaussianLine(3, 1, 1, 0.5, t, kLength).width(), 1, 1e-12);
  // After a whole period everything is back, with the phase of the ground state's energy ω/2.
  const Motion swing{-4, 1, 1.3, 0.5};
  const double period = 2 * kPi / 0.5;
  for (const double x : {-5.0, -4.0, -2.0}) {
    EXPECT_NEAR(swing.at(x, period).re, -swing.at(x, 0).re, 1e-9);
    EXPECT_NEAR(swing.at(x, period).im, -swing.at(x, 0).im, 1e-9);
  }
}

TEST(Exact, HoldsUntilThePacketComesNearAnEdge) {
  const Parameters p = parametersWith({{"potential", "none"}, {"domain_length", "60"}});
  const Packet packet{-10, 0, 5, 0, 1};
  EXPECT_TRUE(exactHolds(p, packet, 0, 30));
  EXPECT_TRUE(exactHolds(p, packet, 5, 30));
  EXPECT_FALSE(exactHolds(p, packet, 5.6, 30));
  EXPECT_FALSE(exactHolds(p, packet, 5, 24)) << "an absorbing layer is there";
  Parameters other = p;
  other.potential = Potential::DoubleSlit;
  EXPECT_FALSE(exactHolds(other, packet, 0, 30));
  other.potential = Potential::Harmonic;
  other.omega = 0.5;
  EXPECT_TRUE(exactHolds(other, packet, 100, 30));
}

TEST(Exact, SlitsSendFringesAtTheSpacingOfTheFormula) {
  // Far away, λD/d; the envelope of one slit of a twelfth of the separation moves the maxima by little.
  const Parameters p =
      parametersWith({{"slit_separation", "3"}, {"slit_width", "0.25"}, {"packet_width", "50"}, {"momentum_x", "60"}});
  const double distance = 200, spacing = 2 * kPi / 60 * distance / 3;
  for (const int order : {0, 1, 2}) {
    double best = 0, at = 0;
    for (double y = (order - 0.4) * spacing; y < (order + 0.4) * spacing; y += 0.01) {
      const double density = slitDensity(p, packetOf(p), distance, y);
      if (density > best) best = density, at = y;
    }
    EXPECT_NEAR(at, order * spacing, 0.03 * spacing) << order;
    const double dark = slitDensity(p, packetOf(p), distance, (order + 0.5) * spacing);
    EXPECT_LT(dark, 0.05 * best) << order;
  }
}

// By the rule of the midpoint, as fine as it takes.
double bySmallParts(const Parameters& p, double x, double y) {
  const Packet start = packetOf(p);
  const int parts = 40000;
  const double off = 0.5 * p.slit_separation, low = -off - 0.5 * p.slit_width, part = -2.0 * low / parts;
  std::complex<double> sum = 0;
  for (int i = 0; i < parts; ++i) {
    const double from = low + (i + 0.5) * part;
    if (std::fabs(std::fabs(from) - off) > 0.5 * p.slit_width) continue;
    const double r = std::hypot(x, y - from), lit = (from - start.y) / (2 * start.width);
    sum += part * std::exp(-lit * lit) / (r * std::sqrt(r)) * std::polar(1.0, start.momentum() * r + start.ky * from);
  }
  return x * x * std::norm(sum);
}

TEST(Exact, TheIntegralOverWideSlitsResolvesItsPhase) {
  struct Case {
    const char *width, *separation, *momentum, *momentum_y;
    double x;
  };
  const Case cases[] = {{"2", "6", "6", "0", 10},    {"2", "6", "6", "2", 10},    {"10", "24", "20", "0", 10},
                        {"20", "60", "60", "30", 5}, {"4", "8", "1", "0.5", 0.1}, {"3", "1", "5", "0", 10}};
  for (const Case& each : cases) {
    Parameters p = parametersWith({{"potential", "double_slit"},
                                   {"slit_width", each.width},
                                   {"slit_separation", each.separation},
                                   {"packet_width", "8"},
                                   {"momentum_x", each.momentum},
                                   {"momentum_y", each.momentum_y}});
    double largest = 0, error = 0;
    for (double y = -20.2; y < 20; y += 5) {
      const double exact = bySmallParts(p, each.x, y);
      largest = std::max(largest, exact);
      error = std::max(error, std::fabs(slitDensity(p, packetOf(p), each.x, y) - exact));
    }
    EXPECT_GT(largest, 0);
    EXPECT_LT(error, 1e-3 * largest) << each.width << ' ' << each.separation << ' ' << each.momentum;
  }
}

TEST(Exact, TheSlitsTheoryIsLeftOutWhereTheWholeScreenTakesLong) {
  const Packet packet{-11, 0, 30, 0, 2.2};
  Numbers p;
  p.potential = Potential::SingleSlit;
  p.slit_width = 60;
  p.grid_points = 512;
  EXPECT_TRUE(slitTheoryIsShort(p, packet));
  p.potential = Potential::DoubleSlit;
  EXPECT_FALSE(slitTheoryIsShort(p, packet)) << "two openings take twice as long";
  p.slit_width = 30;
  EXPECT_TRUE(slitTheoryIsShort(p, packet));
  p.grid_points = 2048;
  EXPECT_FALSE(slitTheoryIsShort(p, packet)) << "four times the points";
  p.slit_width = 1;
  EXPECT_TRUE(slitTheoryIsShort(p, packet));
}

TEST(Exact, OneSlitInTheLightIsAGaussianBeamWhenItIsWide) {
  // All of the packet passes: the beam at x is as wide as σ sqrt(1 + (x/2kσ²)²), to the order of 1/(kσ)².
  const Parameters p =
      parametersWith({{"potential", "single_slit"}, {"slit_width", "60"}, {"packet_width", "2"}, {"momentum_x", "10"}});
  const double x = 40, width = 2 * std::sqrt(1 + std::pow(x / (2 * 10 * 4), 2));
  const double middle = slitDensity(p, packetOf(p), x, 0);
  for (const double y : {1.0, 2.0, 3.0, 4.0}) {
    EXPECT_NEAR(slitDensity(p, packetOf(p), x, y) / middle, std::exp(-0.5 * y * y / (width * width)), 0.01) << y;
  }
}

}  // namespace
}  // namespace simscope::schrodinger2d
