#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using tests::channelOf;
using tests::psiOf;
using tests::small;
using tests::start;
using tests::Wave;
using tests::with;

double sum(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST(Present, EveryChannelOfTheViewsIsThere) {
  Stepper run = start(small({}));
  Frame frame;
  run.present(frame);
  for (const std::string& key : description().drawnChannels()) EXPECT_NE(frame.find(key), nullptr) << key;
}

TEST(Present, WaveAndDensityAreThoseOfTheState) {
  Stepper run = start(small({{"potential", "barrier"}}));
  run.step(30);
  Frame frame;
  run.present(frame);
  const Wave psi = psiOf(run.save());
  const std::vector<float> wave = channelOf(frame, "wave").data.toHost(),
                           density = channelOf(frame, "density").data.toHost();
  for (std::size_t i = 0; i < psi.size(); ++i) {
    ASSERT_NEAR(wave[2 * i], psi[i].re, 1e-6);
    ASSERT_NEAR(wave[2 * i + 1], psi[i].im, 1e-6);
    ASSERT_NEAR(density[i], norm2(psi[i]), 1e-6);
  }
  // Every sample is the middle of its cell.
  const Channel& channel = channelOf(frame, "wave");
  const double dx = 20.0 / 128;
  EXPECT_NEAR(channel.x_min, -10 - dx / 2, 1e-12);
  EXPECT_NEAR(channel.y_max, 10 - dx / 2, 1e-12);
}

TEST(Present, MomentumViewHasItsPeakAtTheMomentum) {
  Stepper run = start(small({}));
  Frame frame;
  run.present(frame);
  const Channel& channel = channelOf(frame, "momentum");
  const std::vector<float> density = channel.data.toHost();
  const auto best = static_cast<int>(std::max_element(density.begin(), density.end()) - density.begin());
  const double dk = 2 * kPi / 20;
  ASSERT_EQ(channel.width, 64) << "up to 10, twice what the packet has, of 20";
  EXPECT_NEAR((channel.x_max - channel.x_min) / channel.width, dk, 1e-12);
  EXPECT_NEAR(channel.x_min + (best % channel.width + 0.5) * dk, 2, dk);
  EXPECT_NEAR(channel.y_min + (best / channel.width + 0.5) * dk, -1, dk);
  EXPECT_NEAR(channel.x_min + (32 + 0.5) * dk, 0, 1e-12) << "k = 0 is the middle of a cell";
  EXPECT_NEAR(sum(density) * dk * dk, 1, 1e-5);
  EXPECT_NEAR(density[static_cast<std::size_t>(best)], 2 * 0.81 / kPi, 0.03);
  EXPECT_NEAR(channel.high, 2 * 0.81 / kPi, 1e-9);
}

// 512² current vectors come as 256²: boxes of four.
TEST(Present, CurrentIsTheDensityTimesTheMomentum) {
  const ParameterSet set = small({{"grid_points", "512"}, {"precision", "single"}});
  Stepper run = start(set);
  Frame frame;
  run.present(frame);
  const Channel& channel = channelOf(frame, "current");
  ASSERT_EQ(channel.width, 256);
  const std::vector<float> current = channel.data.toHost();
  double x = 0, y = 0;
  for (std::size_t i = 0; i < current.size(); i += 2) {
    x += static_cast<double>(current[i]);
    y += static_cast<double>(current[i + 1]);
  }
  const double cell = std::pow(20.0 / 256, 2);
  EXPECT_NEAR(x * cell, 2, 1e-3);  // ∫ j d²r = ⟨k⟩
  EXPECT_NEAR(y * cell, -1, 1e-3);
}

TEST(Present, MarginalSumsToTheNormAndFollowsTheExactOne) {
  Stepper run = start(small({}));
  run.step(100);
  Frame frame;
  run.present(frame);
  const std::vector<float> marginal = channelOf(frame, "marginal").data.toHost();
  const std::vector<float> exact = channelOf(frame, "marginal_expected").data.toHost();
  EXPECT_NEAR(sum(marginal) * 20 / 128, 1, 1e-5);
  for (std::size_t i = 0; i < marginal.size(); ++i) ASSERT_NEAR(marginal[i], exact[i], 1e-5);
}

TEST(Present, ScreenShowsItsLineAndTheExactOne) {
  Stepper run = start(small({{"screen_x", "-1"}}));
  run.step(80);
  Frame frame;
  run.present(frame);
  const Wave psi = psiOf(run.save());
  const std::vector<float> screen = channelOf(frame, "screen").data.toHost();
  const std::vector<float> exact = channelOf(frame, "screen_expected").data.toHost();
  const int column = Grid{128, 20, 20.0 / 128}.nearest(-1);
  for (std::size_t j = 0; j < screen.size(); ++j) {
    ASSERT_NEAR(screen[j], norm2(psi[j * 128 + static_cast<std::size_t>(column)]), 1e-6);
    ASSERT_NEAR(screen[j], exact[j], 1e-5);
  }
  // Moving it changes the view, not the run.
  const State before = run.save();
  run.configure(with({{"screen_x", "5"}}, run.simulation().parameters()));
  run.present(frame);
  EXPECT_NE(channelOf(frame, "screen").data.toHost(), screen);
  EXPECT_TRUE(psiOf(run.save()).size() == psi.size() && before.find("psi")->bytes == run.save().find("psi")->bytes);
}

TEST(Present, SlitsAreComparedWithAsMuchAsThereIs) {
  Stepper run = start(small({{"potential", "double_slit"}, {"screen_x", "4"}, {"barrier_height", "20"}}));
  run.step(200);
  Frame frame;
  run.present(frame);
  const double here = sum(channelOf(frame, "screen").data.toHost());
  EXPECT_GT(here, 0);
  EXPECT_NEAR(sum(channelOf(frame, "screen_expected").data.toHost()) / here, 1, 1e-4);
}

TEST(Present, OutlineCrossesOneHalfAtWallsAndAtTurningPoints) {
  const auto outlineOf = [](Stepper& run) {
    Frame frame;
    run.present(frame);
    return channelOf(frame, "outline").data.toHost();
  };
  const auto at = [](double x, double y) {
    const Grid grid{128, 20, 20.0 / 128};
    return static_cast<std::size_t>(grid.nearest(y)) * 128 + static_cast<std::size_t>(grid.nearest(x));
  };
  Stepper slit = start(small({{"potential", "single_slit"}, {"slit_width", "2"}}));
  std::vector<float> outline = outlineOf(slit);
  EXPECT_GT(outline[at(0, 3)], 0.9);
  EXPECT_LT(outline[at(0, 0)], 0.1);
  EXPECT_LT(outline[at(2, 3)], 0.1);
  Stepper well = start(small({{"potential", "circular_well"}, {"well_radius", "2"}}));
  outline = outlineOf(well);
  EXPECT_GT(outline[at(0, 1)], 0.9);
  EXPECT_LT(outline[at(0, 3)], 0.1);
  // In the oscillator the line lies where V is the packet's energy.
  Stepper swing = start(small({{"potential", "harmonic"}, {"omega", "1"}}));
  outline = outlineOf(swing);
  const double energy = swing.diagnostics()[kEnergy];
  const double turn = std::sqrt(2 * energy);
  EXPECT_LT(outline[at(turn - 0.5, 0)], 0.5);
  EXPECT_GT(outline[at(turn + 0.5, 0)], 0.5);
  // Drawn walls have their outline in any potential; nothing has none.
  Stepper empty = start(small({}));
  for (const float value : outlineOf(empty)) ASSERT_LT(value, 0.5f);
  empty.poke({.tool = "wall", .x = 3, .y = 3, .radius = 1});
  outline = outlineOf(empty);
  EXPECT_GT(outline[at(3, 3)], 0.9);
  EXPECT_LT(outline[at(5, 3)], 0.1);
}

}  // namespace
}  // namespace simscope::schrodinger2d
