// The simulation: starts, what is refused, advice, live changes, the mouse, and its past.
#include <gtest/gtest.h>

#include <algorithm>

#include "sims/lorentz/fields.h"
#include "sims/lorentz/initial.h"
#include "sims/lorentz/present.h"
#include "sims/lorentz/testing.h"

namespace simscope::lorentz::tests {
namespace {

// Largest distance between a sample's distribution and the one that it should have.
template <class Distribution>
double kolmogorov(std::vector<double> sample, const Distribution& share) {
  std::sort(sample.begin(), sample.end());
  double most = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double exact = share(sample[i]), n = static_cast<double>(sample.size());
    most = std::max(
        {most, std::abs(exact - static_cast<double>(i) / n), std::abs(exact - static_cast<double>(i + 1) / n)});
  }
  return most;
}

TEST(Start, SpeedsAreMaxwellianAndDirectionsIsotropicWithoutNoise) {
  const Parameters p = parametersWith({{"particles", "20000"}, {"speed", "1"}, {"cloud", "0"}});
  const Start start = makeStart(cpu(), p, 5);
  const std::size_t n = 20000;
  std::vector<double> speeds, cosines;
  for (std::size_t i = 1; i < n; ++i) {
    const double x = start.u[i], y = start.u[n + i], z = start.u[2 * n + i], u = std::sqrt(x * x + y * y + z * z);
    speeds.push_back(u);
    cosines.push_back(z / u);
  }
  const auto maxwell = [](double v) {
    return std::erf(v / std::sqrt(2.0)) - std::sqrt(2 / 3.14159265358979) * v * std::exp(-v * v / 2);
  };
  EXPECT_LT(kolmogorov(speeds, maxwell), 1.95 / std::sqrt(20000.0)) << "0.1 % of right programs fail";
  EXPECT_LT(kolmogorov(cosines, [](double c) { return (1 + c) / 2; }), 4.0 / 20000) << "far below chance";
}

TEST(Start, DoesNotDependOnThreadsAndGuidingCentresAreWhereTheyShouldBe) {
  const Parameters p = parametersWith({{"charges", "both"}, {"cloud", "0"}, {"particles", "5000"}, {"speed", "0.5"}});
  const Start one = makeStart(cpu(1), p, 3), two = makeStart(cpu(2), p, 3);
  EXPECT_TRUE(sameBits(one.x, two.x));
  EXPECT_TRUE(sameBits(one.u, two.u));
  for (std::size_t i = 0; i < 5000; i += 7) {
    const double charge = i % 2 ? -1 : 1;  // x + u × b/(qB) with B = 1 along z
    EXPECT_NEAR(one.x[i] + charge * one.u[5000 + i], 0, 1e-6);
    EXPECT_NEAR(one.x[5000 + i] - charge * one.u[i], 0, 1e-6);
  }
}

TEST(Lorentz, WarnsOfEulerOfCoarseTurnsAndOfWhatRungeAndKuttaLose) {
  const Changes few{{"particles", "200"}, {"configuration", "uniform"}};
  EXPECT_TRUE(Session(few.with({{"pusher", "euler"}})).hasFinding("euler_gains_energy"));
  EXPECT_TRUE(Session(few.with({{"time_step", "0.8"}})).hasFinding("coarse_turns"));
  EXPECT_TRUE(Session({{"length", "0.5"}, {"speed", "1"}, {"particles", "200"}}).hasFinding("not_adiabatic"));
  Session run(few.with({{"pusher", "runge_kutta"}, {"time_step", "0.4"}}));
  EXPECT_FALSE(run.hasFinding("runge_kutta_loses_energy"));
  run.step(100);
  EXPECT_TRUE(run.hasFinding("runge_kutta_loses_energy"));
  EXPECT_TRUE(Session(few).findings().empty());
}

// On the ring ρ = √2 L of the middle plane B is zero: what starts next to it has no guiding centre, and its circle
// would lead far away, into fields that turn it many times in a step.
TEST(Lorentz, ChargesNextToAZeroOfBStartThereAndKeepTheirEnergy) {
  const Changes wide{{"length", "2.65"}, {"particles", "12000"}};
  const Start start = makeStart(cpu(), parametersWith(wide), 1);
  for (std::size_t i = 0; i < start.x.size(); ++i) ASSERT_LT(std::abs(start.x[i]), 12) << "the cloud's width is 1.4";
  Session run(wide);
  run.step(1000);
  EXPECT_NEAR(run.diagnostic(kEnergyError), 0, 1e-4);
  const std::vector<Finding> all = run.findings();
  const auto off = std::find_if(all.begin(), all.end(), [](const Finding& f) { return f.code == "theory_is_off"; });
  ASSERT_NE(off, all.end()) << run.diagnostic(kLost) << " are lost, for " << run.diagnostic(kLostExact);
  Session slow(Changes{{"speed", "0.1"}, {"cloud", "0.2"}, {"particles", "2000"}});
  slow.step(4000);
  EXPECT_FALSE(slow.hasFinding("theory_is_off"));
}

// u_y + A_y is conserved exactly; Boris's steps keep it to second order.
TEST(Lorentz, ACanonicalMomentumThatIsNotKeptIsFoundAndShorterStepsKeepIt) {
  const Changes wide{{"configuration", "gradient"},
                     {"velocities", "maxwell"},
                     {"length", "20"},
                     {"speed", "1"},
                     {"cloud", "0.5"},
                     {"particles", "64"}};
  Session run(wide);
  run.step(1000);
  EXPECT_GT(run.diagnostic(kMomentumError), 1e-4);
  const std::vector<Finding> all = run.findings();
  const auto off = std::find_if(all.begin(), all.end(), [](const Finding& f) { return f.code == "momentum_is_off"; });
  ASSERT_NE(off, all.end());
  ASSERT_EQ(off->key, "time_step");
  Session cured(wide.with({{off->key, off->value}}));
  cured.step(static_cast<int>(100 / std::stod(off->value)));
  EXPECT_LT(cured.diagnostic(kMomentumError), 1e-4);
  EXPECT_FALSE(cured.hasFinding("momentum_is_off"));
}

// Boris's turn keeps |u| for any angle: 2 atan(h B), next to half a turn where h B is large.
TEST(Push, KeepsTheEnergyInFieldsThatTurnFarInAStep) {
  for (const char* field : {"1", "40", "10000"}) {
    for (const char* configuration : {"gradient", "bottle", "uniform"}) {
      Session run(Changes{{"configuration", configuration},
                          {"particles", "64"},
                          {"field", field},
                          {"length", "100"},
                          {"time_step", "1"},
                          {"cloud", "1"},
                          {"mirror_ratio", "100"}});
      run.step(200);
      EXPECT_NEAR(run.diagnostic(kEnergyError), 0, 2e-5) << configuration << " " << field;
    }
  }
}

// Turns and gyroradii are those of the particles in the fields where they are.
TEST(Lorentz, WarnsOfWhatTheParticlesMeetAndNotOfParameters) {
  const Changes belt{
      {"particles", "200"}, {"configuration", "dipole"}, {"velocities", "isotropic"}, {"speed", "1"}, {"shell", "4"},
      {"cloud", "0.1"},     {"charges", "both"},         {"time_step", "0.005"}};
  EXPECT_FALSE(Session(belt.with({{"field", "300"}})).hasFinding("not_adiabatic")) << "ρ = 0.16 r/3";
  EXPECT_TRUE(Session(belt.with({{"field", "100"}})).hasFinding("not_adiabatic")) << "ρ = 0.48 r/3";
  // Along the field line B grows fourfold to where sin²α = 1/4 turns the particle back: ω dt from 0.29 to 1.17.
  const Changes mirrored = belt.with({{"field", "300"}, {"pitch", "30"}, {"time_step", "0.0625"}});
  const Parameters p = parametersWith(mirrored);
  std::vector<double> values(kDiagnosticCount, 0.0);
  const std::vector<Finding> met = findingsFor(p, values, {.turn = 0.3, .met = 1.17, .met_at = 37});
  ASSERT_EQ(met.size(), 1u);
  EXPECT_EQ(met[0].code, "coarse_turns");
  EXPECT_EQ(met[0].last_step, 37);
  Session run(mirrored);
  EXPECT_LE(run.diagnostic(kCoarseShare), 0.02) << "all start on the equator";
  EXPECT_FALSE(run.hasFinding("coarse_turns"));
  run.step(400);
  const std::vector<Finding> all = run.findings();
  const auto found = std::find_if(all.begin(), all.end(), [](const Finding& f) { return f.code == "coarse_turns"; });
  ASSERT_NE(found, all.end());
  Session cured(mirrored.with({{found->key, found->value}}));
  cured.step(800);
  EXPECT_FALSE(cured.hasFinding("coarse_turns")) << found->value;
}

// The guiding centre's passages through z = 0, from places and velocities themselves.
double bounceOf(Session& run, int steps, int every) {
  const Parameters p = binding().read(run.simulation().parameters());
  std::vector<double> up;
  double before = NAN;
  for (int i = 0; i < steps; i += every) {
    const std::vector<float> x = run.values<float>("position"), u = run.values<float>("velocity");
    const auto n = static_cast<std::size_t>(p.particles);
    double z = NAN;
    withField(p.setup(), [&](const auto& field) {
      const Vec3 b = field.at({x[0], x[n], x[2 * n]});
      const double b2 = double{b.x} * b.x + double{b.y} * b.y + double{b.z} * b.z;
      z = x[2 * n] + (double{u[0]} * b.y - double{u[n]} * b.x) / b2;
    });
    if (before < 0 && z >= 0) up.push_back((i - every * z / (z - before)) * p.time_step);
    before = z;
    run.step(every);
  }
  return up.size() < 2 ? NAN : (up.back() - up.front()) / static_cast<double>(up.size() - 1);
}

TEST(Lorentz, ABounceLongerThanTheRingOfSamplesIsMeasured) {
  // The ring holds 2048 samples, 24 a turn.
  const Changes bottle{{"particles", "64"}, {"length", "40"},     {"speed", "0.5"},      {"pitch", "70"},
                       {"field", "4"},      {"time_step", "0.1"}, {"mirror_ratio", "10"}};
  Session slow(bottle);
  const double exact = bouncePeriod(binding().read(slow.simulation().parameters()));
  const double ring = kSamples * strideOf(binding().read(slow.simulation().parameters())) * 0.1;
  ASSERT_GT(exact, 1.5 * ring) << "three passages do not fit";
  EXPECT_TRUE(std::isnan(slow.diagnostic(kBounce))) << "not yet";
  slow.step(static_cast<int>(1.8 * exact / 0.1));
  EXPECT_NEAR(slow.diagnostic(kBounce), exact, 0.003 * exact);
}

TEST(Lorentz, TheBananasPresetMeasuresItsBounce) {
  ParameterSet set = changed(description().preset("bananas"), {{"particles", "64"}});
  Session run(set), watched(set);
  run.step(40000);
  const double bounce = run.diagnostic(kBounce);
  EXPECT_NEAR(bounce, bounceOf(watched, 40000, 100), 0.005 * bounce);
  Session finer(changed(set, {{"time_step", "0.005"}}));
  finer.step(80000);
  EXPECT_NEAR(finer.diagnostic(kBounce), bounce, 0.005 * bounce) << "whatever the step";
  Session passing(changed(set, {{"pitch", "20"}}));
  passing.step(20000);
  EXPECT_TRUE(std::isnan(passing.diagnostic(kBounce))) << "it goes round and round";
}

TEST(Lorentz, TheLongPastIsTheSameHoweverStepsAreDividedAndGoesThroughAState) {
  const Changes few{{"particles", "64"}, {"time_step", "0.25"}};
  ASSERT_EQ(strideOf(binding().read(with(few))), 1);
  Session whole(few), parts(few);
  whole.step(80000);  // it thins out to the end, and then forgets
  for (const int n : {1, 4094, 1, 1, 30000, 7, 5896, 40000}) {
    parts.step(n);
    if (n == 7) parts.load(parts.save());
  }
  EXPECT_TRUE(sameBits(whole.save(), parts.save()));
  const double exact = bouncePeriod(binding().read(whole.simulation().parameters()));
  EXPECT_NEAR(whole.diagnostic(kBounce), exact, 0.02 * exact);
  State former = whole.save();
  std::erase_if(former.arrays, [](const StateArray& each) { return each.name.starts_with("long_"); });
  ASSERT_NO_THROW(whole.load(former));
  whole.step(100);
  EXPECT_TRUE(whole.finite());
}

TEST(Lorentz, ARelativisticChargeDriftsWithTheSameExBAndTheRestIsSaidToBeMissing) {
  for (const char* field : {"0.5", "-1.2"}) {
    Session run({{"configuration", "uniform"},
                 {"relativistic", "on"},
                 {"light_speed", "2"},
                 {"electric_field", field},
                 {"particles", "64"},
                 {"time_step", "0.01"}});
    EXPECT_TRUE(run.hasFinding("turns_in_drifting_frame"));
    EXPECT_FALSE(run.hasFinding("electric_wins"));
    run.step(3000);
    EXPECT_EQ(run.diagnostic(kDriftExact), static_cast<double>(-std::stof(field)));
    EXPECT_NEAR(run.diagnostic(kDrift), -std::stod(field), 2e-4);
    EXPECT_TRUE(std::isnan(run.diagnostic(kFrequency)));
  }
}

TEST(Lorentz, AnElectricFieldOfCBOrMoreIsWarnedOfAndTheCureHolds) {
  const Changes strong{{"configuration", "uniform"}, {"relativistic", "on"}, {"light_speed", "2"}, {"field", "0.5"},
                       {"electric_field", "-1.5"},   {"particles", "64"}};
  Session run(strong);
  run.step(10);
  EXPECT_TRUE(std::isnan(run.diagnostic(kDrift)));
  EXPECT_TRUE(std::isnan(run.diagnostic(kDriftExact)));
  const std::vector<Finding> all = run.findings();
  const auto found = std::find_if(all.begin(), all.end(), [](const Finding& f) { return f.code == "electric_wins"; });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->key, "electric_field");
  EXPECT_EQ(found->value, "-0.9");
  EXPECT_FALSE(Session(strong.with({{found->key, found->value}})).hasFinding("electric_wins"));
  EXPECT_TRUE(Session(strong.with({{"electric_field", "1"}})).hasFinding("electric_wins")) << "E = cB";
  EXPECT_FALSE(Session(strong.with({{"relativistic", "off"}})).hasFinding("electric_wins"));
}

TEST(Lorentz, ALiveChangeOfTheFieldsIsNoErrorOfTheEnergy) {
  Session run({{"configuration", "uniform"}, {"electric_field", "0.2"}, {"particles", "500"}, {"charges", "both"}});
  run.step(300);
  run.change({{"electric_field", "-0.7"}, {"field", "2"}});
  run.step(300);
  const std::vector<double> values = run.diagnostics();
  EXPECT_LT(std::abs(values[kEnergyError]), 1e-5);
  EXPECT_TRUE(std::isnan(values[kDriftExact])) << "the start is not what the closed form begins with";
}

// A stronger field turns faster, and samples of the past come closer: a state between two of them is still one.
TEST(Lorentz, AStateAfterALiveChangeOfTheFieldIsOneToGoOnFrom) {
  Session run({{"configuration", "uniform"}, {"particles", "100"}, {"field", "0.2"}});
  for (const int steps : {1, 2, 4, 8}) {
    run.change({{"field", "0.2"}});
    run.step(steps);
    run.change({{"field", "5"}});
    const State state = run.save();
    ASSERT_NO_THROW(run.load(state)) << steps;
    run.step(5);
    EXPECT_TRUE(run.finite());
  }
}

TEST(Lorentz, ALaunchSetsAParticleOnItsWayAndTheEnergyIsThatOfTheRest) {
  Session run({{"particles", "200"}});
  run.step(20);
  const double before = run.diagnostic(kKineticEnergy);
  EXPECT_TRUE(run.poke({.tool = "launch", .x = 0.5, .y = -0.25, .dx = 1, .dy = 2, .dz = 3}));
  const std::vector<float> x = run.values<float>("position");
  EXPECT_EQ(x[1], 0.5f);
  EXPECT_EQ(x[201], -0.25f);
  EXPECT_NE(run.diagnostic(kKineticEnergy), before);
  run.step(200);
  EXPECT_LT(std::abs(run.diagnostic(kEnergyError)), 1e-5);
  EXPECT_TRUE(std::isnan(run.diagnostic(kBounceExact)));
}

TEST(Lorentz, TheArrowReadsSpeedAndEnergyOfWhatIsLaunched) {
  for (const char* relativistic : {"off", "on"}) {
    Session run({{"particles", "200"}, {"relativistic", relativistic}});
    const Brush brush{.tool = "launch", .x = 0.5, .y = -0.25, .dx = 1, .dy = 2, .dz = 3};
    const auto readings = launchReadings(run.simulation().parameters(), brush, Frame{});
    ASSERT_EQ(readings.size(), 2u);
    run.poke(brush);
    const std::vector<float> u = run.values<float>("velocity");
    const double u2 = std::hypot(u[1], u[201], u[401]) * std::hypot(u[1], u[201], u[401]);
    const Parameters p = binding().read(run.simulation().parameters());
    const double gamma = p.relativistic ? std::sqrt(1 + u2 / p.c2()) : 1;
    EXPECT_NEAR(readings[0].value, std::sqrt(u2) / gamma, 1e-5 * std::sqrt(u2));
    EXPECT_NEAR(readings[1].value, u2 / (1 + gamma), 1e-5 * u2);
  }
}

TEST(Lorentz, TrailsEndWhereTheParticlesAreAndAreTheRunsOwnPast) {
  Session run({{"particles", "100"}, {"speed", "0.5"}, {"time_step", "0.05"}});
  const int stride = strideOf(binding().read(run.simulation().parameters()));
  ASSERT_GT(stride, 1);
  std::vector<float> middle;
  for (int i = 0; i < 40; ++i) {
    run.step(stride);
    if (i == 29) middle = run.values<float>("position");
  }
  Frame frame;
  run.present(frame);
  const Channel& trails = simscope::tests::channelOf(frame, "trails");
  const std::vector<float> places = trails.data.toHost(), x = run.values<float>("position");
  const auto at = [&](int tracer, int age, int k) {
    return places[static_cast<std::size_t>(3 * (tracer * trails.width + trails.width - 1 - age) + k)];
  };
  for (int tracer = 0; tracer < kTracers; ++tracer) {
    for (int k = 0; k < 3; ++k) {
      const auto i = static_cast<std::size_t>(100 * k + tracer);
      EXPECT_EQ(at(tracer, 0, k), x[i]);
      EXPECT_EQ(at(tracer, 10, k), middle[i]);
    }
  }
}

TEST(Lorentz, AStateWithoutItsRunBeginsAPastOfItsOwn) {
  Session run({{"particles", "100"}});
  run.step(50);
  State state = run.save();
  std::erase_if(state.arrays, [](const StateArray& array) { return array.name == "run" || array.name == "past"; });
  run.load(state);
  EXPECT_TRUE(std::isnan(run.diagnostic(kLostExact)));
  EXPECT_EQ(run.diagnostic(kEnergyError), 0);
  run.step(10);
  EXPECT_TRUE(run.finite());
}

}  // namespace
}  // namespace simscope::lorentz::tests
