// What is exact: the distribution of landings, the means, the extremes, the envelope.
#include "sims/projectiles/exact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace simscope::projectiles {
namespace {

constexpr double kEarth = 9.81, kPi = std::numbers::pi, kEver = LandingLaw::kBeyond;

// ∫ f by Simpson's rule.
template <class F>
double integral(double from, double to, int pieces, const F& f) {
  const double step = (to - from) / pieces;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const double a = from + i * step;
    sum += step / 6 * (f(a) + 4 * f(a + step / 2) + f(a + step));
  }
  return sum;
}

// The density of README.md: √(g/R)/(Δv Δθ) ∫ dw/√(w⁴-1) over w = v/√(gR), with w = 1/cos φ.
double density(double range, double speed_min, double speed_max) {
  const double root = std::sqrt(kEarth * range);
  const auto angle = [&](double speed) { return speed <= root ? 0 : std::acos(root / speed); };
  const auto f = [](double phi) { return 1 / std::sqrt(2 - std::sin(phi) * std::sin(phi)); };
  const double elliptic = integral(angle(speed_min), angle(speed_max), 400, f);
  return std::sqrt(kEarth / range) / ((speed_max - speed_min) * kPi / 2) * elliptic;
}

TEST(LandingLaw, HasTheDensityOfTheEllipticIntegral) {
  const LandingLaw law = landingLaw({});
  for (const double range : {0.5, 5.0, 9.0, 13.0, 100.0, 1000.0, 5000.0, 9000.0, 9150.0}) {
    const double h = 1e-4 * range;
    const double slope = (law.share(range + h, kEver) - law.share(range - h, kEver)) / (2 * h);
    EXPECT_NEAR(slope / density(range, 10, 300), 1, 2e-4) << range;
  }
}

TEST(LandingLaw, IsACompleteDistribution) {
  for (const Drag drag : {Drag::None, Drag::Linear}) {
    for (const double height : {0.0, 300.0}) {
      Parameters p;
      p.drag = drag;
      p.height = height;
      const LandingLaw law = landingLaw(p);
      const Extremes most = extremes(p);
      EXPECT_EQ(law.share(0, kEver), 0);
      EXPECT_EQ(law.share(kEver, 0), 0);
      EXPECT_NEAR(law.share(kEver, kEver), 1, 1e-12);
      EXPECT_NEAR(law.share(1.0001 * most.range, kEver), 1, 1e-9);
      EXPECT_NEAR(law.share(kEver, 1.0001 * most.duration), 1, 1e-9);
      EXPECT_LT(law.share(0.99 * most.range, kEver), 1 - 1e-5);
      double before = 0;
      for (int i = 1; i <= 400; ++i) {
        const double share = law.share(most.range * i / 400, 0.6 * most.duration);
        EXPECT_GE(share, before - 1e-9);
        before = share;
      }
    }
  }
}

// P(R ≤ r, T ≤ t), counted over a fine grid of speeds and angles.
TEST(LandingLaw, CountsWhatLandsWithinARangeAndATime) {
  std::vector<Parameters> cases(7);
  cases[1].height = 400;
  cases[2].drag = Drag::Linear;
  cases[3].angle_min = 20, cases[3].angle_max = 75, cases[3].height = 50;
  cases[4].speed_min = cases[4].speed_max = 200;
  cases[5].angles = Angles::Pair, cases[5].angle_min = 30, cases[5].angle_max = 60;
  cases[6].drag = Drag::Linear, cases[6].linear_drag = 0.3, cases[6].height = 100;
  for (std::size_t which = 0; which < cases.size(); ++which) {
    const Parameters& p = cases[which];
    const LandingLaw law = landingLaw(p);
    const Extremes most = extremes(p);
    constexpr int kGrid = 400;
    const bool pair = p.angles == Angles::Pair;
    std::vector<Landing> all;
    for (int a = 0; a < (pair ? 2 : kGrid); ++a) {
      const double at = pair ? a : (a + 0.5) / kGrid,
                   angle = (p.angle_min + at * (p.angle_max - p.angle_min)) * kPi / 180;
      for (int s = 0; s < kGrid; ++s) {
        all.push_back(land(p, p.speed_min + (s + 0.5) / kGrid * (p.speed_max - p.speed_min), angle));
      }
    }
    for (const double r : {0.1, 0.4, 0.7, 0.95}) {
      for (const double t : {0.2, 0.5, 0.8, 1.0}) {
        const double range = r * most.range, time = t * most.duration;
        const auto inside = [&](const Landing& l) { return l.range <= range && l.duration <= time; };
        const auto count = std::count_if(all.begin(), all.end(), inside);
        const double share = static_cast<double>(count) / static_cast<double>(all.size());
        EXPECT_NEAR(law.share(range, time), share, 4e-3) << which << ": " << range << " m, " << time << " s";
      }
    }
  }
}

TEST(Means, AreTheClosedFormsAndTheLawsOwn) {
  const Means plain = exactMeans({});
  EXPECT_NEAR(plain.range, (100 + 3000 + 90000) / 3.0 / kEarth * 2 / kPi, 1e-9);
  EXPECT_NEAR(plain.duration, 2 * 155 / kEarth * 2 / kPi, 1e-9);
  for (const Drag drag : {Drag::None, Drag::Linear}) {
    for (const double height : {0.0, 200.0}) {
      Parameters p;
      p.drag = drag, p.height = height, p.angle_min = 10;
      const LandingLaw law = landingLaw(p);
      const Extremes most = extremes(p);
      const Means means = exactMeans(p);
      // The mean is the integral of what has not been reached.
      const auto beyond = [&](double r) { return 1 - law.share(r, kEver); };
      const auto later = [&](double t) { return 1 - law.share(kEver, t); };
      EXPECT_NEAR(integral(0, most.range, 4000, beyond) / means.range, 1, 1e-4);
      EXPECT_NEAR(integral(0, most.duration, 4000, later) / means.duration, 1, 1e-4);
    }
  }
}

TEST(Extremes, AreNotPassedAndAreReached) {
  Parameters p;
  EXPECT_NEAR(extremes(p).range, 300.0 * 300 / kEarth, 1e-6);
  EXPECT_NEAR(extremes(p).height, 300.0 * 300 / (2 * kEarth), 1e-9);
  EXPECT_NEAR(extremes(p).duration, 600 / kEarth, 1e-9);
  p.height = 500;
  p.speed_max = 100;
  EXPECT_NEAR(extremes(p).range, 100 / kEarth * std::sqrt(100 * 100 + 2 * kEarth * 500), 1e-6);
  for (const Drag drag : {Drag::None, Drag::Linear, Drag::Quadratic}) {
    p.drag = drag;
    const Extremes most = extremes(p);
    double range = 0, height = 0, duration = 0;
    for (int a = 0; a <= 900; ++a) {
      const Landing one = land(p, p.speed_max, a * kPi / 1800);
      range = std::max(range, one.range);
      height = std::max(height, one.height);
      duration = std::max(duration, one.duration);
    }
    EXPECT_NEAR(most.range / range, 1, 1e-5);
    EXPECT_NEAR(most.height / height, 1, 1e-5);
    EXPECT_NEAR(most.duration / duration, 1, 1e-5);
  }
}

// No trajectory of that speed leaves it, and each comes to it.
TEST(Envelope, IsTouchedByEveryTrajectoryFromWithin) {
  for (const double k : {0.0, 0.05, 0.5}) {
    Parameters p;
    p.height = 30;
    if (k > 0) p.drag = Drag::Linear, p.linear_drag = k;
    const std::vector<float> path = envelope(p, 300, 20001);
    ASSERT_EQ(path.size(), 40002u);
    const auto heightAt = [&](double x) {
      for (std::size_t i = 2; i < path.size(); i += 2) {
        if (path[i] < x) continue;
        const double share = (x - path[i - 2]) / (path[i] - path[i - 2]);
        return path[i - 1] + share * (path[i + 1] - path[i - 1]);
      }
      return -1.0;
    };
    const double top = path[1], far = path[path.size() - 2];
    EXPECT_NEAR(top, extremes(p).height, 1e-3 * top);
    EXPECT_NEAR(far, extremes(p).range, 1e-3 * far);
    if (k == 0) {
      for (const double x : {1000.0, 4000.0, 8000.0}) {
        EXPECT_NEAR(heightAt(x), 30 + 90000 / (2 * kEarth) - kEarth * x * x / 180000, 0.5);
      }
    }
    for (const double angle : {0.8, 1.0, 1.3}) {
      const double vx = 300 * std::cos(angle), vy = 300 * std::sin(angle);
      double nearest = std::numeric_limits<double>::infinity();
      const double duration = land(p, 300, angle).duration;
      for (int i = 1; i < 4000; ++i) {
        const double t = duration * i / 4000;
        const Motion<double> at = k > 0 ? LinearFlight{30, kEarth, k}.at(vx, vy, t)
                                        : Motion<double>{vx * t, 30 + vy * t - kEarth * t * t / 2, 0, 0};
        nearest = std::min(nearest, heightAt(at.x) - at.y);
      }
      EXPECT_GT(nearest, -1e-3 * top) << k << ", " << angle;
      EXPECT_LT(nearest, 1e-3 * top) << k << ", " << angle;
    }
  }
}

}  // namespace
}  // namespace simscope::projectiles
