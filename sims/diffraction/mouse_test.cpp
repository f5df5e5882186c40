// What the mouse does to the aperture and the probe.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::sameBits;
using tests::Session;

const Changes kSmall{{"grid_points", "128"}, {"aperture_radius", "0.1"}};  // cells of 7.8 µm

std::vector<float> apertureOf(Session& run) {
  Frame frame;
  run.present(frame);
  return frame.find("aperture")->data.toHost();
}
double lightOf(Session& run) {
  double sum = 0;
  for (const float t : apertureOf(run)) sum += static_cast<double>(t);
  return sum;
}

TEST(Mouse, OpensDiscsAndStrokesOfTheirArea) {
  Session run(kSmall);
  const double before = lightOf(run);
  ASSERT_TRUE(run.poke({.tool = "draw", .x = 2.5e-4, .y = 2.5e-4, .radius = 1e-4}));
  EXPECT_NEAR(lightOf(run) - before, M_PI * 12.8 * 12.8, 3);
  // A stroke of 50 cells' length besides its round ends.
  ASSERT_TRUE(run.poke({.tool = "draw", .x = 1.90625e-4, .y = -3e-4, .dx = 3.90625e-4, .radius = 4e-5}));
  EXPECT_NEAR(lightOf(run) - before, M_PI * 12.8 * 12.8 + 2 * 5.12 * 50 + M_PI * 5.12 * 5.12, 5);
  EXPECT_EQ(apertureOf(run)[(64 - 38) * 128 + 64], 1);
}

TEST(Mouse, OpensShapesOfTheirAreaAndFillsARing) {
  Session run({{"grid_points", "128"}, {"aperture_radius", "0.01"}});
  const double before = lightOf(run), cell = 1e-3 / 128;
  EXPECT_TRUE(run.poke({.tool = "draw",
                        .x = 40 * cell,
                        .y = 30 * cell,
                        .dx = 20 * cell,
                        .dy = 10 * cell,
                        .shape = BrushShape::Rectangle}));
  EXPECT_NEAR(lightOf(run) - before, 200, 1) << "soft edges halve the cells on the border";
  EXPECT_TRUE(run.poke({.tool = "draw",
                        .x = -20 * cell,
                        .y = -20 * cell,
                        .dx = 20 * cell,
                        .dy = 20 * cell,
                        .shape = BrushShape::Ellipse}));
  EXPECT_NEAR(lightOf(run) - before, 200 + M_PI * 100, 3);
  // The disc closes as it is, and nothing else.
  EXPECT_TRUE(run.poke({.tool = "erase", .x = -30 * cell, .y = -30 * cell, .shape = BrushShape::Region}));
  EXPECT_NEAR(lightOf(run) - before, 200, 1);
  // What is closed within an open frame opens.
  for (const double side : {-1.0, 1.0}) {
    run.poke({.tool = "draw", .x = (-30 + 15 * side) * cell, .y = 45 * cell, .dy = 30 * cell, .radius = 1.5 * cell});
    run.poke({.tool = "draw", .x = -15 * cell, .y = (30 + 15 * side) * cell, .dx = 30 * cell, .radius = 1.5 * cell});
  }
  const double framed = lightOf(run);
  EXPECT_TRUE(run.poke({.tool = "draw", .x = -30 * cell, .y = 30 * cell, .shape = BrushShape::Region}));
  EXPECT_NEAR(lightOf(run) - framed, 27 * 27, 4);
}

TEST(Mouse, ClosesWhatIsOpenAndOpensItAgain) {
  Session run(kSmall);
  const double before = lightOf(run);
  ASSERT_TRUE(run.poke({.tool = "erase", .x = 0, .y = 0, .radius = 1e-3}));
  EXPECT_EQ(lightOf(run), 0);
  EXPECT_EQ(run.diagnostic(kTotalPower), 0);
  EXPECT_EQ(run.diagnostic(kCentralIntensity), 0);
  EXPECT_TRUE(std::isnan(run.diagnostic(kEncircledEnergy)));
  run.step(1);
  EXPECT_TRUE(run.finite());
  ASSERT_TRUE(run.poke({.tool = "draw", .x = 0, .y = 0, .radius = 1e-4}));
  EXPECT_GT(lightOf(run), before);
}

TEST(Mouse, StrokesLieOverEachOther) {
  Session run(kSmall);
  for (const char* const tool : {"draw", "erase", "draw"}) {
    for (int i = 0; i < 12; ++i) run.poke({.tool = tool, .x = 2e-5 * i, .y = 1e-5 * i - 1e-4, .radius = 4e-5});
    const std::vector<float> aperture = apertureOf(run);
    for (const float t : aperture) {
      ASSERT_GE(t, 0);
      ASSERT_LE(t, 1);
    }
    for (int i = 0; i < 12; ++i) {
      const int x = 64 + static_cast<int>(std::round(2e-5 * i / 7.8125e-6));
      const int y = 64 + static_cast<int>(std::round((1e-5 * i - 1e-4) / 7.8125e-6));
      EXPECT_EQ(aperture[static_cast<std::size_t>(y * 128 + x)], tool == std::string("draw") ? 1 : 0);
    }
  }
}

TEST(Mouse, DrawnDiscHasThePatternOfOne) {
  // Over a closed window, a disc drawn is a circle, but for its softer edge.
  Session drawn(kSmall), circle({{"grid_points", "128"}, {"aperture_radius", "0.25"}});
  drawn.poke({.tool = "erase", .x = 0, .y = 0, .radius = 1e-3});
  drawn.poke({.tool = "draw", .x = 0, .y = 0, .radius = 1.25e-4});
  EXPECT_LT(tests::relativeDifference(drawn.pattern(), circle.pattern()), 5e-3);
  EXPECT_LT(std::abs(drawn.diagnostic(kTotalPowerError)), 1e-6);
}

TEST(Mouse, ADrawingFinerThanTheCellsMakesNoLightAndWarns) {
  Session run(kSmall.with({{"propagation", "angular_spectrum"}, {"distance", "0.002"}}));
  EXPECT_FALSE(run.hasFinding("unresolved"));
  run.poke({.tool = "erase", .x = 0, .y = 0, .radius = 1e-3});
  const double cell = 1e-3 / 128;
  std::uint32_t state = 7;
  const auto drawn = [&state] {
    state = state * 1664525 + 1013904223;
    return static_cast<double>(state >> 8) / (1 << 24) - 0.5;
  };
  for (int i = 0; i < 400; ++i) {
    const double x = 60 * cell * drawn(), y = 60 * cell * drawn();
    run.poke({.tool = "draw", .x = x, .y = y, .radius = 0.8 * cell});
  }
  EXPECT_LE(run.diagnostic(kTotalPowerError), 0);
  EXPECT_TRUE(run.hasFinding("unresolved"));
}

TEST(Mouse, DrawingsStayWhileTheApertureChangesAndGoWithAReset) {
  Session run(kSmall), plain(kSmall);
  run.poke({.tool = "draw", .x = 3e-4, .y = 0, .radius = 5e-5});
  for (const char* const radius : {"0.1", "0.4", "0.05"}) {
    for (Session* each : {&run, &plain}) {
      each->step(1);
      each->change({{"aperture_radius", radius}});
    }
    EXPECT_EQ(apertureOf(run)[64 * 128 + 64 + 38], 1);
    EXPECT_NEAR(lightOf(run) - lightOf(plain), M_PI * 6.4 * 6.4, 2);
  }
  run.run().reset(1);
  plain.run().reset(1);
  EXPECT_TRUE(sameBits(run.pattern(), plain.pattern()));
}

TEST(Mouse, FormulasEndWithTheFirstStroke) {
  Session run(kSmall);
  EXPECT_FALSE(std::isnan(run.diagnostic(kProfileError)));
  run.poke({.tool = "draw", .x = 1e-4, .y = 1e-4, .radius = 2e-5});
  EXPECT_TRUE(std::isnan(run.diagnostic(kProfileError)));
  EXPECT_TRUE(std::isnan(run.diagnostic(kFirstDarkRingExact)));
}

TEST(Mouse, DrawingTowardsTheEdgeWarnsOfThePatternsSampling) {
  Session run(kSmall);
  EXPECT_FALSE(tests::hasFinding(run.findings(), "undersampled"));
  run.poke({.tool = "draw", .x = 4e-4, .y = 0, .radius = 2e-5});
  EXPECT_TRUE(tests::hasFinding(run.findings(), "undersampled"));
}

TEST(Mouse, ProbeReadsThePatternWhereItStands) {
  Session run(kSmall);
  EXPECT_EQ(run.diagnostic(kProbeIntensity), 1);
  const std::vector<float> pattern = run.pattern();
  const double pitch = 633e-9 / 1e-3;
  ASSERT_TRUE(run.poke({.tool = "probe", .x = 7.2 * pitch, .y = -3.1 * pitch}));
  EXPECT_FLOAT_EQ(static_cast<float>(run.diagnostic(kProbeIntensity)), pattern[(64 - 3) * 128 + 64 + 7]);
  Frame frame;
  run.present(frame);
  const Channel& ring = *frame.find("probe");
  const std::vector<float> values = ring.data.toHost();
  const auto element = [&](double at) {
    return static_cast<std::size_t>((at - ring.x_min) / (ring.x_max - ring.x_min) * ring.width);
  };
  EXPECT_LT(values[element(-3.1 * pitch) * 256 + element(7.2 * pitch)], 0.5);
  EXPECT_EQ(values[5], 1);
  run.poke({.tool = "probe", .x = 1, .y = 0});
  EXPECT_TRUE(std::isnan(run.diagnostic(kProbeIntensity)));
}

TEST(Mouse, StrayStrokesDoNothing) {
  Session run(kSmall);
  const std::vector<float> before = run.pattern();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(run.poke({.tool = "draw", .x = NAN, .y = 0, .radius = 4e-5}));
  EXPECT_FALSE(run.poke({.tool = "draw", .x = 0, .y = 0, .radius = kInfinity}));
  EXPECT_FALSE(run.poke({.tool = "heat", .x = 0, .y = 0, .radius = 4e-5}));
  run.poke({.tool = "draw", .x = 1e300, .y = -1e300, .radius = 4e-5});
  run.poke({.tool = "erase", .x = 1, .y = 1, .radius = 4e-5});
  EXPECT_TRUE(sameBits(run.pattern(), before));
}

}  // namespace
}  // namespace simscope::diffraction
