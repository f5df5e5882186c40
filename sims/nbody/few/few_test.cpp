// Integrators, on a few bodies in double precision.
#include <gtest/gtest.h>

#include <numbers>

#include "sims/nbody/exact.h"
#include "sims/nbody/few/radau.h"
#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

Changes kepler(const char* integrator, const char* step) {
  return {{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"integrator", integrator}, {"time_step", step}};
}

// How fast an error falls when the step is halved: 2^order.
double order(const char* integrator, const char* step, const char* half, Diagnostic which) {
  const auto error = [&](const char* dt) {
    Session run(kepler(integrator, dt));
    run.stepTo(1.6);
    return std::abs(run.diagnostic(which));
  };
  return std::log2(error(step) / error(half));
}

TEST(Integrator, LeapfrogEnergyErrorFallsAsDtSquared) {
  EXPECT_NEAR(order("leapfrog", "0.002", "0.001", kEnergyDrift), 2, 0.05);
  EXPECT_NEAR(order("leapfrog", "0.002", "0.001", kOrbitError), 2, 0.05);
}

TEST(Integrator, YoshidaEnergyErrorFallsAsDtToTheFourth) {
  EXPECT_NEAR(order("yoshida4", "0.004", "0.002", kEnergyDrift), 4, 0.1);
  EXPECT_NEAR(order("yoshida4", "0.004", "0.002", kOrbitError), 4, 0.1);
}

TEST(Integrator, EnergyErrorDoesNotGrowWithTime) {
  Session run(kepler("leapfrog", "0.005"));
  double most = 0;
  for (int i = 0; i < 100; ++i) {
    run.step(1000);
    most = std::max(most, std::abs(run.diagnostic(kEnergyDrift)));
  }
  EXPECT_LT(most, 2e-3);  // as much as within the first orbit
}

TEST(Integrator, LeapfrogRunsBackwards) {
  Session run({{"initial", "random"}, {"bodies", "20"}, {"softening", "0.05"}, {"time_step", "0.002"}});
  const std::vector<double> start = run.array("position");
  const auto turn = [&] {
    std::vector<double> v = run.array("velocity");
    for (double& each : v) each = -each;
    run.setArray("velocity", v);
  };
  run.step(300);
  EXPECT_GT(relativeDifference(run.array("position"), start), 1e-2);
  turn();
  run.step(300);
  EXPECT_LT(relativeDifference(run.array("position"), start), 1e-9);
}

TEST(Integrator, GaussRadauFollowsKeplersOrbitToRounding) {
  for (const char* const step : {"0.05", "0.5"}) {  // a step of half a unit needs several intervals
    Session run(kepler("radau15", step));
    run.stepTo(20);
    EXPECT_LT(run.diagnostic(kOrbitError), 2e-12) << step;
    EXPECT_LT(std::abs(run.diagnostic(kEnergyDrift)), 1e-14) << step;
  }
}

// A quadrature with these nodes is exact for polynomials of degree 14: that makes the order.
TEST(Integrator, GaussRadausWeightsAreExactToDegree14) {
  const RadauTable& t = radauTable();
  EXPECT_NEAR(t.node[1], 0.0562625605369221464656521910318, 1e-17);  // Everhart 1985
  EXPECT_NEAR(t.node[7], 0.977520613561287501891174488626, 2e-16);
  for (int degree = 0; degree <= 14; ++degree) {
    double sum = 0;
    for (int j = 0; j < kNodes; ++j) sum += t.end_velocity[j] * std::pow(t.node[j], degree);
    EXPECT_NEAR(sum, 1.0 / (degree + 1), 1e-15) << degree;
  }
  for (int n = 1; n < kNodes; ++n) {
    for (int degree = 0; degree < kNodes; ++degree) {
      double sum = 0;
      for (int j = 0; j < kNodes; ++j) sum += t.place[n][j] * std::pow(t.node[j], degree);
      EXPECT_NEAR(sum, std::pow(t.node[n], degree + 2) / ((degree + 1) * (degree + 2)), 1e-15) << n << ", " << degree;
    }
  }
}

Changes pythagorean(const char* integrator, const char* step) {
  return {
      {"initial", "pythagorean"}, {"bodies", "3"}, {"softening", "0"}, {"integrator", integrator}, {"time_step", step}};
}

// V. Szebehely, C. F. Peters, Astron. J. 72 (1967) 876: after many close encounters the lightest body escapes near
// t = 60, and the two others stay together.
TEST(Pythagorean, LightestBodyEscapesFromAPair) {
  Session run(pythagorean("radau15", "0.01"));
  const auto distance = [&](int i, int j) {
    const std::vector<double> x = run.array("position");
    return std::hypot(x[3 * i] - x[3 * j], x[3 * i + 1] - x[3 * j + 1]);
  };
  run.stepTo(15.83);
  EXPECT_LT(distance(1, 2), 0.01) << "their closest encounter";
  run.stepTo(60);
  EXPECT_LT(distance(0, 1), 4);
  run.stepTo(66);
  const double at_66 = distance(0, 1);
  EXPECT_GT(at_66, 15);
  EXPECT_LT(distance(1, 2), 1.2);
  EXPECT_LT(std::abs(run.diagnostic(kEnergyDrift)), 1e-9);
  run.stepTo(70);
  EXPECT_GT(distance(0, 1), at_66 + 8) << "for good";
  EXPECT_LT(distance(1, 2), 1.2);
}

TEST(Pythagorean, StepsOfFixedLengthMissIt) {
  Session run(pythagorean("yoshida4", "0.001"));
  run.stepTo(20);
  EXPECT_GT(std::abs(run.diagnostic(kEnergyDrift)), 1e-2) << "the encounter at t = 15.83 is shorter than the step";
}

// Bodies that fall through each other would need ever shorter steps.
TEST(Integrator, GaussRadauPassesACollision) {
  Session run(
      {{"initial", "random"}, {"bodies", "2"}, {"softening", "0"}, {"integrator", "radau15"}, {"time_step", "0.1"}});
  run.setArray("position", {-0.1, 0, 0, 0.1, 0, 0});
  run.setArray("velocity", {0, 0, 0, 0, 0, 0});
  run.step(3);
  for (const double each : run.array("position")) EXPECT_TRUE(std::isfinite(each));
}

TEST(Integrator, ChargesOfOppositeSignFollowKeplersOrbit) {
  Changes changes = kepler("yoshida4", "0.002");
  changes.push_back({"force", "coulomb"});
  Session run(changes);
  run.stepTo(8);
  EXPECT_LT(run.diagnostic(kOrbitError), 1e-6);
  EXPECT_LT(run.diagnostic(kPotentialEnergy), 0);
}

TEST(Few, FigureEightReturns) {
  for (const char* const constant : {"1", "4"}) {
    Session run({{"initial", "figure_eight"},
                 {"bodies", "3"},
                 {"softening", "0"},
                 {"integrator", "yoshida4"},
                 {"gravitational_constant", constant},
                 {"time_step", "0.001"}});
    EXPECT_LT(run.diagnostic(kReturnError), 1e-12);
    run.stepTo(figureEightPeriod(std::stod(constant)));
    EXPECT_LT(run.diagnostic(kReturnError), 1e-7);
    EXPECT_TRUE(std::isnan(run.diagnostic(kOrbitError)));
  }
}

TEST(Few, MomentumAndAngularMomentumStayAtRounding) {
  Session run({{"initial", "solar_system"}, {"gravitational_constant", "39.47841760435743"}, {"time_step", "0.002"}});
  const double spin = run.diagnostic(kAngularMomentum);
  run.step(5000);
  EXPECT_LT(run.diagnostic(kMomentum), 1e-13);
  EXPECT_NEAR(run.diagnostic(kAngularMomentum), spin, 1e-12 * spin);
}

TEST(Few, EarthIsBackAfterAYear) {
  Session run({{"initial", "solar_system"},
               {"gravitational_constant", "39.47841760435743"},
               {"softening", "0"},
               {"integrator", "yoshida4"},
               {"time_step", "0.001"}});
  const auto earth = [&] {
    const std::vector<double> x = run.array("position");
    return Place{x[9] - x[0], x[10] - x[1], x[11] - x[2]};
  };
  const Place start = earth();
  run.step(1000);
  const Place end = earth();
  EXPECT_LT(std::hypot(start[0] - end[0], start[1] - end[1], start[2] - end[2]), 2e-3);
}

TEST(Few, BatchesGiveTheBitsOfSingleSteps) {
  for (const char* const integrator : {"leapfrog", "yoshida4"}) {
    const Changes changes{{"initial", "random"}, {"bodies", "64"}, {"integrator", integrator}, {"time_step", "0.001"}};
    Session together(changes), apart(changes);
    together.step(21);
    for (int i = 0; i < 21; ++i) apart.step(1);
    EXPECT_TRUE(sameBits(together.save(), apart.save())) << integrator;
  }
}

// Trails.

TEST(Trails, HoldWhereTheBodiesWereOldestFirst) {
  Session run({{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"time_step", "0.001"}});
  const int stride = 6;  // 5.9 / 1024 / 0.001
  Frame frame;
  run.step(stride * 10 + 3);
  run.present(frame);
  const Channel* trails = frame.find("trails");
  ASSERT_NE(trails, nullptr);
  EXPECT_EQ(trails->width, kTrailSamples);
  EXPECT_EQ(trails->height, 2);
  EXPECT_EQ(trails->components, 3);
  const std::vector<float> places = trails->data.toHost();
  Session again({{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"time_step", "0.001"}});
  for (int k = 0; k <= 10; ++k) {
    const std::vector<double> x = again.array("position");
    for (int body = 0; body < 2; ++body) {
      const auto at = static_cast<std::size_t>(3 * (body * kTrailSamples + kTrailSamples - 11 + k));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        EXPECT_EQ(places[at + axis], static_cast<float>(x[static_cast<std::size_t>(3 * body) + axis])) << k;
      }
    }
    again.step(stride);
  }
  EXPECT_EQ(places[0], places[3 * (kTrailSamples - 11)]) << "filled up with the oldest";
}

TEST(Trails, GoRoundTheirRing) {
  Session run({{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"time_step", "0.001"}});
  run.step(6 * 5000);
  const State state = run.save();
  const StateArray& trails = *state.find("trails");
  EXPECT_EQ(trails.shape, (std::vector<std::size_t>{2, kTrailSamples, 3}));
  const std::vector<float> places = valuesOf<float>(trails);
  const std::vector<double> x = valuesOf<double>(*state.find("position"));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_EQ(places[3 * (kTrailSamples - 1) + axis], static_cast<float>(x[axis]));
  }
}

TEST(Trails, DoNotDependOnBatchesOrPictures) {
  const Changes changes{{"initial", "random"}, {"bodies", "5"}, {"time_step", "0.0005"}};
  Session plain(changes), watched(changes);
  plain.step(60);
  Frame frame;
  for (int i = 0; i < 20; ++i) {
    watched.step(i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : 5);
    watched.present(frame);
  }
  watched.step(static_cast<int>(60 - watched.nbody().steps()));
  EXPECT_TRUE(sameBits(plain.save(), watched.save()));
}

}  // namespace
}  // namespace simscope::nbody
