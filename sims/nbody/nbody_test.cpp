// Many bodies: what is conserved, what is saved, what is advised.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "sims/nbody/initial.h"
#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

TEST(Many, EnergyErrorFallsWithTheOrderOfTheIntegrator) {
  const auto drift = [](const char* integrator, const char* step) {
    Session run({{"initial", "cold_sphere"},
                 {"bodies", "128"},
                 {"softening", "0.3"},
                 {"integrator", integrator},
                 {"time_step", step}});
    run.stepTo(0.96);
    return std::abs(run.diagnostic(kEnergyDrift));
  };
  EXPECT_NEAR(std::log2(drift("leapfrog", "0.08") / drift("leapfrog", "0.04")), 2, 0.2);
  EXPECT_NEAR(std::log2(drift("yoshida4", "0.24") / drift("yoshida4", "0.12")), 4, 0.6);
}

TEST(Many, EquilibriumIsKept) {
  for (const char* const method : {"direct", "tree"}) {
    Session run({{"bodies", "1000"}, {"method", method}, {"softening", "0.05"}, {"time_step", "0.01"}});
    const double spin = run.diagnostic(kAngularMomentum);
    run.step(200);
    const std::vector<double> values = run.diagnostics();
    EXPECT_LT(std::abs(values[kEnergyDrift]), 2e-3) << method;
    EXPECT_NEAR(values[kVirialRatio], 1, 0.1) << method;
    EXPECT_NEAR(values[kHalfMassRadius], values[kHalfMassRadiusExact], 0.12) << method;
    EXPECT_NEAR(values[kAngularMomentum], spin, 1e-3) << method;
  }
}

TEST(Many, MomentumStaysAtRounding) {
  Session run({{"initial", "two_galaxies"}, {"bodies", "700"}, {"softening", "0.05"}, {"time_step", "0.01"}});
  run.step(200);
  EXPECT_LT(run.diagnostic(kMomentum), 1e-6);
}

TEST(Many, ColdSphereFallsAndChargesFlyApartAsTheExactSolutionsDo) {
  for (const char* const force : {"gravity", "coulomb"}) {
    Session run({{"initial", "cold_sphere"},
                 {"force", force},
                 {"bodies", "4000"},
                 {"softening", "0.01"},
                 {"time_step", "0.01"}});
    const double at_rest = run.diagnostic(kHalfMassRadius);
    EXPECT_NEAR(at_rest, run.diagnostic(kHalfMassRadiusExact), 0.01);
    run.stepTo(0.8);
    const double now = run.diagnostic(kHalfMassRadius), exact = run.diagnostic(kHalfMassRadiusExact);
    EXPECT_GT(std::abs(now - at_rest), 0.2) << force;
    EXPECT_NEAR(now, exact, 0.015 * exact) << force;
  }
}

TEST(Many, RingTurnsAtKeplersRate) {
  const std::size_t n = 300;
  Session run({{"initial", "ring"}, {"bodies", "301"}, {"softening", "0.01"}, {"time_step", "0.005"}});
  const std::vector<double> start = run.array("position");
  run.stepTo(2);
  const std::vector<double> now = run.array("position");
  double off = 0;
  for (std::size_t i = 3; i <= 3 * n; i += 3) {
    const double turned = std::atan2(now[i + 1], now[i]) - std::atan2(start[i + 1], start[i]);
    const double expected = 2 * std::pow(std::hypot(start[i], start[i + 1]), -1.5);
    off += std::abs(std::remainder(turned - expected, 2 * M_PI)) / n;
  }
  EXPECT_LT(off, 0.01);
}

TEST(Many, MethodsAgree) {
  const Changes changes{{"bodies", "2000"}, {"softening", "0.05"}, {"time_step", "0.01"}};
  Session direct(changes), tree(changes);
  tree.change({{"method", "tree"}});
  EXPECT_NE(tree.nbody().method(), direct.nbody().method());
  direct.step(20);
  tree.step(20);
  EXPECT_LT(relativeDifference(tree.array("velocity"), direct.array("velocity")), 1e-3);
  EXPECT_NEAR(tree.diagnostic(kPotentialEnergy), direct.diagnostic(kPotentialEnergy),
              1e-3 * std::abs(direct.diagnostic(kPotentialEnergy)));
}

TEST(Many, BatchesGiveTheBitsOfSingleSteps) {
  for (const char* const force : {"gravity", "coulomb"}) {
    for (const char* const integrator : {"leapfrog", "yoshida4"}) {
      const Changes changes{{"initial", "random"},
                            {"force", force},
                            {"bodies", "333"},
                            {"integrator", integrator},
                            {"time_step", "0.01"}};
      Session together(changes), apart(changes);
      together.step(7);
      for (int i = 0; i < 7; ++i) {
        apart.step(1);
        apart.diagnostics();
      }
      EXPECT_TRUE(sameBits(together.save(), apart.save())) << force << ", " << integrator;
    }
  }
}

TEST(Many, DoublePrecisionOfAFewMeetsSinglePrecisionOfMany) {
  // The 65th body weighs nothing and is far away: the other 64 move as without it.
  Session few({{"initial", "random"}, {"bodies", "64"}, {"softening", "0.1"}, {"time_step", "0.01"}});
  Session many({{"initial", "random"}, {"bodies", "65"}, {"softening", "0.1"}, {"time_step", "0.01"}});
  std::vector<double> x = few.array("position"), v = few.array("velocity"), mass = few.array("mass");
  x.insert(x.end(), {50, 0, 0});
  v.insert(v.end(), {0, 0, 0});
  mass.push_back(0);
  many.setArray("mass", mass);
  many.setArray("position", x);
  many.setArray("velocity", v);
  few.step(40);
  many.step(40);
  std::vector<double> moved = many.array("position");
  EXPECT_LT(moved[3 * 64], 50) << "a body of no mass still falls";
  moved.resize(3 * 64);
  EXPECT_LT(relativeDifference(moved, few.array("position")), 1e-5);
}

TEST(Degenerate, OneBodyMovesStraightOn) {
  for (const char* const method : {"direct", "tree"}) {
    Session run({{"initial", "random"}, {"bodies", "1"}, {"method", method}, {"time_step", "0.01"}});
    run.setArray("velocity", {1, -2, 0.5});
    const std::vector<double> start = run.array("position");
    run.step(100);
    const std::vector<double> end = run.array("position");
    EXPECT_NEAR(end[0] - start[0], 1, 1e-12);
    EXPECT_NEAR(end[1] - start[1], -2, 1e-12);
    EXPECT_EQ(run.diagnostic(kPotentialEnergy), 0);
    EXPECT_TRUE(std::isnan(run.diagnostic(kVirialRatio)));
  }
}

TEST(Degenerate, BodiesAtOnePlaceWithoutSofteningStayFinite) {
  for (const char* const bodies : {"9", "90"}) {
    for (const char* const method : {"direct", "tree"}) {
      Session run({{"initial", "cold_sphere"}, {"bodies", bodies}, {"softening", "0"}, {"method", method}});
      std::vector<double> x = run.array("position");
      for (std::size_t i = 0; i < 6; ++i) x[i] = x[i % 3];
      run.setArray("position", x);
      run.step(10);
      EXPECT_TRUE(run.finite()) << bodies << ", " << method;
      const std::vector<double> now = run.array("position");
      EXPECT_NEAR(now[0], now[3], 1e-9) << "they move together";
    }
  }
}

TEST(Degenerate, MassesThatCannotBeMovedAreRefused) {
  Session charges({{"force", "coulomb"}, {"initial", "random"}, {"bodies", "70"}});
  Session masses({{"initial", "random"}, {"bodies", "70"}});
  const auto with_first = [](std::vector<double> mass, double value) {
    mass[0] = value;
    return mass;
  };
  const std::vector<double> before = masses.array("mass");
  EXPECT_NO_THROW(masses.setArray("mass", with_first(before, 0)));
  for (const double bad : {-1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    EXPECT_THROW(masses.setArray("mass", with_first(before, bad)), UsageError);
  }
  EXPECT_THROW(charges.setArray("mass", with_first(charges.array("mass"), 0)), UsageError);
  EXPECT_EQ(charges.array("mass")[0], 1.0 / 70);
}

TEST(Diagnostics, DriftLeavesChangesOfParametersOut) {
  for (const char* const bodies : {"30", "300"}) {
    Session run({{"bodies", bodies}, {"softening", "0.1"}, {"time_step", "0.02"}});
    run.step(30);
    const auto drifted = [&] {
      const std::vector<double> values = run.diagnostics();
      return values[kEnergyDrift] * std::max(std::abs(values[kTotalEnergy]), values[kKineticEnergy]);
    };
    const double drift = drifted(), before = run.diagnostic(kTotalEnergy);
    run.change({{"gravitational_constant", "2"}, {"softening", "0.2"}});
    EXPECT_GT(std::abs(run.diagnostic(kTotalEnergy) - before), 0.02);
    EXPECT_NEAR(drifted(), drift, 1e-3 * std::abs(drift) + 1e-9);
    EXPECT_TRUE(std::isnan(run.diagnostic(kHalfMassRadiusExact)));
  }
}

// Bodies that barely hold together, or not at all, have next to no total energy: an error of it that is nothing beside
// what moves was called thousands of per cent.
TEST(Diagnostics, DriftHasAScaleWhereEnergiesCancel) {
  Session run({{"initial", "random"}, {"bodies", "100"}, {"softening", "0.1"}, {"time_step", "0.01"}});
  std::vector<double> values = run.diagnostics(), v = run.array("velocity");
  const double factor = std::sqrt(-values[kPotentialEnergy] / values[kKineticEnergy]);
  for (double& each : v) each *= factor;
  run.setArray("velocity", v);
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& array) { return array.name == "run"; });
  run.load(state);
  ASSERT_LT(std::abs(run.diagnostic(kTotalEnergy)), 1e-3 * run.diagnostic(kKineticEnergy));
  run.step(50);
  values = run.diagnostics();
  EXPECT_LT(std::abs(values[kEnergyDrift]), 1e-3);
  EXPECT_FALSE(run.hasFinding("energy_drift"));
}

TEST(Diagnostics, EnergyWarningSaysFromWhatToWhat) {
  Session wild({{"initial", "cold_sphere"}, {"bodies", "100"}, {"time_step", "0.2"}});
  const double start = wild.diagnostic(kTotalEnergy);
  wild.step(20);
  for (const Finding& finding : wild.findings()) {
    if (finding.code != "energy_drift") continue;
    EXPECT_NE(finding.message.find(fmt::format("from {:.4g} to {:.4g}", start, wild.diagnostic(kTotalEnergy))),
              std::string::npos)
        << finding.message;
    EXPECT_NE(finding.message.find(" %"), std::string::npos) << finding.message;
  }
}

TEST(Diagnostics, ProfileEndsAtTheMassWithinTheCube) {
  Session run({{"bodies", "3000"}});
  Frame frame;
  run.present(frame);
  const std::vector<float> within = frame.find("mass_within")->data.toHost();
  const std::vector<float> exact = frame.find("mass_within_expected")->data.toHost();
  EXPECT_EQ(within[0], 0);
  for (std::size_t k = 1; k < within.size(); ++k) {
    EXPECT_GE(within[k], within[k - 1]);
    EXPECT_NEAR(within[k], exact[k], 0.04);
  }
  EXPECT_NEAR(exact.back(), std::pow(1 + 1 / std::pow(4 * 511.0 / 512, 2), -1.5), 1e-6);
}

TEST(State, OfAnotherNumberOfBodiesContinues) {
  const Changes changes{{"initial", "random"}, {"bodies", "70"}};
  for (const char* const bodies : {"10", "200"}) {
    Session other({{"initial", "random"}, {"bodies", bodies}}), run(changes), again(changes);
    other.step(5);
    const State state = other.save();
    run.load(state);
    again.load(state);
    EXPECT_EQ(std::to_string(run.nbody().bodies()), bodies);
    run.step(9);
    again.step(9);
    EXPECT_TRUE(sameBits(run.save(), again.save()));
    EXPECT_TRUE(run.finite());
  }
}

// The scale of the profile's shells was taken from the file, and a negative one led in front of the first shell.
TEST(State, ScalesAndClockOutOfRangeAreRefused) {
  for (const char* const bodies : {"10", "80"}) {
    Session run({{"initial", "random"}, {"bodies", bodies}});
    run.step(2);
    const State before = run.save();
    const std::vector<double> numbers = valuesOf<double>(*before.find("run"));
    const std::pair<std::size_t, std::vector<double>> bad[] = {
        {1, {-1, 3, 0.5}}, {3, {2, -1}}, {4, {0, 2e9}}, {5, {-1, 1e8}}, {7, {-1, -0.001, -5, 0}}, {14, {0, -3, 1e300}}};
    for (const auto& [index, values] : bad) {
      for (const double value : values) {
        std::vector<double> spoilt = numbers;
        spoilt[index] = value;
        EXPECT_THROW(run.setArray("run", spoilt), UsageError) << index << ": " << value;
      }
    }
    EXPECT_TRUE(sameBits(run.save(), before));
  }
}

TEST(State, AFixedSystemHasItsBodies) {
  Session eight({{"initial", "figure_eight"}}), one({{"initial", "random"}, {"bodies", "2"}});
  const State before = eight.save();
  EXPECT_THROW(eight.load(one.save()), UsageError);
  EXPECT_TRUE(sameBits(eight.save(), before));
}

TEST(State, BodiesFromElsewhereNeedPlaceSpeedAndMass) {
  Session run({{"initial", "random"}, {"bodies", "80"}});
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& array) {
    return array.name != "position" && array.name != "velocity" && array.name != "mass";
  });
  run.load(state);
  run.step(3);
  EXPECT_EQ(run.diagnostic(kBodies), 80);
  EXPECT_LT(std::abs(run.diagnostic(kEnergyDrift)), 1e-3);
  state.arrays.pop_back();
  EXPECT_THROW(run.load(state), UsageError);
}

TEST(Findings, AreMadeWhereTheyBelong) {
  EXPECT_TRUE(Session({{"initial", "kepler"}}).hasFinding("softened_orbit"));
  EXPECT_TRUE(Session({{"bodies", "100"}, {"softening", "0"}}).hasFinding("no_softening"));
  EXPECT_TRUE(Session({{"bodies", "100"}, {"time_step", "1"}}).hasFinding("time_step_large"));
  EXPECT_TRUE(Session({{"bodies", "100"}, {"method", "tree"}, {"opening_angle", "1.2"}}).hasFinding("coarse_tree"));
  Session wild({{"initial", "cold_sphere"}, {"bodies", "100"}, {"time_step", "0.2"}});
  wild.step(20);
  EXPECT_TRUE(wild.hasFinding("energy_drift"));
  EXPECT_TRUE(Session({{"bodies", "500"}}).findings().empty());
}

// An ellipse and the figure of eight are known exactly: leapfrog's phase runs away while the energy is kept.
TEST(Findings, OrbitsThatLeaveTheirExactPlacesAreFoundAndTheIntegratorCures) {
  const Changes cases[] = {
      {{"initial", "kepler"}, {"softening", "0"}, {"time_step", "0.02"}, {"integrator", "leapfrog"}},
      {{"initial", "figure_eight"}, {"softening", "0"}, {"time_step", "0.02"}, {"integrator", "leapfrog"}}};
  for (const Changes& changes : cases) {
    Session run(changes);
    run.step(660);
    const std::vector<Finding> all = run.findings();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].code, "orbit_off");
    Session cured(changes.with({{all[0].key, all[0].value}}));
    EXPECT_TRUE(cured.findings().empty());
    cured.step(660);
    EXPECT_TRUE(cured.findings().empty());
  }
}

const Finding* find(const std::vector<Finding>& all, std::string_view code) {
  for (const Finding& each : all) {
    if (each.code == code) return &each;
  }
  return nullptr;
}

// A pair of masses 0.3 and 0.7 on an ellipse of axis 1, from its far point on.
Session eccentric(double e, const Changes& changes) {
  Session run(Changes{{"initial", "random"}, {"bodies", "2"}, {"softening", "0"}}.with(changes));
  const double r = 1 + e, v = std::sqrt((1 - e) / (1 + e));
  run.setArray("mass", {0.3, 0.7});
  run.setArray("position", {0.7 * r, 0, 0, -0.3 * r, 0, 0});
  run.setArray("velocity", {0, 0.7 * v, 0, 0, -0.3 * v, 0});
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& array) { return array.name == "run"; });
  run.load(state);  // its energy is the reference
  return run;
}

// The times are those of Kepler's equation: the near point at t = π, 3π.
TEST(Findings, AnEncounterThatStepsOfFixedLengthMissIsToldWithItsStepAndTheCureHolds) {
  for (const char* const integrator : {"leapfrog", "yoshida4"}) {
    Session run = eccentric(0.9, {{"integrator", integrator}, {"time_step", "0.02"}});
    run.step(100);
    EXPECT_EQ(find(run.findings(), "time_step_large"), nullptr) << integrator << ": far from each other";
    run.step(214);  // to the far point
    const std::vector<Finding> all = run.findings();
    const Finding* const found = find(all, "time_step_large");
    ASSERT_NE(found, nullptr) << integrator;
    EXPECT_NEAR(static_cast<double>(found->last_step), std::numbers::pi / 0.02, 4) << integrator;
    EXPECT_EQ(found->first_step, found->last_step);
    EXPECT_EQ(found->key + "=" + found->value, "integrator=radau15");
    // Of a few steps and in one launch, and from a state.
    Session singly = eccentric(0.9, {{"integrator", integrator}, {"time_step", "0.02"}});
    for (int i = 0; i < 314; ++i) singly.step(1);
    EXPECT_TRUE(sameBits(singly.save(), run.save()));
    singly.load(run.save());
    EXPECT_EQ(find(singly.findings(), "time_step_large")->last_step, found->last_step);
  }
  Session cured = eccentric(0.9, {{"integrator", "radau15"}, {"time_step", "0.02"}});
  cured.step(314);
  EXPECT_TRUE(cured.findings().empty());
  EXPECT_LT(std::abs(cured.diagnostic(kEnergyDrift)), 1e-13);
}

TEST(Findings, AFastEncounterOfManyStaysToldAfterItIsOver) {
  Session run({{"initial", "random"}, {"bodies", "100"}, {"time_step", "0.005"}, {"softening", "0.002"}});
  run.step(10);
  ASSERT_EQ(find(run.findings(), "time_step_large"), nullptr);
  run.poke({.tool = "star", .x = 0.1, .y = 0.2, .strength = 100});
  EXPECT_NE(find(run.findings(), "time_step_large"), nullptr) << "as soon as the star is there";
  run.step(3);
  std::vector<double> mass = run.array("mass");
  mass.back() = 0.01;
  run.setArray("mass", mass);
  const std::vector<Finding> all = run.findings();
  ASSERT_NE(find(all, "time_step_large"), nullptr);
  EXPECT_GE(find(all, "time_step_large")->last_step, 11);
  EXPECT_LE(find(all, "time_step_large")->last_step, 13);
  run.nbody().reset(1);
  EXPECT_EQ(find(run.findings(), "time_step_large"), nullptr);
}

TEST(Memory, GrowsWithTheBodies) {
  const auto bytes = [](const Changes& changes) { return memoryOf(with(changes), compute::Backend::Cuda); };
  // What frames hold does not grow beyond the bodies that are drawn.
  EXPECT_GT(bytes({{"bodies", "4000000"}}), 1.4 * bytes({{"bodies", "2000000"}}));
  EXPECT_GT(bytes({{"bodies", "1000000"}, {"method", "tree"}}), bytes({{"bodies", "1000000"}}));
  EXPECT_LT(bytes({{"initial", "kepler"}, {"bodies", "16777216"}}), 1e8);
}

}  // namespace
}  // namespace simscope::nbody
