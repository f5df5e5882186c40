// A second packet: normalised with the first, exact while nothing acts on it, and in the exact transmission.
#include "sims/tunneling/packets.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sims/tunneling/batch.h"
#include "sims/tunneling/exact.h"
#include "sims/tunneling/factors.h"
#include "sims/tunneling/testing.h"
#include "sims/tunneling/typed_potential.h"
#include "sims/tunneling/validity.h"

namespace simscope::tunneling {
namespace {

using tests::Changes;
using tests::parametersWith;
using tests::psiOf;
using tests::start;

Changes pairWith(Changes changes) {
  changes.insert(changes.begin(), {{"second_packet", "on"}, {"precision", "double"}});
  return changes;
}

double normOf(const Parameters& p) {
  double sum = 0;
  for (const Complex<double>& z : makePacket<double>(p)) sum += norm2(z);
  return sum * gridOf(p).dx;
}

TEST(TwoPackets, AreNormalisedTogetherWhetherTheyOverlapOrNot) {
  for (const char* const center : {"50", "-50", "-45", "-52"}) {
    for (const char* const phase : {"0", "1", "3.1"}) {
      const Parameters p = parametersWith(pairWith(
          {{"second_center", center}, {"second_phase", phase}, {"second_amplitude", "1.7"}, {"second_width", "3"}}));
      EXPECT_NEAR(normOf(p), 1, 1e-12) << center << ", " << phase;
    }
  }
  const Packets apart = packetsOf(parametersWith(pairWith({{"second_amplitude", "3"}})));
  EXPECT_NEAR(norm2(apart.weight[0]), 0.1, 1e-12) << "A² times the probability";
  EXPECT_NEAR(norm2(apart.weight[1]), 0.9, 1e-12);
}

TEST(TwoPackets, StartAsTheSumThatTheParametersSay) {
  const Parameters p = parametersWith(pairWith({{"second_phase", "0.7"}, {"second_amplitude", "0.5"}}));
  const auto psi = makePacket<double>(p);
  const double weight = 1 / std::sqrt(1.25);
  for (const int i : {500, 520, 1540, 1560}) {
    const double x = gridOf(p).x(i), sigma = 5, height = weight * std::pow(2 * kPi * sigma * sigma, -0.25);
    const double first = height * std::exp(-std::pow((x + 50) / (2 * sigma), 2));
    const double second = 0.5 * height * std::exp(-std::pow((x - 50) / (2 * sigma), 2));
    EXPECT_NEAR(psi[static_cast<std::size_t>(i)].re, first * std::cos(2 * x) + second * std::cos(0.7 - 2 * x), 1e-12);
    EXPECT_NEAR(psi[static_cast<std::size_t>(i)].im, first * std::sin(2 * x) + second * std::sin(0.7 - 2 * x), 1e-12);
  }
}

TEST(TwoPackets, AloneOneIsTheOtherWithItsPlacesTaken) {
  const auto one = makePacket<double>(parametersWith({{"packet_center", "-50"}}));
  EXPECT_EQ(makePacket<double>(parametersWith({{"second_center", "3"}, {"second_width", "9"}}))[700].re, one[700].re)
      << "what is off says nothing";
}

// The stripes of two packets that meet, to the shape of ψ, phase included: no potential and no kinetic error.
TEST(TwoPackets, InFreeSpaceAreTheSuperpositionOfTheClosedForms) {
  Stepper run = start(tests::with(pairWith({{"potential", "none"},
                                            {"packet_width", "3"},
                                            {"packet_center", "-20"},
                                            {"packet_momentum", "1.5"},
                                            {"second_center", "25"},
                                            {"second_width", "4"},
                                            {"second_momentum", "-2"},
                                            {"second_amplitude", "0.8"},
                                            {"second_phase", "0.4"},
                                            {"time_step", "0.05"}})));
  for (int i = 0; i < 5; ++i) {
    EXPECT_LT(run.diagnostics()[kError], 1e-9) << "t = " << run.simulation().time();
    run.step(50);
  }
  // At t = 12.5 they lie one upon the other; the density at a place by hand.
  const double t = run.simulation().time();
  const auto free = [&](double x0, double k, double sigma, double x) {
    const Complex<double> q{1, t / (2 * sigma * sigma)};
    const double away = x - x0 - k * t, q2 = norm2(q);
    // exp(-away²/(4σ²q)) e^{i(kx - k²t/2)} / √q
    const double magnitude = std::pow(2 * kPi * sigma * sigma, -0.25) * std::pow(q2, -0.25) *
                             std::exp(-away * away * q.re / (4 * sigma * sigma * q2));
    const double phase =
        away * away * q.im / (4 * sigma * sigma * q2) + k * x - 0.5 * k * k * t - 0.5 * std::atan2(q.im, q.re);
    return Complex<double>{magnitude * std::cos(phase), magnitude * std::sin(phase)};
  };
  Frame frame;
  run.present(frame);
  const auto exact = frame.find("exact_density")->data.toHost(), density = frame.find("density")->data.toHost();
  EXPECT_EQ(frame.find("exact_density")->form, 0);
  const Grid grid = gridOf(binding().read(run.simulation().parameters()));
  for (int i = 960; i < 1080; i += 7) {
    const double x = grid.x(i), weight = 1 / std::sqrt(1.64);
    const Complex<double> turn{0.8 * std::cos(0.4), 0.8 * std::sin(0.4)};
    const double expected = norm2(weight * (free(-20, 1.5, 3, x) + turn * free(25, -2, 4, x)));
    EXPECT_NEAR(exact[static_cast<std::size_t>(i)], expected, 1e-6) << x;
    EXPECT_NEAR(density[static_cast<std::size_t>(i)], expected, 1e-6) << x;
  }
  run.step(700);
  EXPECT_TRUE(std::isnan(run.diagnostics()[kError])) << "near the edges";
  Frame late;
  run.present(late);
  EXPECT_EQ(late.find("exact_density")->form, 1);
}

TEST(TwoPackets, InTheOscillatorAreTheSuperpositionToTheSplittingsError) {
  const auto errorAfter = [](const char* time_step, int steps) {
    Stepper run = start(tests::with(pairWith({{"potential", "harmonic"},
                                              {"packet_width", "2"},
                                              {"packet_center", "-15"},
                                              {"packet_momentum", "1"},
                                              {"second_center", "10"},
                                              {"second_width", "1"},
                                              {"second_momentum", "0"},
                                              {"second_phase", "2"},
                                              {"domain_length", "100"},
                                              {"time_step", time_step}})));
    run.step(steps);
    return run.diagnostics()[kError];
  };
  const double coarse = errorAfter("0.04", 1000), fine = errorAfter("0.02", 2000);
  EXPECT_LT(fine, 5e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << "of second order";
}

TEST(TwoPackets, AKickOrAnotherPotentialEndsWhatIsExact) {
  Stepper run = start(tests::with(pairWith({{"potential", "none"}})));
  run.step(10);
  EXPECT_LT(run.diagnostics()[kError], 1e-5);
  ASSERT_TRUE(run.simulation().poke({.tool = "kick", .x = -50, .strength = 0.5}));
  run.step(1);
  EXPECT_TRUE(std::isnan(run.diagnostics()[kError]));
}

// What crosses the barrier from one side meets what the barrier throws back on the other.
TEST(TwoPackets, ThatMeetAtABarrierLeaveAsTheExactTransmissionSays) {
  struct Case {
    Changes changes;
  };
  const Changes half = {
      {"barrier_height", "2.7"}, {"barrier_width", "0.9"}, {"grid_points", "4096"}, {"time_step", "0.005"}};
  double least = 1, most = 0;
  for (const char* const phase : {"-1.5707963", "0", "1.5707963"}) {
    Changes changes = pairWith(half);
    changes.push_back({"second_phase", phase});
    Stepper run = start(tests::with(changes));
    run.step(16000);
    const auto d = run.diagnostics();
    EXPECT_NEAR(d[kTransmission], d[kTransmissionExact], 2e-3) << phase;
    least = std::min(least, d[kTransmissionExact]);
    most = std::max(most, d[kTransmissionExact]);
  }
  EXPECT_LT(least, 0.1);
  EXPECT_GT(most, 0.9);
}

TEST(TwoPackets, TheirExactTransmissionHoldsForStepsForOneSideAndForUnequalPackets) {
  for (const Changes& changes :
       {Changes{{"potential", "step"}, {"barrier_height", "1"}, {"second_momentum", "-1.5"}},
        Changes{{"potential", "step"}, {"barrier_height", "1"}, {"second_center", "25"}, {"second_momentum", "1.6"}},
        Changes{
            {"second_center", "-25"}, {"second_momentum", "1.7"}, {"second_amplitude", "0.6"}, {"barrier_width", "2"}},
        Changes{{"potential", "formula"}, {"formula", "1.9*exp(-x^2/4)"}, {"second_momentum", "-1.8"}},
        Changes{{"potential", "formula"}, {"formula", "-0.8/(1 + exp(-x/0.6))"}, {"second_amplitude", "2"}}}) {
    Changes all = pairWith(changes);
    all.insert(all.end(), {{"domain_length", "200"}, {"time_step", "0.01"}});
    Stepper run = start(tests::with(all));
    run.step(9000);
    const auto d = run.diagnostics();
    EXPECT_NEAR(d[kTransmission], d[kTransmissionExact], 3e-3) << changes[0].second << ", " << changes[1].first;
  }
}

TEST(TwoPackets, OneOfThemFarWeakerIsTheOtherAlone) {
  for (const Changes& changes : {Changes{}, Changes{{"potential", "well"}}, Changes{{"potential", "step"}},
                                 Changes{{"potential", "step"}, {"packet_center", "55"}, {"packet_momentum", "-1"}}}) {
    Changes both = changes;
    both.insert(both.end(), {{"second_packet", "on"}, {"second_amplitude", "0.01"}, {"second_center", "-30"}});
    EXPECT_NEAR(packetTransmission(parametersWith(both)), packetTransmission(parametersWith(changes)), 3e-3);
  }
}

TEST(TwoPackets, TheSecondHasFindingsOfItsOwnWithCuresOfItsOwn) {
  const auto found = [](const Changes& changes) {
    const auto all = findingsFor(parametersWith(changes));
    return all.empty() ? Finding{} : all[0];
  };
  for (const auto& [key, value, code] : {std::array<const char*, 3>{"second_center", "90", "packet_outside_domain"},
                                         {"second_center", "10", "packet_touches_potential"},
                                         {"second_momentum", "40", "momentum_beyond_nyquist"}}) {
    const Changes ill = {{"second_packet", "on"}, {key, value}};
    const Finding finding = found(ill);
    EXPECT_EQ(finding.code, code);
    EXPECT_NE(finding.message.find("second packet"), std::string::npos) << finding.message;
    Changes cured = ill;
    cured.push_back({finding.key, finding.value});
    EXPECT_NE(found(cured).code, code) << finding.key << "=" << finding.value;
  }
}

TEST(TwoPackets, InABatchAreTheSingleRuns) {
  std::vector<ParameterSet> runs;
  for (const char* const phase : {"0", "1.5"}) {
    runs.push_back(
        tests::with({{"second_packet", "on"}, {"potential", "none"}, {"grid_points", "256"}, {"second_phase", phase}}));
  }
  const auto batch = createBatch(tests::cpu(), runs, 1);
  batch->step(150);
  std::vector<double> values(runs.size() * kDiagnosticCount);
  batch->diagnostics(values);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Stepper single = start(runs[i]);
    single.step(150);
    EXPECT_EQ(single.save().find("psi")->bytes, batch->stateArray(i)) << i;
    EXPECT_EQ(single.diagnostics()[kError], values[i * kDiagnosticCount + kError]);
    EXPECT_LT(values[i * kDiagnosticCount + kError], 1e-3);
  }
}

}  // namespace
}  // namespace simscope::tunneling
