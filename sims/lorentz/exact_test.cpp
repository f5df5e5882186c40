// Drifts, bounces, losses, and invariants against theory.
#include <gtest/gtest.h>

#include <numbers>

#include "sims/lorentz/fields.h"
#include "sims/lorentz/testing.h"

namespace simscope::lorentz::tests {
namespace {

constexpr double kPi = std::numbers::pi;

// Measured over exact, less 1, of the first particle.
double offBy(Session& run, Diagnostic measured, Diagnostic exact) {
  const std::vector<double> values = run.diagnostics();
  return values[measured] / values[exact] - 1;
}

TEST(Fields, AreFreeOfDivergence) {
  for (const Changes& changes : everyField()) {
    const lorentz::Setup setup = parametersWith(changes).setup();
    withField(setup, [&](const auto& field) {
      const float h = 1e-2f;
      for (const Vec3 x : {Vec3{2.5f, 0.3f, 0.4f}, Vec3{-1.9f, 1.8f, -0.3f}, Vec3{0.5f, -2.9f, 0.2f}}) {
        const float east = field.at({x.x + h, x.y, x.z}).x - field.at({x.x - h, x.y, x.z}).x;
        const float north = field.at({x.x, x.y + h, x.z}).y - field.at({x.x, x.y - h, x.z}).y;
        const float up = field.at({x.x, x.y, x.z + h}).z - field.at({x.x, x.y, x.z - h}).z;
        const Vec3 b = field.at(x);
        EXPECT_NEAR((east + north + up) / (2 * h) / std::sqrt(dot(b, b)), 0, 2e-3) << changes[3].second;
      }
    });
  }
}

// Bottle and dipole need no current.
TEST(Fields, OfBottleAndDipoleAreFreeOfCurl) {
  for (const Changes& changes : {everyField()[2], everyField()[3]}) {
    const lorentz::Setup setup = parametersWith(changes).setup();
    withField(setup, [&](const auto& field) {
      const float h = 1e-2f;
      for (const Vec3 x : {Vec3{2.5f, 0.3f, 0.4f}, Vec3{-1.9f, 1.8f, -0.3f}, Vec3{0.5f, -2.9f, 0.2f}}) {
        const Vec3 b = field.at(x), e = field.at({x.x + h, x.y, x.z}), w = field.at({x.x - h, x.y, x.z});
        const Vec3 n = field.at({x.x, x.y + h, x.z}), s = field.at({x.x, x.y - h, x.z});
        const Vec3 u = field.at({x.x, x.y, x.z + h}), d = field.at({x.x, x.y, x.z - h});
        const float scale = 2 * h * std::sqrt(dot(b, b));
        EXPECT_NEAR(((n.z - s.z) - (u.y - d.y)) / scale, 0, 2e-3) << changes[3].second;
        EXPECT_NEAR(((u.x - d.x) - (e.z - w.z)) / scale, 0, 2e-3) << changes[3].second;
        EXPECT_NEAR(((e.y - w.y) - (n.x - s.x)) / scale, 0, 2e-3) << changes[3].second;
      }
    });
  }
}

TEST(Exact, DipoleIntegralsHaveTheKnownEndsAndTheKnownFit) {
  // T_b = 4 (r/v) S(α), S(90°) = π/(3√2) and S = 1.3802 − 0.3198 (sin α + √sin α) within 1 %.
  const auto bounce = [](double pitch) {
    return bouncePeriod(parametersWith(
               {{"configuration", "dipole"}, {"shell", "10"}, {"speed", "1"}, {"pitch", toText(pitch)}})) /
           40;
  };
  EXPECT_NEAR(bounce(89.5), kPi / (3 * std::numbers::sqrt2), 1e-3);
  for (const double pitch : {15.0, 30.0, 50.0, 70.0}) {
    const double sine = std::sin(pitch * kPi / 180);
    EXPECT_NEAR(bounce(pitch) / (1.3802 - 0.3198 * (sine + std::sqrt(sine))), 1, 0.01) << pitch;
  }
  const double equator = longitudeRate(parametersWith(
      {{"configuration", "dipole"}, {"shell", "4"}, {"speed", "1"}, {"field", "100"}, {"pitch", "89.5"}}));
  EXPECT_NEAR(equator, -1.5 * 4 / 100.0, 1e-4) << "3/2 m v² r/(q B₀ R²), westwards";
}

TEST(Bounce, InTheBottleTendsToTwoPiLengthOverSpeed) {
  double before = 1;
  for (const char* speed : {"0.8", "0.4", "0.2"}) {
    Session run({{"particles", "64"}, {"speed", speed}, {"length", "4"}, {"cloud", "0"}, {"time_step", "0.05"}});
    run.step(9600);
    const double off = std::abs(offBy(run, kBounce, kBounceExact));
    EXPECT_LT(off, 0.03) << speed;
    EXPECT_LT(off, 0.6 * before) << "it falls with the gyroradius";
    before = off;
  }
  EXPECT_LT(before, 2e-3);
}

TEST(Bounce, AndDriftInTheDipoleTendToTheirIntegrals) {
  const auto offs = [](const char* field, const char* dt) {
    Session run({{"configuration", "dipole"},
                 {"particles", "64"},
                 {"velocities", "isotropic"},
                 {"speed", "1"},
                 {"pitch", "60"},
                 {"field", field},
                 {"time_step", dt},
                 {"cloud", "0"}});
    run.step(static_cast<int>(60 / std::stod(dt)));
    return std::pair(std::abs(offBy(run, kBounce, kBounceExact)), std::abs(offBy(run, kLongitude, kLongitudeExact)));
  };
  const auto near = offs("300", "0.005"), far = offs("1200", "0.00125");
  EXPECT_LT(near.first, 0.01);
  EXPECT_LT(near.second, 0.04);
  EXPECT_LT(far.first, 0.003);
  EXPECT_LT(far.second, 0.012);
}

TEST(Drift, WhereBGrowsIsThatOfTheFormulaUpToTheGyroradiusSquared) {
  double before = 1;
  for (const char* length : {"10", "20", "40"}) {
    Session run({{"configuration", "gradient"},
                 {"length", length},
                 {"velocities", "beam"},
                 {"pitch", "90"},
                 {"speed", "1"},
                 {"charges", "both"},
                 {"cloud", "0.2"},
                 {"particles", "2000"},
                 {"time_step", "0.05"}});
    run.step(20000);
    const double off = std::abs(offBy(run, kDrift, kDriftExact)), l = std::stod(length);
    EXPECT_LT(off, 2 / (l * l) + 3e-4) << length;
    EXPECT_LT(off, before);
    before = off;
  }
}

TEST(Lost, ShareOfTheBottleIsThatOfTheLossCone) {
  for (const char* ratio : {"1.5", "3", "8"}) {
    Session run({{"mirror_ratio", ratio},
                 {"velocities", "isotropic"},
                 {"speed", "0.1"},
                 {"cloud", "0.05"},
                 {"length", "4"},
                 {"particles", "20000"},
                 {"time_step", "0.2"}});
    run.step(10000);
    const std::vector<double> values = run.diagnostics();
    EXPECT_NEAR(values[kLostExact], 1 - std::sqrt(1 - 1 / std::stod(ratio)), 1e-12);
    EXPECT_NEAR(values[kLost], values[kLostExact], 1e-3) << ratio;
  }
}

TEST(Moment, IsAnInvariantTheBetterTheSmallerTheGyroradius) {
  const auto variation = [](const char* speed) {
    Session run({{"speed", speed}, {"particles", "64"}, {"cloud", "0"}, {"time_step", "0.05"}, {"length", "4"}});
    run.step(8000);
    EXPECT_LT(std::abs(run.diagnostic(kMomentDrift)), 0.02) << speed;
    return run.diagnostic(kMomentVariation);
  };
  const double wide = variation("1"), narrow = variation("0.25");
  EXPECT_LT(narrow, 0.3 * wide);
}

TEST(Banana, HasTheWidthThatItsInvariantsGive) {
  for (const char* pitch : {"72", "80"}) {
    Session run({{"configuration", "tokamak"},
                 {"field", "40"},
                 {"speed", "1"},
                 {"velocities", "isotropic"},
                 {"pitch", pitch},
                 {"particles", "64"},
                 {"time_step", "0.005"}});
    run.step(20000);
    EXPECT_NEAR(offBy(run, kBanana, kBananaExact), 0, 0.02) << pitch;
  }
  const Parameters passing = parametersWith({{"configuration", "tokamak"}, {"pitch", "30"}});
  EXPECT_TRUE(std::isnan(bananaWidth(passing)));
}

TEST(CanonicalMomentum, IsKeptInEveryField) {
  for (const Changes& field : everyField()) {
    Session run(field.with({{"pusher", "runge_kutta"}, {"time_step", "0.005"}}));
    run.step(2000);
    EXPECT_LT(run.diagnostic(kMomentumError), 2e-4) << field[3].second;
  }
}

TEST(Spread, OfABeamFromOnePointVanishesAfterEachTurn) {
  Session run(description().preset("lens"));
  const auto at = [&](double turns) {
    run.step(static_cast<int>(std::lround(turns * 2 * kPi / 0.02 - static_cast<double>(run.simulation().steps()))));
    return std::pair(run.diagnostic(kSpread), run.diagnostic(kSpreadExact));
  };
  const auto half = at(0.5), full = at(1);
  EXPECT_NEAR(half.first / half.second, 1, 1e-5);
  EXPECT_NEAR(half.second, 2 * std::sqrt(0.5) * 2 * std::sin(kPi / 3), 0.02) << "2 v⊥/ω, v⊥² half of the largest";
  EXPECT_LT(full.first, 0.02 * half.first);
}

}  // namespace
}  // namespace simscope::lorentz::tests
