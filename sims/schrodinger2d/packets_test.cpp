// A second packet: normalised with the first, exact while nothing acts on them.
#include "sims/schrodinger2d/packets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sims/schrodinger2d/testing.h"
#include "sims/schrodinger2d/validity.h"

namespace simscope::schrodinger2d {
namespace {

using tests::Changes;
using tests::channelOf;
using tests::parametersWith;
using tests::psiOf;
using tests::refusedParameter;
using tests::relativeDifference;
using tests::sameBits;
using tests::small;
using tests::start;
using tests::two;
using tests::Wave;
using tests::with;

// ⟨G|G₂⟩ of packets of one width: exp(-|Δr|²/8σ² - σ²|Δk|²/2) with the phase Δk·(r + r₂)/2.
Complex<double> overlapOf(const Packet& a, const Packet& b) {
  const double s2 = a.width * a.width, x = b.x - a.x, y = b.y - a.y, kx = b.kx - a.kx, ky = b.ky - a.ky;
  const double size = std::exp(-(x * x + y * y) / (8 * s2) - 0.5 * s2 * (kx * kx + ky * ky));
  const double phase = 0.5 * (kx * (a.x + b.x) + ky * (a.y + b.y));
  return {size * std::cos(phase), size * std::sin(phase)};
}

TEST(TwoPackets, AreNormalisedTogetherByTheirOverlapInClosedForm) {
  for (const char* const x : {"3", "-2", "-2.9"}) {
    for (const char* const momentum : {"-2", "1.5", "2"}) {
      for (const char* const phase : {"0", "1", "3.1"}) {
        const ParameterSet set = two(
            {{"second_x", x}, {"second_momentum_x", momentum}, {"second_phase", phase}, {"second_amplitude", "1.7"}});
        const Parameters p = binding().read(set);
        const Complex<double> s = overlapOf(packetOf(p), packetOf(p, kSecondPacket));
        const double norm =
            1 + 1.7 * 1.7 + 2 * 1.7 * (std::cos(p.second_phase) * s.re - std::sin(p.second_phase) * s.im);
        const Packets packets = packetsOf(p);
        EXPECT_NEAR(norm2(packets.each[0].weight), 1 / norm, 1e-9) << x << ", " << momentum << ", " << phase;
        EXPECT_NEAR(norm2(packets.each[1].weight), 1.7 * 1.7 / norm, 1e-9);
        EXPECT_NEAR(start(set).diagnostics()[kNorm], 1, 1e-12);
      }
    }
  }
}

TEST(TwoPackets, StartAsTheSumThatTheParametersSay) {
  const Wave psi =
      psiOf(start(two({{"second_phase", "0.7"}, {"second_amplitude", "0.5"}, {"second_width", "1.1"}})).save());
  const Grid grid{128, 20, 20.0 / 128};
  for (const int j : {40, 57, 64, 71}) {
    for (const int i : {40, 45, 64, 83}) {
      const double x = grid.x(i), y = grid.x(j);
      const auto packet = [&](double x0, double y0, double sigma, double phase) {
        const double r2 = std::pow(x - x0, 2) + std::pow(y - y0, 2);
        const double size = std::exp(-r2 / (4 * sigma * sigma)) / (sigma * std::sqrt(2 * kPi) * std::sqrt(1.25));
        return Complex<double>{size * std::cos(phase), size * std::sin(phase)};
      };
      const Complex<double> expected = packet(-3, 1, 0.9, 2 * x - y) + 0.5 * packet(3, -1, 1.1, -2 * x + y + 0.7);
      const Complex<double> found = psi[static_cast<std::size_t>(j) * 128 + static_cast<std::size_t>(i)];
      EXPECT_NEAR(found.re, expected.re, 1e-5) << i << ", " << j;  // their overlap, of 5e-6
      EXPECT_NEAR(found.im, expected.im, 1e-5) << i << ", " << j;
    }
  }
}

TEST(TwoPackets, FarNarrowerThanTheGridAndFarOutsideItAreStillOne) {
  Stepper run = start(two({{"second_width", "0.05"}, {"second_x", "333.34"}, {"packet_y", "-999.99"}}));
  EXPECT_NEAR(run.diagnostics()[kNorm], 1, 1e-12);
}

TEST(TwoPackets, ThatCancelAreRefused) {
  const Changes same = {{"second_x", "-3"},
                        {"second_y", "1"},
                        {"second_momentum_x", "2"},
                        {"second_momentum_y", "-1"},
                        {"second_phase", "3.14159265"}};
  EXPECT_EQ(refusedParameter([&] { start(two(same)); }), "second_phase");
  Changes weaker = same;
  weaker.push_back({"second_amplitude", "0.9"});
  EXPECT_NEAR(start(two(weaker)).diagnostics()[kNorm], 1, 1e-12);
}

// Closed forms of the free packet and of the oscillator's, phase included, are exact_test.cpp's.
TEST(TwoPackets, InFreeSpaceAreTheSuperpositionOfTheClosedForms) {
  Stepper run = start(two({{"second_width", "1.2"}, {"second_amplitude", "0.8"}, {"second_phase", "0.4"}}));
  for (int i = 0; i < 4; ++i) {
    const auto d = run.diagnostics();
    EXPECT_LT(d[kError], 1e-6) << "t = " << run.simulation().time();
    EXPECT_NEAR(d[kMeanX], d[kMeanXExact], 1e-7);
    EXPECT_NEAR(d[kMeanY], d[kMeanYExact], 1e-7);
    EXPECT_NEAR(d[kWidthX], d[kWidthXExact], 1e-6);
    EXPECT_NEAR(d[kWidthY], d[kWidthYExact], 1e-6);
    EXPECT_NEAR(d[kEnergyDrift], 0, 1e-9) << "the energy at the start, in closed form";
    run.step(50);
  }
  // They lie one upon the other: the density in one place by hand.
  const double t = run.simulation().time();
  ASSERT_NEAR(t, 2, 1e-9);
  run.step(150);
  EXPECT_TRUE(std::isnan(run.diagnostics()[kError])) << "near the edges";
}

TEST(TwoPackets, InTheOscillatorAreTheSuperpositionToTheSplittingsError) {
  const auto after = [](const char* time_step, int steps) {
    Stepper run = start(two({{"potential", "harmonic"},
                             {"omega", "0.617"},
                             {"second_x", "2"},
                             {"second_momentum_x", "-1"},
                             {"second_width", "0.7"},
                             {"second_phase", "2"},
                             {"time_step", time_step}}));
    run.step(steps);
    return std::vector<double>(run.diagnostics());
  };
  const auto coarse = after("0.02", 200), fine = after("0.01", 400);
  EXPECT_LT(fine[kError], 3e-3);
  EXPECT_NEAR(std::log2(coarse[kError] / fine[kError]), 2, 0.05) << "of second order";
  for (const auto& [value, exact] :
       {std::pair{kMeanX, kMeanXExact}, {kMeanY, kMeanYExact}, {kWidthX, kWidthXExact}, {kWidthY, kWidthYExact}}) {
    EXPECT_NEAR(fine[value], fine[exact], 1e-3);
  }
}

// Where they lie wholly one upon the other ψ is nothing along lines that are 2π/|k - k₂| apart, whatever their shape.
TEST(TwoPackets, MakeFringesAtTheSpacingOfTheirMomenta) {
  for (const auto& [ky, phase] : {std::pair{"2.25", "0"}, {"3", "1.2"}}) {
    const double k = std::stod(ky), shift = std::stod(phase);
    const std::string minus = std::string("-") + ky;
    const auto y_of = [&](double sign) { return std::to_string(sign * 2 * k); };
    Stepper run = start(small({{"grid_points", "256"},
                               {"packet_x", "-3"},
                               {"packet_y", y_of(-1)},
                               {"momentum_x", "1.5"},
                               {"momentum_y", ky},
                               {"second_packet", "on"},
                               {"second_x", "-3"},
                               {"second_y", y_of(1)},
                               {"second_width", "0.9"},
                               {"second_momentum_x", "1.5"},
                               {"second_momentum_y", minus},
                               {"second_phase", phase},
                               {"screen_x", "0"}}));
    run.step(200);
    Frame frame;
    run.present(frame);
    const std::vector<float> density = channelOf(frame, "screen").data.toHost();
    const Grid grid{256, 20, 20.0 / 256};
    const double spacing = kPi / k;  // 2π/|k - k₂|
    // The dark line nearest to a place: the bottom of the parabola through the least sample and its neighbours.
    const auto dark = [&](double around) {
      int best = grid.nearest(around);
      for (int j = grid.nearest(around - 0.45 * spacing); j <= grid.nearest(around + 0.45 * spacing); ++j) {
        if (density[static_cast<std::size_t>(j)] < density[static_cast<std::size_t>(best)]) best = j;
      }
      const auto at = [&](int j) { return static_cast<double>(density[static_cast<std::size_t>(j)]); };
      return grid.x(best) +
             0.5 * grid.dx * (at(best - 1) - at(best + 1)) / (at(best - 1) - 2 * at(best) + at(best + 1));
    };
    // 2ky - φ = π(2n + 1)
    const double first = (shift - kPi) / (2 * k);
    for (int n = -1; n <= 2; ++n) EXPECT_NEAR(dark(first + n * spacing), first + n * spacing, 0.01 * spacing) << n;
    EXPECT_NEAR(dark(first + 2 * spacing) - dark(first - spacing), 3 * spacing, 0.01 * spacing);
    const float bright = *std::max_element(density.begin(), density.end());
    EXPECT_LT(density[static_cast<std::size_t>(grid.nearest(first))], 0.02f * bright);
  }
}

TEST(TwoPackets, AreShownBesideTheirExactCurves) {
  Stepper run = start(two({{"screen_x", "0.5"}, {"second_y", "0.5"}, {"second_amplitude", "0.7"}}));
  run.step(150);
  Frame frame;
  run.present(frame);
  EXPECT_EQ(channelOf(frame, "marginal_expected").form, 0);
  EXPECT_EQ(channelOf(frame, "screen_expected").form, 0);
  for (const char* const curve : {"marginal", "screen"}) {
    const std::vector<float> found = channelOf(frame, curve).data.toHost(),
                             exact = channelOf(frame, std::string(curve) + "_expected").data.toHost();
    const float high = *std::max_element(found.begin(), found.end());
    EXPECT_LE(high, channelOf(frame, curve).high);
    EXPECT_GT(high, 0.1 * channelOf(frame, curve).high) << curve;
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], exact[i], 2e-5f) << curve << ", " << i;
  }
}

TEST(TwoPackets, BatchIsItsStepsOneByOneToTheBit) {
  for (const char* const precision : {"single", "double"}) {
    const ParameterSet set = two({{"potential", "double_slit"}, {"precision", precision}, {"absorbing_edges", "on"}});
    Stepper batch = start(set), single = start(set);
    batch.step(23);
    for (int i = 0; i < 23; ++i) single.step(1);
    EXPECT_TRUE(sameBits(batch.save(), single.save())) << precision;
  }
}

TEST(TwoPackets, ThatScatterKeepTheAccountsOfNormAndEnergy) {
  Stepper run = start(two({{"potential", "barrier"}, {"barrier_height", "4"}, {"second_momentum_y", "0"}}));
  const double energy = run.diagnostics()[kEnergy];
  run.step(100);
  const auto d = run.diagnostics();
  EXPECT_NEAR(d[kNormDrift], 0, 1e-12);
  EXPECT_NEAR(d[kEnergy], energy, 1e-2 * energy);
  EXPECT_LT(std::fabs(d[kEnergyDrift]), 1e-2);
  EXPECT_TRUE(std::isnan(d[kError]));
}

TEST(TwoPackets, TheSlitsTheoryIsThatOfOne) {
  const auto formWith = [](const char* second) {
    Stepper run = start(two({{"potential", "double_slit"}, {"screen_x", "4"}, {"second_packet", second}}));
    Frame frame;
    run.present(frame);
    return channelOf(frame, "screen_expected").form;
  };
  EXPECT_EQ(formWith("off"), 1);
  EXPECT_EQ(formWith("on"), 2);
}

TEST(TwoPackets, TheFasterOneSetsWhatEdgesAbsorb) {
  const Parameters slow = parametersWith({{"absorbing_edges", "on"}, {"momentum_x", "2"}}),
                   fast = parametersWith({{"absorbing_edges", "on"}, {"momentum_x", "2"}, {"second_packet", "on"}});
  EXPECT_EQ(layerFor(slow, begunBy(slow), {}).wave_number, 2);
  EXPECT_EQ(layerFor(fast, begunBy(fast), {}).wave_number, 5);
}

TEST(TwoPackets, TheSecondHasFindingsOfItsOwnWithCuresOfItsOwn) {
  struct Ill {
    const char *key, *value, *code;
  };
  for (const Ill& each : {Ill{"second_x", "30", "packet_outside_domain"},
                          {"second_y", "-23", "packet_outside_domain"},
                          {"second_x", "5", "packet_touches_potential"},
                          {"second_momentum_y", "60", "momentum_beyond_nyquist"}}) {
    const std::string key = each.key, value = each.value, code = each.code;
    ParameterSet ill = with({{"second_packet", "on"}, {key, value}});
    const auto found = findingsFor(binding().read(ill), {.begun = begunBy(binding().read(ill))});
    const auto at = std::find_if(found.begin(), found.end(), [&](const Finding& f) { return f.code == code; });
    ASSERT_NE(at, found.end()) << code;
    EXPECT_NE(at->message.find("The second packet"), std::string::npos) << at->message;
    EXPECT_EQ(at->key.rfind(at->key == "grid_points" ? "grid_points" : "second_", 0), 0u) << at->key;
    ill.setText(at->key, at->value);
    for (const Finding& left : findingsFor(binding().read(ill), {.begun = begunBy(binding().read(ill))}))
      EXPECT_NE(left.code, code) << left.message;
    ill = with({{key, value}});
    EXPECT_TRUE(findingsFor(binding().read(ill), {.begun = begunBy(binding().read(ill))}).empty()) << "there is none";
  }
}

}  // namespace
}  // namespace simscope::schrodinger2d
