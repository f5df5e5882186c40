#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/core/timeline/stepper.h"
#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

const Changes kKepler{{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"time_step", "0.001"}};
const Changes kMany{{"initial", "random"}, {"bodies", "200"}, {"time_step", "0.001"}, {"softening", "0.1"}};

Brush velocityOf(std::int64_t body, double x, double y, double z) {
  return {.tool = "velocity", .dx = x, .dy = y, .dz = z, .begins = true, .object = body};
}
Brush massOf(std::int64_t body, double mass) {
  return {.tool = "mass", .strength = mass, .begins = true, .object = body};
}

// Kinetic and potential energy of all pairs, G = 1.
struct Energies {
  double kinetic = 0, potential = 0;
};
Energies energiesOf(Session& run, double softening) {
  const std::vector<double> x = run.array("position"), v = run.array("velocity"), m = run.array("mass");
  Energies sum;
  for (std::size_t i = 0; i < m.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) sum.kinetic += 0.5 * m[i] * v[3 * i + k] * v[3 * i + k];
    for (std::size_t j = 0; j < i; ++j) {
      double r2 = softening * softening;
      for (std::size_t k = 0; k < 3; ++k) r2 += std::pow(x[3 * i + k] - x[3 * j + k], 2);
      sum.potential -= m[i] * m[j] / std::sqrt(r2);
    }
  }
  return sum;
}

TEST(BodyEdit, SetsOneVelocityAndNothingElse) {
  Session run(kMany);
  run.step(5);
  const State before = run.save();
  std::vector<double> v = run.array("velocity");
  EXPECT_TRUE(run.poke(velocityOf(17, 0.25, -1, 1.0 / 3)));
  v[51] = 0.25, v[52] = -1, v[53] = 1.0 / 3;
  EXPECT_EQ(run.array("velocity"), v);
  for (const char* const same : {"position", "mass", "group"}) {
    EXPECT_EQ(before.find(same)->bytes, run.save().find(same)->bytes) << same;
  }
  std::vector<double> m = run.array("mass");
  EXPECT_TRUE(run.poke(massOf(17, 0.5)));
  m[17] = 0.5;
  EXPECT_EQ(run.array("mass"), m);
  EXPECT_EQ(run.array("velocity"), v);
}

TEST(BodyEdit, EnergiesAreThoseOfTheEditedBodiesAndNoDrift) {
  struct Case {
    const Changes& changes;
    double softening, tolerance;
  };
  for (const Case& each : {Case{kKepler, 0, 1e-12}, Case{kMany, 0.1, 1e-5}}) {
    Session run(each.changes);
    run.step(20);
    const double drift = run.diagnostic(kEnergyDrift);
    for (const Brush& brush : {velocityOf(1, 0.4, -0.9, 0.3), massOf(0, 0.6), massOf(1, 2)}) {
      const double owed = run.diagnostic(kEnergyDrift) * std::abs(run.diagnostic(kTotalEnergy));
      ASSERT_TRUE(run.poke(brush));
      const Energies exact = energiesOf(run, each.softening);
      const double kinetic = run.diagnostic(kKineticEnergy), potential = run.diagnostic(kPotentialEnergy);
      EXPECT_NEAR(kinetic, exact.kinetic, each.tolerance * exact.kinetic) << brush.tool;
      EXPECT_NEAR(potential, exact.potential, each.tolerance * std::abs(exact.potential)) << brush.tool;
      EXPECT_NEAR(run.diagnostic(kEnergyDrift) * std::max(std::abs(run.diagnostic(kTotalEnergy)), kinetic), owed,
                  1e-5 * kinetic + std::abs(owed));
    }
    EXPECT_LT(std::abs(drift), 1e-3);
    run.step(20);
    EXPECT_LT(std::abs(run.diagnostic(kEnergyDrift)), 1e-3);
    EXPECT_GT(run.diagnostic(kMomentum), 0.01) << "the edits gave it";
    EXPECT_LT(run.diagnostic(kMomentumDrift), 1e-6);
  }
}

// A state of a program that knew no momentum to be kept: it begins with what there is.
TEST(BodyEdit, AStateWithoutTheMomentumToBeKeptTakesItsOwn) {
  Session run(kMany);
  run.poke(velocityOf(3, 5, 0, 0));
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& each) { return each.name == "momentum_reference"; });
  Session other(kMany);
  other.load(state);
  EXPECT_GT(other.diagnostic(kMomentum), 0.01);
  EXPECT_LT(other.diagnostic(kMomentumDrift), 1e-12);
}

// The speed of a circular orbit, given at the pericentre of the ellipse: from there on the distance stays.
TEST(BodyEdit, ACircularVelocityMakesTheOrbitCircular) {
  Session run(kKepler);
  const std::vector<double> x = run.array("position"), m = run.array("mass");
  const auto distanceOf = [](const std::vector<double>& at) {
    return std::hypot(at[3] - at[0], at[4] - at[1], at[5] - at[2]);
  };
  const double distance = distanceOf(x), total = m[0] + m[1], speed = std::sqrt(total / distance);
  const double side = x[3] > x[0] ? 1 : -1;
  run.poke(velocityOf(0, 0, -side * speed * m[1] / total, 0));
  run.poke(velocityOf(1, 0, side * speed * m[0] / total, 0));
  EXPECT_NEAR(run.diagnostic(kMomentum), 0, 1e-14);
  for (int i = 0; i < 20; ++i) {
    run.step(100);
    EXPECT_NEAR(distanceOf(run.array("position")) / distance, 1, 1e-5);
  }
  EXPECT_TRUE(std::isnan(run.diagnostic(kOrbitError))) << "no longer the ellipse that is known";
}

TEST(BodyEdit, AHeavierBodyPullsMore) {
  for (const char* const method : {"direct", "tree"}) {
    Changes changes = kMany;
    changes.push_back({"method", method});
    Session light(changes), heavy(changes);
    ASSERT_TRUE(heavy.poke(massOf(0, 50)));
    light.step(1);
    heavy.step(1);
    const std::vector<double> x = heavy.array("position"), v = heavy.array("velocity"), was = light.array("velocity");
    // The additional force on body 1 is that of the additional mass alone, but for second order in the step.
    double r2 = 0.1 * 0.1, along = 0, pull = 0;
    for (std::size_t k = 0; k < 3; ++k) r2 += std::pow(x[k] - x[3 + k], 2);
    for (std::size_t k = 0; k < 3; ++k) {
      const double expected = 0.001 * (50 - 0.005) * (x[k] - x[3 + k]) / (r2 * std::sqrt(r2));
      along += (v[3 + k] - was[3 + k]) * expected;
      pull += expected * expected;
    }
    EXPECT_NEAR(along / pull, 1, 0.02) << method;
  }
}

TEST(BodyEdit, StepsTogetherAreTheBitsOfSingleSteps) {
  for (Changes changes : {kKepler, kMany}) {
    for (const char* const integrator : {"leapfrog", "yoshida4"}) {
      changes.push_back({"integrator", integrator});
      Session together(changes), apart(changes);
      for (Session* run : {&together, &apart}) {
        run->step(3);
        run->poke(velocityOf(1, 0.5, 0.25, -0.125));
        run->poke(massOf(0, 0.3));
      }
      together.step(12);
      for (int i = 0; i < 12; ++i) apart.step(1);
      EXPECT_TRUE(sameBits(together.save(), apart.save())) << integrator;
    }
  }
}

TEST(BodyEdit, TrailsStayAndExactCurvesEnd) {
  Session run({{"initial", "figure_eight"}, {"bodies", "3"}, {"time_step", "0.001"}, {"softening", "0"}});
  run.step(100);
  const std::vector<float> before = valuesOf<float>(*run.save().find("trails"));
  EXPECT_TRUE(std::isfinite(run.diagnostic(kReturnError)));
  run.poke(velocityOf(2, 0, 0, 1));
  EXPECT_EQ(valuesOf<float>(*run.save().find("trails")), before);
  EXPECT_TRUE(std::isnan(run.diagnostic(kReturnError)));

  Session sphere({{"bodies", "256"}, {"time_step", "0.005"}});
  EXPECT_TRUE(std::isfinite(sphere.diagnostic(kHalfMassRadiusExact)));
  sphere.poke(massOf(9, 0.5));
  EXPECT_TRUE(std::isnan(sphere.diagnostic(kHalfMassRadiusExact)));
}

TEST(BodyEdit, ChargesKeepTheirFieldWhateverTheyWeigh) {
  Changes changes = kMany;
  changes.push_back({"force", "coulomb"});
  Session run(changes);
  const double potential = run.diagnostic(kPotentialEnergy);
  const std::vector<double> charge = run.array("charge");
  ASSERT_TRUE(run.poke(massOf(3, 1)));
  EXPECT_EQ(run.array("charge"), charge);
  EXPECT_NEAR(run.diagnostic(kPotentialEnergy), potential, 1e-7 * std::abs(potential));
}

TEST(BodyEdit, WhatCannotBeSetDoesNothing) {
  Session run(kKepler);
  const State before = run.save();
  EXPECT_FALSE(run.poke(velocityOf(2, 1, 0, 0))) << "there are two";
  EXPECT_FALSE(run.poke(velocityOf(-1, 1, 0, 0)));
  EXPECT_FALSE(run.poke(velocityOf(0, NAN, 0, 0)));
  EXPECT_FALSE(run.poke(velocityOf(0, 9e5, 9e5, 0))) << "too fast";
  for (const double mass : {0.0, -1.0, 1e9, static_cast<double>(INFINITY), static_cast<double>(NAN)}) {
    EXPECT_FALSE(run.poke(massOf(0, mass))) << mass;
  }
  EXPECT_TRUE(sameBits(run.save(), before));
}

TEST(BodyEdit, FramesTellVelocities) {
  Session run(kMany);
  run.poke(velocityOf(5, 0.5, -2, 8));
  Frame frame;
  frame.wanted = std::vector<std::string>{"velocity"};
  run.present(frame);
  const std::vector<float> v = frame.find("velocity")->data.toHost();
  EXPECT_EQ(frame.find("velocity")->components, 3);
  EXPECT_EQ((std::vector<float>{v.begin() + 15, v.begin() + 18}), (std::vector<float>{0.5f, -2, 8}));
  EXPECT_EQ(frame.find("bodies"), nullptr) << "nobody wants it";
}

TEST(BodyEdit, TheRunThatGoesBackAndForthAcrossAnEditIsTheSame) {
  for (const Changes& changes : {kKepler, kMany}) {
    Stepper stepper(description(), cpu(), with(changes), 1);
    stepper.keepPast(std::size_t{64} << 20);
    stepper.step(10);
    stepper.verify();
    ASSERT_TRUE(stepper.poke(velocityOf(1, 0.3, 0.2, 0.1)));
    stepper.step(10);
    ASSERT_TRUE(stepper.poke(massOf(1, 0.7)));
    stepper.step(10);
    const State end = stepper.save();
    const auto goTo = [&](std::int64_t step) {
      stepper.goTo(step);
      while (stepper.advanceReplay()) {
      }
      EXPECT_EQ(stepper.simulation().steps(), step);
    };
    for (const std::int64_t step : {5, 10, 20, 15, 30}) goTo(step);
    EXPECT_TRUE(sameBits(stepper.save(), end));

    // Without the edits it is another run; with them again, the same.
    const Timeline timeline = stepper.timeline();
    ASSERT_EQ(timeline.strokes.size(), 2u);
    stepper.setTimeline({});
    stepper.step(static_cast<int>(30 - stepper.simulation().steps()));
    EXPECT_FALSE(sameBits(stepper.save(), end));
    stepper.setTimeline(timeline);
    stepper.step(static_cast<int>(30 - stepper.simulation().steps()));
    EXPECT_TRUE(sameBits(stepper.save(), end));

    Stepper planned(description(), cpu(), with(changes), 1);
    planned.setTimeline(timeline);
    planned.step(30);
    EXPECT_TRUE(sameBits(planned.save(), end));
  }
}

TEST(BodyEdit, TimelinesSayWhatIsWrongWithAnEdit) {
  const auto why = [](const Brush& brush) -> std::string {
    Timeline timeline;
    timeline.strokes = {{brush.tool, {{0, brush}}}};
    return simscope::tests::refusal([&] { timeline.check(description()); });
  };
  EXPECT_EQ(why(velocityOf(1, 1, 0, 0)), "");
  EXPECT_EQ(why(massOf(1, 0.5)), "");
  EXPECT_THAT(why(velocityOf(-1, 1, 0, 0)),
              testing::HasSubstr("strokes[0].events[0].object: -1 is not a number from 0"));
  EXPECT_THAT(why(massOf(Timeline::kMostObjects, 1)), testing::HasSubstr("events[0].object"));
  EXPECT_THAT(why(massOf(0, 0)),
              testing::HasSubstr("events[0].strength: m = 0 is out of range; range 1e-12 to 1e+06, nearest 1e-12"));
  EXPECT_THAT(why(velocityOf(0, 3e6, 4e6, 0)), testing::HasSubstr("= 5000000 is out of range"));
  EXPECT_THAT(why({.tool = "launch", .object = 1}),
              testing::HasSubstr("events[0].object: the tool 'launch' does not use one"));
}

TEST(BodyEdit, ATimelineTellsWhichBodiesARunHasNot) {
  Timeline timeline;
  timeline.strokes = {{"mass", {{0, massOf(2, 1)}, {1, massOf(2, 2)}}},
                      {"launch", {{5, {.tool = "launch"}}}},
                      {"velocity", {{6, velocityOf(2, 1, 0, 0)}}},
                      {"velocity", {{7, velocityOf(3, 1, 0, 0)}}}};
  const ParameterSet kepler = with(kKepler);
  const std::vector<std::string> missing = timeline.missingObjects(description(), kepler);
  ASSERT_EQ(missing.size(), 2u) << "the third body is launched";
  EXPECT_THAT(missing[0], testing::HasSubstr("strokes[0].events[0].object: a run from its start has only 0 to 1"));
  EXPECT_THAT(missing[1], testing::HasSubstr("strokes[3].events[0].object: a run from its start has only 0 to 2"));
  EXPECT_TRUE(timeline.missingObjects(description(), with(kMany)).empty());
}

}  // namespace
}  // namespace simscope::nbody
