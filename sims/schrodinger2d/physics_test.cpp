// What the run must do, whatever carries it out: exact solutions, products of runs in one dimension, fringes.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "sims/compute/fourier/fft.h"
#include "sims/schrodinger2d/exact.h"
#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::Changes;
using tests::psiOf;
using tests::relativeDifference;
using tests::small;
using tests::start;
using tests::Wave;
using tests::with;

double diagnosticAfter(const ParameterSet& set, int steps, Diagnostic which) {
  Stepper run = start(set);
  run.step(steps);
  return run.diagnostics()[which];
}

TEST(Schrodinger2d, FreePacketIsTheExactOneToRounding) {
  Stepper run = start(small({}));
  run.step(150);
  const auto d = run.diagnostics();
  EXPECT_LT(d[kError], 1e-7);  // the tails beyond the edges
  EXPECT_NEAR(d[kMeanX], -3 + 2 * 1.5, 1e-8);
  EXPECT_NEAR(d[kMeanY], 1 - 1 * 1.5, 1e-8);
  EXPECT_NEAR(d[kMeanX], d[kMeanXExact], 1e-8);
  EXPECT_NEAR(d[kMeanY], d[kMeanYExact], 1e-8);
  EXPECT_NEAR(d[kWidthX], 0.9 * std::sqrt(1 + std::pow(1.5 / (2 * 0.81), 2)), 1e-6);
  EXPECT_NEAR(d[kWidthX], d[kWidthXExact], 1e-6);
  EXPECT_NEAR(d[kWidthY], d[kWidthYExact], 1e-6);
  EXPECT_NEAR(d[kEnergy], 0.5 * 5 + 2 / (8 * 0.81), 1e-9);
}

TEST(Schrodinger2d, PacketInTheOscillatorFollowsTheExactOneToSecondOrder) {
  // A coherent state at σ² = 1/2ω, and one that breathes.
  for (const char* omega : {"0.617", "1.1"}) {
    const auto error = [&](const char* dt, int steps) {
      return diagnosticAfter(small({{"potential", "harmonic"}, {"omega", omega}, {"time_step", dt}}), steps, kError);
    };
    const double coarse = error("0.04", 100), middle = error("0.02", 200), fine = error("0.01", 400);
    EXPECT_LT(fine, 2e-3) << omega;
    EXPECT_NEAR(std::log2(coarse / middle), 2, 0.1) << omega;
    EXPECT_NEAR(std::log2(middle / fine), 2, 0.05) << omega;
    Stepper run = start(small({{"potential", "harmonic"}, {"omega", omega}}));
    run.step(400);
    EXPECT_NEAR(run.diagnostics()[kMeanX], run.diagnostics()[kMeanXExact], 1e-3);
    EXPECT_NEAR(run.diagnostics()[kMeanY], run.diagnostics()[kMeanYExact], 1e-3);
    EXPECT_NEAR(run.diagnostics()[kWidthX], run.diagnostics()[kWidthXExact], 1e-3);
  }
}

// The same scheme in one dimension, step by step with plain transforms.
Wave lineRun(const Grid& grid, double x0, double k0, double sigma, double dt, int steps,
             const std::function<double(double)>& v) {
  const auto polar = [](double size, double angle) {
    return Complex<double>{size * std::cos(angle), size * std::sin(angle)};
  };
  const GaussianLine line = gaussianLine(x0, k0, sigma, 0, 0, grid.length);
  Wave psi;
  double norm = 0;
  for (int i = 0; i < grid.points; ++i) {
    psi.push_back(line.at(grid.x(i)));
    norm += norm2(psi.back()) * grid.dx;
  }
  for (auto& z : psi) z = (1 / std::sqrt(norm)) * z;
  const compute::DevicePtr device = compute::Device::open("cpu", 1);
  const compute::Fft<double> fft(device, {.dimensions = {grid.points}});
  device->run([&] {
    for (int step = 0; step < steps; ++step) {
      for (int i = 0; i < grid.points; ++i) psi[i] = psi[i] * polar(1, -0.5 * dt * v(grid.x(i)));
      fft.forward(psi.data());
      for (int j = 0; j < grid.points; ++j) {
        psi[j] = psi[j] * polar(1.0 / grid.points, -0.5 * dt * grid.k(j) * grid.k(j));
      }
      fft.inverse(psi.data());
      for (int i = 0; i < grid.points; ++i) psi[i] = psi[i] * polar(1, -0.5 * dt * v(grid.x(i)));
    }
  });
  return psi;
}

TEST(Schrodinger2d, SeparablePotentialsGiveTheProductOfTwoRunsInOneDimension) {
  struct Case {
    Changes changes;
    std::function<double(double)> along_x, along_y;
  };
  const double dx = 20.0 / 128;
  const auto nothing = [](double) { return 0.0; };
  const Case cases[] = {
      {{{"potential", "barrier"}, {"barrier_height", "3"}, {"barrier_width", "0.78125"}},  // five samples
       [&](double x) { return std::fabs(x) < 2.5 * dx ? 3.0 : 0.0; },
       nothing},
      {{{"potential", "step"}, {"barrier_height", "1.5"}},
       [](double x) { return x > 0 ? 1.5 : (x < 0 ? 0.0 : 0.75); },
       nothing},
      {{{"potential", "harmonic"}, {"omega", "0.8"}},
       [](double x) { return 0.32 * x * x; },
       [](double y) { return 0.32 * y * y; }},
      {{{"potential", "double_well"}, {"barrier_height", "2"}, {"well_separation", "6"}, {"omega", "0.7"}},
       [](double x) { return 2 * std::pow(x * x / 9 - 1, 2); },
       [](double y) { return 0.245 * y * y; }},
      {{{"potential", "formula"}, {"formula", "cos(x) + 0.1*y^2"}},
       [](double x) { return std::cos(x); },
       [](double y) { return 0.1 * y * y; }},
  };
  for (const Case& each : cases) {
    const ParameterSet set = small(each.changes);
    const Parameters p = binding().read(set);
    const Grid grid = gridOf(p);
    const Wave x = lineRun(grid, p.packet_x, p.momentum_x, p.packet_width, p.time_step, 120, each.along_x);
    const Wave y = lineRun(grid, p.packet_y, p.momentum_y, p.packet_width, p.time_step, 120, each.along_y);
    Wave product(grid.size());
    for (std::size_t i = 0; i < product.size(); ++i) product[i] = x[i % 128] * y[i / 128];
    Stepper run = start(set);
    run.step(120);
    EXPECT_LT(relativeDifference(psiOf(run.save()), product), 1e-11) << toText(set.get("potential"));
  }
}

TEST(Schrodinger2d, DoubleSlitFringesStandAtTheSpacingOfTheFormula) {
  // λ = 2π/8, d = 4, D = 14: λD/d = 2.75. (The first order really stands where the ways differ by λ: at 2.79.)
  const ParameterSet set = with({{"grid_points", "256"},
                                 {"domain_length", "40"},
                                 {"momentum_x", "8"},
                                 {"packet_width", "2.5"},
                                 {"packet_x", "-10"},
                                 {"barrier_height", "150"},
                                 {"barrier_width", "0.4"},
                                 {"slit_width", "0.8"},
                                 {"slit_separation", "4"},
                                 {"time_step", "0.003"},
                                 {"screen_x", "14"},
                                 {"absorbing_edges", "on"}});
  Stepper run = start(set);
  run.step(800);  // the packet's middle is behind the wall
  std::vector<double> seen(256);
  Frame frame;
  for (int i = 0; i < 25; ++i) {
    run.step(20);
    run.present(frame);
    const std::vector<float> line = tests::channelOf(frame, "screen").data.toHost();
    for (std::size_t j = 0; j < seen.size(); ++j) seen[j] += static_cast<double>(line[j]);
  }
  const Grid grid = gridOf(binding().read(set));
  const double spacing = 2 * kPi / 8 * 14 / 4;
  // Where a fringe is brightest: the top of the parabola through the highest sample and its neighbours.
  const auto fringe = [&](double around) {
    int best = grid.nearest(around);
    for (int j = grid.nearest(around - 0.4 * spacing); j <= grid.nearest(around + 0.4 * spacing); ++j) {
      if (seen[j] > seen[best]) best = j;
    }
    const double before = seen[best - 1], after = seen[best + 1];
    return grid.x(best) + 0.5 * grid.dx * (before - after) / (before - 2 * seen[best] + after);
  };
  EXPECT_NEAR(fringe(0), 0, 0.01 * spacing);
  EXPECT_NEAR(fringe(spacing), spacing, 0.03 * spacing);
  EXPECT_NEAR(fringe(-spacing), -spacing, 0.03 * spacing);
  EXPECT_LT(seen[grid.nearest(0.5 * spacing)], 0.2 * seen[grid.nearest(0)]) << "dark between them";
  // What the view compares it with has its fringes there, too.
  const std::vector<float> expected = tests::channelOf(frame, "screen_expected").data.toHost();
  EXPECT_GT(expected[grid.nearest(spacing)], 3 * expected[grid.nearest(0.5 * spacing)]);
}

TEST(Schrodinger2d, NormAndEnergyAreConserved) {
  const Changes smooth = {{"potential", "double_well"}, {"barrier_height", "2"}, {"well_separation", "6"}};
  Stepper run = start(small(smooth));
  const double energy = run.diagnostics()[kEnergy];
  for (int i = 0; i < 4; ++i) {
    run.step(100);
    EXPECT_NEAR(run.diagnostics()[kNorm], 1, 1e-11);
    EXPECT_NEAR(run.diagnostics()[kEnergy], energy, 1e-3 * energy);
  }
}

// Without the gain that makes up for the transforms' rounding (compute::transformGain) the norm would fall by 2e-7 a
// step.
TEST(Schrodinger2d, SinglePrecisionConservesTheNormToAFractionOfItsRounding) {
  for (const char* potential : {"none", "circular_well"}) {
    Stepper run = start(small({{"potential", potential}, {"precision", "single"}, {"time_step", "0.004"}}));
    run.step(1000);
    EXPECT_LT(std::fabs(run.diagnostics()[kNormDrift]), 3e-5) << potential;
  }
}

TEST(Schrodinger2d, SingleAndDoublePrecisionAgree) {
  const Changes changes = {{"potential", "single_slit"}, {"barrier_height", "10"}, {"slit_width", "2"}};
  Stepper single = start(with({{"precision", "single"}}, small(changes))), twice = start(small(changes));
  single.step(200);
  twice.step(200);
  EXPECT_LT(relativeDifference(psiOf(single.save()), psiOf(twice.save())), 5e-5);
}

TEST(Schrodinger2d, EveryRouteIsTheReference) {
  for (const char* precision : {"single", "double"}) {
    for (const char* points : {"64", "128", "512"}) {
      const ParameterSet set = small(
          {{"potential", "double_slit"}, {"absorbing_edges", "on"}, {"precision", precision}, {"grid_points", points}});
      const auto after = [&](Route route) {
        Wave psi;
        tests::cpu()->run([&] {
          const auto run = create(tests::cpu(), set, route);
          run->step(1);
          run->step(19);
          psi = psiOf(run->save());
        });
        return psi;
      };
      EXPECT_LT(relativeDifference(after(Route::Fastest), after(Route::Library)),
                std::string(precision) == "single" ? 2e-5 : 1e-12)
          << precision << ", " << points;
    }
  }
}

TEST(Schrodinger2d, BatchIsItsStepsOneByOneToTheBit) {
  for (const char* const precision : {"single", "double"}) {
    const ParameterSet set = small({{"potential", "coulomb"}, {"charge", "2"}, {"precision", precision}});
    Stepper batch = start(set), single = start(set);
    batch.step(40);
    for (int i = 0; i < 40; ++i) single.step(1);
    EXPECT_EQ(single.save().find("psi")->bytes, batch.save().find("psi")->bytes) << precision;
    EXPECT_EQ(batch.simulation().steps(), 40);
    EXPECT_NEAR(single.simulation().time(), 0.4, 1e-12);
  }
}

TEST(Schrodinger2d, EnergyDriftIsThatOfTheSplitting) {
  const auto drift = [](const char* dt) {
    return diagnosticAfter(small({{"potential", "double_well"},
                                  {"barrier_height", "2"},
                                  {"omega", "2"},
                                  {"packet_x", "-2"},
                                  {"packet_y", "0"},
                                  {"momentum_x", "0"},
                                  {"momentum_y", "0"},
                                  {"packet_width", "0.5"},
                                  {"time_step", dt}}),
                           static_cast<int>(std::lround(0.8 / std::stod(dt))), kEnergyDrift);
  };
  const double coarse = drift("0.01"), fine = drift("0.005");
  EXPECT_LT(std::fabs(fine), 1e-3);
  EXPECT_NEAR(coarse / fine, 4, 0.5);
  EXPECT_TRUE(std::isnan(diagnosticAfter(small({{"absorbing_edges", "on"}}), 3, kEnergyDrift)));
  EXPECT_EQ(std::fabs(diagnosticAfter(small({}), 50, kEnergyDrift)) < 1e-9, true);
}

TEST(Schrodinger2d, WhatIsTransmittedLiesBeyondTheWallAsSeenFromThePacket) {
  const Changes wall = {{"potential", "barrier"}, {"barrier_height", "2.5"}, {"barrier_width", "0.5"}};
  Stepper left = start(small(wall));
  Stepper right = start(with({{"packet_x", "3"}, {"momentum_x", "-2"}}, small(wall)));
  left.step(250);
  right.step(250);
  const auto a = left.diagnostics(), b = right.diagnostics();
  EXPECT_GT(a[kTransmitted], 0.1);
  EXPECT_GT(a[kReflected], 0.1);
  EXPECT_LE(a[kTransmitted] + a[kReflected], 1);
  EXPECT_NEAR(a[kTransmitted] + a[kReflected], 1, 0.05);
  EXPECT_NEAR(a[kTransmitted], b[kTransmitted], 0.02);  // mirror images but for the sample in the middle
}

TEST(Schrodinger2d, ExactValuesEndWithTheMotionThatTheyBelongTo) {
  Stepper run = start(small({}));
  run.step(5);
  EXPECT_FALSE(std::isnan(run.diagnostics()[kMeanXExact]));
  run.configure(with({{"potential", "harmonic"}}, run.simulation().parameters()));
  for (const Diagnostic d : {kMeanXExact, kMeanYExact, kWidthXExact, kWidthYExact, kError}) {
    EXPECT_TRUE(std::isnan(run.diagnostics()[d]));
  }
  run.reset(0);
  EXPECT_FALSE(std::isnan(run.diagnostics()[kMeanXExact]));
}

}  // namespace
}  // namespace simscope::schrodinger2d
