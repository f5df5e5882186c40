// Training: it learns, and every network for itself.
#include "sims/pinn/pinn.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/core/testing/testing.h"
#include "sims/core/timeline/stepper.h"
#include "sims/pinn/pass.h"
#include "sims/pinn/scalar.h"

namespace simscope::pinn {
namespace {

using tests::Changes;
using RunOf = tests::Run<Pinn, Diagnostic>;

RunOf runWith(const Changes& changes, compute::DevicePtr device = tests::cpu(), std::uint64_t seed = 3) {
  return RunOf(tests::changed(description().defaults(), changes), seed, std::move(device));
}

TEST(PinnDescription, NumbersDiagnosticsAsTheEnumerationDoes) {
  EXPECT_EQ(description().diagnosticIndex("loss_start"), static_cast<std::size_t>(Diagnostic::StartLoss));
  EXPECT_EQ(description().diagnosticIndex("error"), static_cast<std::size_t>(Diagnostic::Error));
  EXPECT_EQ(description().diagnosticIndex("value_exact"), static_cast<std::size_t>(Diagnostic::ValueExact));
  EXPECT_EQ(description().diagnosticIndex("diverged"), static_cast<std::size_t>(Diagnostic::Diverged));
  EXPECT_EQ(description().diagnostics.size(), static_cast<std::size_t>(Diagnostic::Diverged) + 1);
}

class Trainings : public compute::OnEveryDevice {
 protected:
  RunOf run(const Changes& changes, std::uint64_t seed = 3) { return runWith(changes, device_, seed); }
};
SIMSCOPE_ON_EVERY_DEVICE(Trainings);

TEST_P(Trainings, LearnsTheDecayFromAnySeed) {
  RunOf all = run({{"networks", "8"}});
  all.step(2400);
  const auto scores = all.values<float>("history");
  for (std::size_t k = 0; k < 8; ++k) {
    const std::size_t last = static_cast<std::size_t>(recordsUpTo(2400) - 1) * 8 + k;
    EXPECT_LT(scores[last * kScoreNumbers + 4], 0.01f) << "network " << k;
  }
  EXPECT_LT(all.diagnostic(Diagnostic::Error), 2e-3);
  EXPECT_NEAR(all.diagnostic(Diagnostic::Value), std::exp(-2.0), 2e-3);
}

TEST_P(Trainings, LearnsTheHeatEquationInThePlane) {
  RunOf heat = runWith({{"problem", "heat"}, {"layers", "2"}, {"points", "100"}, {"condition_weight", "10"}}, device_);
  const double start = heat.diagnostic(Diagnostic::Error);
  heat.step(1200);
  EXPECT_LT(heat.diagnostic(Diagnostic::Error), 0.03);
  EXPECT_GT(start, 0.3);
}

// m = (1−β₁) g and v = (1−β₂) g², corrected: each weight moves by the rate against the sign of its slope.
TEST_P(Trainings, AdamsFirstStepIsTheRateAgainstTheSignOfTheGradient) {
  RunOf one = run({{"learning_rate", "0.001"}, {"decay", "0"}});
  const std::vector<float> before = one.values<float>("weights"), g = one.simulation().gradientOf(0);
  one.step(1);
  const std::vector<float> after = one.values<float>("weights");
  for (std::size_t i = 0; i < g.size(); ++i) {
    ASSERT_GT(std::abs(g[i]), 1e-5f);
    EXPECT_NEAR(after[i] - before[i], g[i] > 0 ? -1e-3f : 1e-3f, 2e-6f) << i;
  }
}

TEST_P(Trainings, DescentMovesByTheRateTimesTheGradient) {
  RunOf one = run({{"learning_rate", "0.125"}, {"optimizer", "descent"}, {"decay", "0"}});
  const std::vector<float> before = one.values<float>("weights"), g = one.simulation().gradientOf(0);
  one.step(1);
  const std::vector<float> after = one.values<float>("weights");
  for (std::size_t i = 0; i < g.size(); ++i) EXPECT_EQ(after[i], std::fma(-0.125f, g[i], before[i])) << i;
}

// Alone, with the weights of that network at first; and on the CPU.
TEST_P(Trainings, OfANetworkIsTheSameToTheBitAloneAndAmongOthers) {
  for (const Changes& changes :
       {Changes{{"units", "13"}, {"layers", "2"}}, Changes{{"problem", "burgers"}, {"layers", "3"}, {"units", "24"}},
        Changes{{"problem", "oscillator"}, {"sampling", "random"}},
        Changes{{"problem", "heat"}, {"units", "32"}, {"layers", "2"}, {"sampling", "random"}}}) {
    RunOf many = run(changes.with({{"networks", "5"}})), alone = runWith(changes);
    const std::vector<float> first = many.values<float>("weights");
    const std::size_t count = first.size() / 5;
    many.step(40);
    const std::vector<float> trained = many.values<float>("weights");
    for (std::size_t k = 0; k < 5; k += 2) {
      RunOf single = runWith(changes);
      const auto at = static_cast<std::ptrdiff_t>(k * count), end = at + static_cast<std::ptrdiff_t>(count);
      single.setValues<float>("weights", std::vector<float>(first.begin() + at, first.begin() + end));
      single.step(40);
      EXPECT_TRUE(tests::sameBits(single.values<float>("weights"),
                                  std::vector<float>(trained.begin() + at, trained.begin() + end)))
          << "network " << k;
    }
  }
}

TEST_P(Trainings, ASweepsNetworksHaveTheRatesOfRunsOfTheirOwn) {
  const Changes sweep{{"networks", "3"}, {"varies", "rate"}, {"learning_rate", "0.001"}, {"highest_rate", "0.1"}};
  RunOf all = run(sweep);
  all.step(50);
  const std::vector<float> trained = all.values<float>("weights");
  const char* const rates[] = {"0.001", "0.01", "0.1"};
  for (std::size_t k = 0; k < 3; ++k) {
    RunOf one = run({{"learning_rate", rates[k]}});
    one.step(50);
    const std::vector<float> own = one.values<float>("weights");
    const auto at = static_cast<std::ptrdiff_t>(k * own.size()), end = at + static_cast<std::ptrdiff_t>(own.size());
    EXPECT_TRUE(tests::sameBits(own, std::vector<float>(trained.begin() + at, trained.begin() + end))) << rates[k];
  }
}

TEST_P(Trainings, HasTheSameBitsHoweverItsStepsAreDivided) {
  const Changes changes{{"problem", "burgers"}, {"sampling", "random"}, {"points", "30"}, {"networks", "2"}};
  RunOf whole = run(changes), parts = run(changes);
  whole.step(77);
  for (const int each : {1, 30, 1, 1, 44}) parts.step(each);
  EXPECT_TRUE(tests::sameBits(whole.save(), parts.save()));
}

TEST_P(Trainings, ThatDivergesStopsBeforeItsWeightsAreNoNumbersAndSaysWhatCuresIt) {
  RunOf run_ = run({{"optimizer", "descent"}, {"learning_rate", "10"}, {"decay", "0"}});
  run_.step(300);
  EXPECT_TRUE(run_.finite());
  ASSERT_TRUE(run_.hasFinding("diverging"));
  RunOf cured = run({{"optimizer", "descent"}, {"learning_rate", "0.05"}, {"decay", "0"}});
  cured.step(300);
  EXPECT_FALSE(cured.hasFinding("diverging"));
}

TEST_P(Trainings, ASweepFindsTheBestRateBetweenTooSmallAndTooLarge) {
  RunOf sweep =
      run({{"networks", "24"}, {"varies", "rate"}, {"learning_rate", "1e-6"}, {"highest_rate", "10"}, {"decay", "0"}});
  sweep.step(600);
  const double best = sweep.diagnostic(Diagnostic::BestRate);
  EXPECT_GT(best, 1e-3);
  EXPECT_LT(best, 2);
}

// Loss, gradient, and error against the exact solution, from the weights, in double precision and by another way.
TEST_P(Trainings, MeasuresWhatDoublePrecisionMeasures) {
  RunOf one = run({{"problem", "burgers"}, {"layers", "2"}, {"units", "12"}, {"condition_weight", "5"}});
  one.step(30);
  const Physics physics{.problem = Problem::Burgers};
  const Architecture net{2, 2, 12};
  const std::vector<float> weights = one.values<float>("weights"), found = one.simulation().gradientOf(0);
  const std::vector<double> wide(weights.begin(), weights.end());
  Pass<Scalar<double>, 4> pass(net);
  pass.take(wide.data());
  std::vector<Place<double>> places;
  for (const Place<float>& at : gridFor(physics, 32)) {
    places.push_back({static_cast<double>(at.xi), static_cast<double>(at.tau)});
  }
  const Loss<double> loss = lossFor<double>(physics, 5, static_cast<int>(places.size()));
  const auto conditions = conditionsFor<double>(physics);
  double sums[kParts];
  pass.run(loss, places.data(), conditions.data(), sums);
  std::vector<double> gradient(wide.size());
  pass.giveGradient(gradient.data());
  EXPECT_NEAR(one.diagnostic(Diagnostic::Loss), lossOf(loss, sums), 1e-5 * lossOf(loss, sums));
  double norm = 0, off = 0, error = 0, size = 0;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    norm += tests::squared(gradient[i]);
    off += tests::squared(gradient[i] - static_cast<double>(found[i]));
  }
  EXPECT_LT(std::sqrt(off / norm), 1e-5);
  EXPECT_NEAR(one.diagnostic(Diagnostic::Gradient), std::sqrt(norm), 1e-5 * std::sqrt(norm));
  for (const Place<float>& at : measuringGrid(physics)) {
    double u[4];
    pass.forward({static_cast<double>(at.xi), static_cast<double>(at.tau)}, loss.xi_x, loss.tau_t, u);
    const double exact = exactAt(physics, static_cast<double>(at.xi), timeOf(static_cast<double>(at.tau)));
    error += tests::squared(u[0] - exact), size += tests::squared(exact);
  }
  EXPECT_NEAR(one.diagnostic(Diagnostic::Error), std::sqrt(error / size), 1e-5);
}

TEST(Views, ShowTheBestNetworkAndCountAllErrors) {
  RunOf run = runWith({{"networks", "40"}});
  run.step(100);
  Frame frame;
  run.present(frame);
  const auto sums = tests::channelOf(frame, "errors").data.toHost();
  float counted = 0;
  for (const float each : sums) counted += each;
  EXPECT_EQ(counted, 40);
  const auto solution = tests::channelOf(frame, "solution").data.toHost();
  EXPECT_NEAR(static_cast<double>(solution.back()), run.diagnostic(Diagnostic::Value), 1e-6);
  const auto loss = tests::channelOf(frame, "sweep_loss").data.toHost();
  EXPECT_NEAR(std::pow(10, static_cast<double>(loss[0])), run.diagnostic(Diagnostic::Loss), 1e-5);
  RunOf sweep = runWith({{"networks", "12"}, {"varies", "rate"}});
  sweep.step(100);
  sweep.present(frame);
  const auto all = tests::channelOf(frame, "sweep_loss").data.toHost();
  ASSERT_EQ(all.size(), 12u);
  const float least = *std::min_element(all.begin(), all.end());
  EXPECT_NEAR(std::pow(10, static_cast<double>(least)), sweep.diagnostic(Diagnostic::Loss), 1e-5);
}

TEST(Findings, NameTheValueThatCuresThem) {
  for (const auto& [changes, code] :
       {std::pair(Changes{{"problem", "oscillator"}, {"frequency", "10"}}, "many_periods"),
        std::pair(Changes{{"problem", "oscillator"}, {"frequency", "6"}, {"points", "8"}}, "few_points"),
        std::pair(Changes{{"rate", "10"}}, "short_layer"),
        std::pair(Changes{{"problem", "burgers"}, {"points", "100"}}, "thin_front"),
        std::pair(Changes{{"problem", "burgers"}, {"viscosity", "0.005"}, {"sampling", "random"}}, "few_in_front")}) {
    RunOf run = runWith(changes);
    std::string key, value;
    for (const Finding& each : run.findings()) {
      if (each.code == code) key = each.key, value = each.value;
    }
    ASSERT_FALSE(key.empty()) << code;
    RunOf cured = runWith(changes.with({{key, value}}));
    EXPECT_FALSE(cured.hasFinding(code)) << code;
  }
}

TEST(Records, AreTwentyADecadeAndSayWhatARunThatEndsThereSays) {
  EXPECT_EQ(iterationOf(0), 1);
  EXPECT_EQ(iterationOf(20), 10);
  EXPECT_EQ(recordsUpTo(0), 0);
  EXPECT_EQ(recordsUpTo(10), 21);
  RunOf run = runWith({});
  run.step(100);
  const auto history = run.values<float>("history");
  EXPECT_EQ(static_cast<double>(history[40 * kScoreNumbers + 3]), run.diagnostic(Diagnostic::Loss));
  EXPECT_EQ(static_cast<double>(history[40 * kScoreNumbers + 4]), run.diagnostic(Diagnostic::Error));
  EXPECT_EQ(history[41 * kScoreNumbers + 3], 0.0f) << "not there yet";
}

// Wrong by 0.25 to 1.2 of its size: never without a word, and the cure is one.
TEST(Pinn, AWrongSolutionIsSaidToBeWrongAndItsCureHolds) {
  struct Case {
    const char *preset, *key, *value, *code, *cured;
    int steps;
  };
  for (const Case& each :
       {Case{"decay", "condition_weight", "1000", "equation_ignored", "condition_weight", 2000},
        Case{"decay", "learning_rate", "3", "rate_too_large", "learning_rate", 1000},
        Case{"oscillator", "points", "13", "wrong_between_points", "points", 2500},
        Case{"heat", "points", "4", "wrong_between_points", "points", 1000},
        Case{"burgers", "condition_weight", "0.01", "conditions_ignored", "condition_weight", 500}}) {
    SCOPED_TRACE(std::string(each.preset) + ", " + each.key);
    ParameterSet set = tests::changed(description().preset(each.preset), {{each.key, each.value}});
    if (std::string(each.preset) == "burgers") set = tests::changed(set, {{"points", "64"}});  // quicker
    Stepper run(description(), tests::cpu(), set, 1);
    EXPECT_TRUE(run.findings().empty()) << "nothing is known yet";
    run.step(each.steps);
    EXPECT_GT(run.diagnostics()[static_cast<std::size_t>(Diagnostic::Error)], 0.2);
    const std::vector<Finding> findings = run.findings();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].code, each.code);
    ASSERT_EQ(findings[0].key, each.cured);
    Stepper cured(description(), tests::cpu(), tests::changed(set, {{findings[0].key, findings[0].value}}), 1);
    cured.step(each.steps);
    EXPECT_LT(cured.diagnostics()[static_cast<std::size_t>(Diagnostic::Error)], 0.1);
    EXPECT_TRUE(cured.findings().empty());
  }
}

TEST(Pinn, WhatIsNotYetLearntIsANote) {
  Stepper run(description(), tests::cpu(), tests::changed(description().preset("oscillator"), {}), 1);
  run.step(1000);
  ASSERT_GT(run.diagnostics()[static_cast<std::size_t>(Diagnostic::Error)], 0.1);
  const std::vector<Finding> findings = run.findings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].code, "not_there_yet");
  EXPECT_EQ(findings[0].level, Finding::Level::Note);
}

}  // namespace
}  // namespace simscope::pinn
