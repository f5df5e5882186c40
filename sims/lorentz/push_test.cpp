// The pushers: energy, phase, order of convergence, an independent loop in double precision, and the same bits from
// every instruction set and both backends.
#include <gtest/gtest.h>

#include <array>

#include "sims/compute/test_devices.h"
#include "sims/lorentz/lanes.h"
#include "sims/lorentz/testing.h"

namespace simscope::lorentz::tests {
namespace {

using Vector = std::array<double, 3>;

Vector crossed(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double squareOf(const Vector& a) {
  return a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
}

// The fields from their vector potentials or textbook forms, in double precision and other words than fields.h.
Vector fieldAt(const Parameters& p, const Vector& x) {
  const double b = p.field, r2 = x[0] * x[0] + x[1] * x[1], l2 = p.length * p.length;
  switch (p.configuration) {
    case Configuration::Uniform:
      return {0, 0, b};
    case Configuration::Gradient:
      return {0, 0, b * (1 + x[0] / p.length)};
    case Configuration::Bottle:
      return {-b * x[0] * x[2] / l2, -b * x[1] * x[2] / l2, b * (1 + (x[2] * x[2] - r2 / 2) / l2)};
    case Configuration::Dipole: {
      // −B₀ (3 (m·r̂) r̂ − m)/r³ of a moment along +z, turned upside down
      const double r = std::sqrt(r2 + x[2] * x[2]), f = b / (r * r * r), c = x[2] / r;
      return {-3 * f * c * x[0] / r, -3 * f * c * x[1] / r, f - 3 * f * c * x[2] / r};
    }
    case Configuration::Tokamak: {
      const double big = std::sqrt(r2), round = b * p.major_radius / big, out = big - p.major_radius;
      const double small2 = out * out + x[2] * x[2];
      const double g = b / p.safety_factor * (1 - small2 / (2 * p.minorRadius() * p.minorRadius())) / big;
      const double br = -g * x[2], bz = g * out, c = x[0] / big, s = x[1] / big;
      return {br * c - round * s, br * s + round * c, bz};
    }
  }
  return {};
}

struct Motion {
  Vector x, u;
};
Motion derivative(const Parameters& p, const Motion& s, double charge) {
  const double gamma = p.relativistic ? std::sqrt(1 + squareOf(s.u) / p.c2()) : 1;
  const Vector v{s.u[0] / gamma, s.u[1] / gamma, s.u[2] / gamma}, turn = crossed(v, fieldAt(p, s.x));
  const double e = p.in(Configuration::Uniform) ? p.electric_field : 0;
  return {v, {charge * (turn[0] + e), charge * turn[1], charge * turn[2]}};
}
Motion plus(const Motion& a, double share, const Motion& b) {
  Motion sum = a;
  for (std::size_t k = 0; k < 3; ++k) sum.x[k] += share * b.x[k], sum.u[k] += share * b.u[k];
  return sum;
}
// Runge and Kutta's scheme in double precision, with steps so short that it counts as exact.
Motion exactly(const Parameters& p, Motion s, double charge, double time) {
  const int steps = 4000;
  const double dt = time / steps;
  for (int i = 0; i < steps; ++i) {
    const Motion a = derivative(p, s, charge), b = derivative(p, plus(s, dt / 2, a), charge);
    const Motion c = derivative(p, plus(s, dt / 2, b), charge), d = derivative(p, plus(s, dt, c), charge);
    s = plus(plus(plus(plus(s, dt / 6, a), dt / 3, b), dt / 3, c), dt / 6, d);
  }
  return s;
}

// Root mean square distance of the particles from where they should be after a time.
double errorAfter(const Changes& changes, double time_step, int steps) {
  Session run(changes.with({{"time_step", toText(time_step)}}));
  const std::vector<float> x0 = run.values<float>("position"), u0 = run.values<float>("velocity");
  run.step(steps);
  const std::vector<float> x1 = run.values<float>("position");
  const Parameters p = binding().read(run.simulation().parameters());
  const std::size_t n = x0.size() / 3;
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < n; i += 8) {
    Motion s{{x0[i], x0[n + i], x0[2 * n + i]}, {u0[i], u0[n + i], u0[2 * n + i]}};
    s = exactly(p, s, p.setup().charge(static_cast<unsigned>(i)), time_step * steps);
    for (std::size_t k = 0; k < 3; ++k) sum += std::pow(x1[k * n + i] - s.x[k], 2);
    ++count;
  }
  return std::sqrt(sum / count);
}

TEST(Push, EnergyInAPureMagneticFieldIsKeptToRoundingOver200000Steps) {
  for (const char* relativistic : {"off", "on"}) {
    Session run({{"configuration", "uniform"}, {"particles", "256"}, {"relativistic", relativistic}});
    run.step(200'000);
    const std::vector<double> values = run.diagnostics();
    EXPECT_LT(std::abs(values[kEnergyError]), 3e-7);
    EXPECT_LT(values[kTracerEnergyError], 2e-5);
  }
}

TEST(Push, BorisPhaseErrorIsThatOfHalfTheAnglesTangent) {
  double before = 0;
  for (const double dt : {0.4, 0.2, 0.1}) {
    Session run({{"configuration", "uniform"}, {"particles", "64"}, {"time_step", toText(dt)}});
    run.step(4000);
    const double error = run.diagnostic(kPhaseError);
    EXPECT_NEAR(error, 2 * std::atan(dt / 2) / dt - 1, 3e-6);
    EXPECT_NEAR(error, -dt * dt / 12, 0.03 * dt * dt / 12 + 3e-6);
    if (before != 0) {
      EXPECT_NEAR(before / error, 4, 0.1) << "second order";
    }
    before = error;
  }
}

TEST(Push, BorisKeepsGyroradiusAndDriftForStepsOfAnyLength) {
  for (const char* dt : {"0.1", "0.5", "1"}) {
    Session circle({{"configuration", "uniform"}, {"particles", "64"}, {"time_step", dt}});
    circle.step(200);
    EXPECT_NEAR(circle.diagnostic(kRadius), circle.diagnostic(kRadiusExact), 1e-5);
    Session drift({{"configuration", "uniform"}, {"particles", "64"}, {"time_step", dt}, {"electric_field", "0.5"}});
    drift.step(2000);
    EXPECT_NEAR(drift.diagnostic(kDrift), -0.5, 1e-5);
    EXPECT_LT(std::abs(drift.diagnostic(kEnergyError)), 1e-5) << "of kinetic and potential energy";
  }
}

TEST(Push, EulerAndRungeKuttaChangeTheEnergyAsTheyMustExactly) {
  for (const auto& [pusher, dt, steps, factor] :
       {std::tuple("euler", 0.1, 500, 1 + 0.01), std::tuple("euler", 0.02, 2000, 1 + 4e-4),
        std::tuple("runge_kutta", 0.5, 4000, 1 - std::pow(0.5, 6) / 72 + std::pow(0.5, 8) / 576)}) {
    Session run({{"configuration", "uniform"}, {"pusher", pusher}, {"time_step", toText(dt)}, {"particles", "512"}});
    run.step(steps);
    const double exact = std::pow(factor, steps);
    EXPECT_NEAR(run.diagnostic(kGyration) / exact, 1, 1e-4) << pusher << ' ' << dt;
    EXPECT_NEAR(run.diagnostic(kGyrationExact) / exact, 1, 1e-9);
  }
}

TEST(Push, EulersStepIsExplicit) {
  Session run({{"configuration", "uniform"},
               {"pusher", "euler"},
               {"electric_field", "1"},
               {"particles", "64"},
               {"speed", "1"},
               {"time_step", "0.5"}});
  const std::vector<float> x = run.values<float>("position"), u = run.values<float>("velocity");
  run.step(1);
  const std::vector<float> x1 = run.values<float>("position"), u1 = run.values<float>("velocity");
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_NEAR(x1[i], x[i] + 0.5f * u[i], 1e-5);
    EXPECT_NEAR(x1[64 + i], x[64 + i] + 0.5f * u[64 + i], 1e-5);
    EXPECT_NEAR(u1[i], u[i] + 0.5f * (1 + u[64 + i]), 1e-5);
    EXPECT_NEAR(u1[64 + i], u[64 + i] - 0.5f * u[i], 1e-5);
    EXPECT_EQ(u1[128 + i], u[128 + i]);
  }
}

TEST(Push, RelativisticParticlesTurnSlowerByGamma) {
  Session run({{"configuration", "uniform"},
               {"relativistic", "on"},
               {"light_speed", "0.5"},
               {"speed", "1"},
               {"particles", "64"},
               {"time_step", "0.05"}});
  run.step(8000);
  const double gamma = std::sqrt(1 + 4.0), dt = 0.05 / gamma;
  EXPECT_NEAR(run.diagnostic(kFrequency) * gamma, 2 * std::atan(dt / 2) / dt, 3e-6);
}

TEST(Push, PlacesConvergeInTheSchemesOrderInEveryField) {
  for (const Changes& field : everyField()) {
    for (const char* relativistic : {"off", "on"}) {
      const Parameters p = parametersWith(field);
      const double dt = p.time_step * (p.in(Configuration::Dipole) ? 1 : 2);
      const Changes all = field.with({{"relativistic", relativistic}, {"light_speed", "2"}});
      const std::string what = field[3].second + ", relativistic " + relativistic;
      const int steps = 100;
      const auto order = [&](const char* pusher, double longest) {
        const Changes run = all.with({{"pusher", pusher}});
        const double coarse = errorAfter(run, longest, steps), fine = errorAfter(run, longest / 2, 2 * steps);
        return std::log2(coarse / fine);
      };
      EXPECT_NEAR(order("boris", dt), 2, 0.15) << what;
      EXPECT_NEAR(order("euler", dt / 8), 1, 0.25) << what;
      EXPECT_GT(order("runge_kutta", 4 * dt), 3.5) << what;
      EXPECT_LT(errorAfter(all.with({{"pusher", "runge_kutta"}}), dt / 2, 2 * steps), 3e-5) << what;
    }
  }
}

TEST(Push, LostParticlesStayWhereTheyAre) {
  Session run({{"particles", "512"}, {"speed", "0.5"}, {"length", "4"}});
  run.step(2000);
  const std::vector<float> before = run.values<float>("position"), u = run.values<float>("velocity");
  run.step(100);
  const std::vector<float> after = run.values<float>("position"), then = run.values<float>("velocity");
  const float wall = static_cast<float>(binding().read(run.simulation().parameters()).wall());
  int lost = 0;
  for (std::size_t i = 0; i < 512; ++i) {
    if (std::abs(before[1024 + i]) <= wall) continue;
    ++lost;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(before[k * 512 + i], after[k * 512 + i]);
      EXPECT_EQ(u[k * 512 + i], then[k * 512 + i]);
    }
  }
  EXPECT_GT(lost, 50);
  EXPECT_LT(lost, 400);
}

TEST(Lanes, EveryInstructionSetGivesTheSameBits) {
  ASSERT_GT(supportedLanes().count, 0);
  for (const Changes& changes : everyRun()) {
    Session run(changes);
    const std::vector<float> x = run.values<float>("position"), u = run.values<float>("velocity");
    const std::size_t n = x.size() / 3;
    std::vector<float> first;
    for (int set = 0; set < supportedLanes().count; ++set) {
      std::vector<float> all[4] = {x, std::vector<float>(3 * n), u, std::vector<float>(3 * n)};
      LaneBlock block{};
      for (std::size_t k = 0; k < 12; ++k) block.arrays[k] = all[k / 3].data() + k % 3 * n;
      block.count = 77;
      block.first = 31;
      block.steps = 20;
      supportedLanes().sets[set].run(binding().read(run.simulation().parameters()).setup(), block);
      std::vector<float> joined;
      for (const auto& each : all) joined.insert(joined.end(), each.begin(), each.end());
      if (set == 0) first = joined;
      EXPECT_TRUE(sameBits(first, joined)) << supportedLanes().sets[set].name << ", " << changes[3].second;
    }
    EXPECT_FALSE(sameBits(x, std::vector<float>(first.begin(), first.begin() + static_cast<long>(3 * n))));
  }
}

TEST(Backends, CudaGivesTheBitsOfTheCpu) {
  SIMSCOPE_SKIP_WITHOUT("cuda");
  for (const Changes& changes : everyRun()) {
    Session host(changes), device(changes, compute::Device::open("cuda"));
    for (const int steps : {1, 7, 300}) {
      host.step(steps);
      device.step(steps);
    }
    for (const char* array : {"position", "position_carry", "velocity", "velocity_carry", "past"}) {
      EXPECT_TRUE(sameBits(host.values<float>(array), device.values<float>(array)))
          << array << ", " << changes[3].second;
    }
  }
}

}  // namespace
}  // namespace simscope::lorentz::tests
