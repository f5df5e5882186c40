#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <string>

#include "sims/heat/stencil.h"
#include "sims/heat/testing.h"

namespace simscope::heat {
namespace {

using tests::Changes;
using tests::channelOf;
using tests::sameBits;
using tests::Session;

const Changes kBlank{
    {"grid_points", "101"}, {"initial", "blank"}, {"boundary", "insulated"}, {"time_step_fraction", "0.5"}};

float at(const std::vector<float>& u, int n, int x, int y) {
  return u[static_cast<std::size_t>(y + n / 2) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x + n / 2)];
}

TEST(Mouse, HeatAndColdPaintTheSpotsTemperature) {
  Session run(kBlank);
  EXPECT_TRUE(run.poke({.tool = "heat", .x = 10, .y = -20, .radius = 5, .strength = 2}));
  EXPECT_TRUE(run.poke({.tool = "cold", .x = -30, .y = 5, .radius = 3}));
  const std::vector<float> u = run.field();
  EXPECT_EQ(at(u, 101, 10, -20), 2);
  EXPECT_EQ(at(u, 101, 15, -20), 2);
  EXPECT_EQ(at(u, 101, 16, -20), 0);
  EXPECT_EQ(at(u, 101, -30, 5), -1);
}

TEST(Mouse, StrokesReachFromTheLastPlaceToThisOne) {
  Session run(kBlank);
  run.poke({.tool = "heat", .x = 20, .y = 10, .dx = 40, .dy = 0, .radius = 2});
  const std::vector<float> u = run.field();
  for (int x = -20; x <= 20; ++x) EXPECT_EQ(at(u, 101, x, 10), 1) << x;
  EXPECT_EQ(at(u, 101, -23, 10), 0);
  EXPECT_EQ(at(u, 101, 0, 13), 0);
}

TEST(Mouse, ShapesPaintTheCellsWhoseMiddlesTheyHold) {
  Session run(kBlank);
  EXPECT_TRUE(run.poke({.tool = "heat", .x = 10, .y = 7, .dx = 15, .dy = -4, .shape = BrushShape::Rectangle}));
  EXPECT_TRUE(run.poke({.tool = "cold", .x = -10, .y = -10, .dx = 20, .dy = 20, .shape = BrushShape::Ellipse}));
  const std::vector<float> u = run.field();
  for (int y = -50; y <= 50; ++y) {
    for (int x = -50; x <= 50; ++x) {
      const bool hot = x >= -5 && x <= 10 && y >= 7 && y <= 11, cold = std::hypot(x + 20, y + 20) <= 10;
      ASSERT_EQ(at(u, 101, x, y), hot ? 1 : cold ? -1 : 0) << x << ", " << y;
    }
  }
}

// A room of insulators, with a wall that is nowhere thicker than a cell or two.
TEST(Mouse, FillStaysWithinWhatIsDrawn) {
  Session run(kBlank);
  for (const double angle : {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    const auto x = [&](double turn) { return 30 * std::cos(turn * M_PI / 3); };
    const auto y = [&](double turn) { return 30 * std::sin(turn * M_PI / 3); };
    run.poke({.tool = "insulator",
              .x = x(angle + 1),
              .y = y(angle + 1),
              .dx = x(angle + 1) - x(angle),
              .dy = y(angle + 1) - y(angle),
              .radius = 0.8});
  }
  EXPECT_TRUE(run.poke({.tool = "heat", .x = 3, .y = -4, .strength = 2, .shape = BrushShape::Region}));
  const std::vector<float> u = run.field();
  EXPECT_EQ(at(u, 101, 0, 0), 2);
  EXPECT_EQ(at(u, 101, 25, 0), 2);
  EXPECT_EQ(at(u, 101, -12, 20), 2);
  EXPECT_EQ(at(u, 101, 35, 0), 0);
  EXPECT_EQ(at(u, 101, -48, 48), 0);
  double hot = 0;
  for (const float each : u) hot += each == 2 ? 1 : 0;
  EXPECT_NEAR(hot, 1.5 * std::sqrt(3) * 29 * 29, 140) << "the hexagon within its walls";
  // The walls are of one piece, and go as one.
  EXPECT_TRUE(run.poke({.tool = "eraser", .x = 30, .y = 0, .shape = BrushShape::Region}));
  EXPECT_FALSE(run.poke({.tool = "eraser", .x = -15, .y = 26, .radius = 90})) << "nothing is left to erase";
}

TEST(Mouse, PaintedHeatIsNoDrift) {
  Session run({{"grid_points", "128"}, {"boundary", "insulated"}});
  run.poke({.tool = "heat", .x = 30, .y = 30, .radius = 9, .strength = 3});
  run.poke({.tool = "cold", .x = -30, .y = 30, .radius = 4});
  run.step(200);
  EXPECT_LT(std::abs(run.diagnostic(kHeatDrift)), 1e-5);
  EXPECT_TRUE(std::isnan(run.diagnostic(kCenterExact)));
}

TEST(Mouse, WallsOfTheFixedBoundaryStayCold) {
  Session run({{"grid_points", "64"}, {"initial", "blank"}});
  run.poke({.tool = "heat", .x = 0, .y = 0, .radius = 500});
  run.poke({.tool = "source", .x = 31, .y = 31, .radius = 6});
  run.step(3);
  const std::vector<float> u = run.field();
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(u[i], 0);
    EXPECT_EQ(u[i * 64], 0);
    EXPECT_EQ(u[i * 64 + 63], 0);
    EXPECT_EQ(u[63 * 64 + i], 0);
  }
}

TEST(Mouse, InsulatorsLetNoHeatThrough) {
  Session run(kBlank);
  run.poke({.tool = "insulator", .x = 0, .y = 60, .dx = 0, .dy = 120, .radius = 1});
  run.poke({.tool = "heat", .x = -25, .y = 0, .radius = 12});
  const double before = run.diagnostic(kTotalHeat);
  run.step(3000);
  const std::vector<float> u = run.field();
  for (int y = -50; y <= 50; ++y) {
    for (int x = 2; x <= 50; ++x) ASSERT_EQ(at(u, 101, x, y), 0);
  }
  EXPECT_GT(at(u, 101, -2, 0), 0.05f);
  EXPECT_NEAR(run.diagnostic(kTotalHeat), before, 1e-4 * before);
}

TEST(Mouse, InsulatorsHaveNeitherTemperatureNorFluxAndNothingComesOutOfThem) {
  // Hot under the insulator, cold all around it: nothing flows, and nothing may seem to. 2100 cells: boxes of 2 × 2.
  for (const char* n : {"101", "2100"}) {
    Session run({{"grid_points", n}, {"initial", "blank"}, {"boundary", "insulated"}});
    run.poke({.tool = "heat", .x = 0, .y = 0, .radius = 8});
    run.poke({.tool = "insulator", .x = 0, .y = 0, .radius = 9});
    run.poke({.tool = "insulator", .x = 30, .y = 40, .dx = 0, .dy = 80, .radius = 0.1});  // one cell wide
    run.step(3);
    Frame frame;
    run.present(frame);
    std::size_t gaps = 0;
    for (const char* key : {"temperature", "isotherms", "flux"}) {
      const Channel& channel = channelOf(frame, key);
      const std::vector<float> values = channel.data.toHost();
      const double cell = (channel.x_max - channel.x_min) / channel.width;
      const auto gapAt = [&](double x, double y) {
        const auto column = static_cast<std::size_t>((x - channel.x_min) / cell);
        const auto row = static_cast<std::size_t>((y - channel.y_min) / cell);
        return std::isnan(values[(row * static_cast<std::size_t>(channel.width) + column) *
                                 static_cast<std::size_t>(channel.components)]);
      };
      for (double y = -35; y < 35; y += cell) EXPECT_TRUE(gapAt(30, y)) << key << " " << n;
      EXPECT_TRUE(gapAt(0, 0)) << key;
      EXPECT_FALSE(gapAt(20, 0)) << key;
      gaps += gapAt(-8, 0) ? 1 : 0;
      if (std::string(key) == "isotherms") continue;
      for (const float value : values) EXPECT_TRUE(std::isnan(value) || value == 0) << key;
    }
    EXPECT_EQ(gaps, 3u);
    EXPECT_TRUE(std::isnan(run.diagnostic(kCenter)));
    EXPECT_EQ(run.diagnostic(kMaximum), 0) << "what is hot has no temperature";
    EXPECT_TRUE(std::isnan(channelOf(frame, "profile").data.toHost()[static_cast<std::size_t>(std::atoi(n) / 2)]));
  }
}

TEST(Mouse, FluxIsWhatTheStepMovesThroughTheFaces) {
  // Between two sources, through a plain and a conducting layer: the same flux everywhere once it is steady.
  Session run({{"grid_points", "65"}, {"initial", "blank"}, {"boundary", "insulated"}, {"time_step_fraction", "1"}});
  run.poke({.tool = "conductor", .x = 4, .y = 100, .dx = 0, .dy = 200, .radius = 3.4});
  run.poke({.tool = "source", .x = -8, .y = 100, .dx = 0, .dy = 200, .radius = 1.4, .strength = 1});
  run.poke({.tool = "source", .x = 9, .y = 100, .dx = 0, .dy = 200, .radius = 1.4, .strength = -1});
  run.step(4000);
  Frame frame;
  run.present(frame);
  const std::vector<float> q = channelOf(frame, "flux").data.toHost();
  const auto flux = [&](int x) { return q[static_cast<std::size_t>(2 * (32 * 65 + 32 + x))]; };
  for (int x = -6; x <= 7; ++x) EXPECT_NEAR(flux(x), flux(-3), 1e-3f * flux(-3)) << x;
  EXPECT_GT(flux(-3), 0.1f);
}

TEST(Mouse, PartsThinnerThanACellAreNoted) {
  for (const char* const tool : {"insulator", "conductor"}) {
    for (const double width : {0.2, 1.0, 6.0}) {
      Session run({{"grid_points", "128"}, {"initial", "gaussian"}, {"spot_size", "24"}});
      EXPECT_FALSE(run.hasFinding("material_unresolved"));
      run.poke({.tool = tool, .x = 20.3, .y = 30.2, .dx = 41, .dy = 17, .radius = width / 2});
      EXPECT_EQ(run.hasFinding("material_unresolved"), width < 2) << tool << ", " << width;
      run.poke({.tool = "eraser", .x = 0, .y = 0, .radius = 100});
      EXPECT_FALSE(run.hasFinding("material_unresolved"));
    }
  }
}

TEST(Mouse, ImplicitStepsRingOnlyWhereTheyAreMade) {
  Session run({{"grid_points", "128"}, {"scheme", "adi"}, {"time_step_fraction", "8"}});
  EXPECT_TRUE(run.hasFinding("ringing"));
  EXPECT_FALSE(run.hasFinding("alternating_cells"));
  run.poke({.tool = "insulator", .x = 20, .y = 30, .radius = 5});
  EXPECT_FALSE(run.hasFinding("ringing"));
  EXPECT_TRUE(run.hasFinding("alternating_cells")) << "eight parts at the limit";
}

TEST(Mouse, PlatesOfMaterialConserveWhatTheyHoldAndHoldWhatTheyMust) {
  for (const char* material : {"house", "maze", "rooms", "rods", "fins"}) {
    Session run({{"grid_points", "128"},
                 {"initial", "blank"},
                 {"boundary", "insulated"},
                 {"material", material},
                 {"spot_temperature", "2"},
                 {"time_step_fraction", "0.5"}});
    const bool held = std::string(material) != "rooms";
    EXPECT_EQ(run.diagnostic(kMaximum), 2) << material;
    EXPECT_EQ(std::isnan(run.diagnostic(kHeatDrift)), held) << material;
    EXPECT_NE(run.save().find("material"), nullptr);
    run.step(200);
    const std::vector<double> values = run.diagnostics();
    EXPECT_GE(values[kMinimum], 0) << material;
    EXPECT_LE(values[kMaximum], 2) << material;
    if (!held) {
      EXPECT_LT(std::abs(values[kHeatDrift]), 1e-5) << material;
    }
  }
  Session one({{"grid_points", "128"}, {"material", "maze"}}, 1),
      other({{"grid_points", "128"}, {"material", "maze"}}, 2),
      again({{"grid_points", "128"}, {"material", "maze"}}, 1);
  const auto walls = [](Session& run) { return run.values<float>("material"); };
  EXPECT_NE(walls(one), walls(other)) << "the seed makes the maze";
  EXPECT_EQ(walls(one), walls(again));
}

// From the hot corner there is a way to everywhere.
TEST(Mouse, MazesHaveAWayToEveryPlace) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const int n = 128;
    Session run({{"grid_points", "128"}, {"initial", "blank"}, {"material", "maze"}, {"boundary", "insulated"}}, seed);
    const std::vector<float> map = run.values<float>("material");
    std::vector<int> reached(map.size(), 0), front;
    const auto cell = [&](int x, int y) { return static_cast<std::size_t>(y * n + x); };
    const auto enter = [&](int x, int y) {
      if (x < 0 || y < 0 || x >= n || y >= n || reached[cell(x, y)] || map[cell(x, y)] == kInsulator) return;
      reached[cell(x, y)] = 1;
      front.push_back(y * n + x);
    };
    enter(13, 13);
    while (!front.empty()) {
      const int at = front.back();
      front.pop_back();
      enter(at % n + 1, at / n), enter(at % n - 1, at / n), enter(at % n, at / n + 1), enter(at % n, at / n - 1);
    }
    for (int y = 5; y < n - 5; ++y) {
      for (int x = 5; x < n - 5; ++x) {
        ASSERT_TRUE(reached[cell(x, y)] || map[cell(x, y)] == kInsulator) << seed << ": " << x << ", " << y;
      }
    }
  }
}

TEST(Mouse, LayersInSeriesConductAsTheirHarmonicMean) {
  // A rod between a hot and a cold source, half of it a conductor: the drop over each half is inverse to its
  // diffusivity.
  EXPECT_FLOAT_EQ(faceFactor(1, kConductor), 2 * kConductor / (1 + kConductor));
  EXPECT_EQ(faceFactor(1, kInsulator), 0);
  EXPECT_EQ(faceFactor(kInsulator, kInsulator), 0);
  Session run({{"grid_points", "65"}, {"initial", "blank"}, {"boundary", "insulated"}, {"time_step_fraction", "1"}});
  const int half = 32, cells = 6;
  run.poke({.tool = "conductor", .x = 4, .y = 100, .dx = 0, .dy = 200, .radius = 3.4});  // x = 1 … 7
  run.poke({.tool = "source", .x = -cells - 2, .y = 100, .dx = 0, .dy = 200, .radius = 1.4, .strength = 1});
  run.poke({.tool = "source", .x = cells + 3, .y = 100, .dx = 0, .dy = 200, .radius = 1.4, .strength = -1});
  run.step(4000);
  const std::vector<float> u = run.field();
  const auto value = [&](int x) { return static_cast<double>(at(u, 2 * half + 1, x, 0)); };
  const double slope_plain = value(-2) - value(-1), slope_conductor = value(4) - value(5);
  EXPECT_NEAR(slope_plain / slope_conductor, static_cast<double>(kConductor), 1e-3);
  EXPECT_NEAR((value(0) - value(1)) / slope_plain, 1 / static_cast<double>(faceFactor(1, kConductor)), 1e-3);
}

TEST(Mouse, SourcesHoldTheirTemperature) {
  Session run(kBlank);
  run.poke({.tool = "source", .x = 0, .y = 0, .radius = 4, .strength = 1.5});
  run.step(500);
  EXPECT_EQ(at(run.field(), 101, 2, 2), 1.5f);
  EXPECT_GT(at(run.field(), 101, 8, 0), 0.5f);
  EXPECT_GT(run.diagnostic(kTotalHeat), 1.5 * 60);
  EXPECT_TRUE(std::isnan(run.diagnostic(kHeatDrift)));
  EXPECT_LE(run.diagnostic(kMaximum), 1.5);
}

TEST(Mouse, ConductorsStayStableAtTheLimit) {
  Session run({{"grid_points", "80"},
               {"initial", "random"},
               {"spot_size", "1"},
               {"time_step_fraction", "1"},
               {"boundary", "insulated"}});
  run.poke({.tool = "conductor", .x = 0, .y = 0, .radius = 25});
  run.poke({.tool = "insulator", .x = 20, .y = 10, .radius = 6});
  run.step(300);
  EXPECT_LE(run.diagnostic(kMaximum), 1);
  EXPECT_GE(run.diagnostic(kMinimum), 0);
  EXPECT_LT(std::abs(run.diagnostic(kHeatDrift)), 1e-5);
}

TEST(Mouse, ErasedMaterialIsAsIfItHadNeverBeen) {
  Session painted(kBlank), plain(kBlank);
  for (Session* run : {&painted, &plain}) run->poke({.tool = "heat", .x = 5, .y = 5, .radius = 9});
  painted.poke({.tool = "insulator", .x = 0, .y = 0, .radius = 10});
  painted.poke({.tool = "source", .x = 5, .y = 5, .radius = 2});
  EXPECT_NE(painted.save().find("material"), nullptr);
  painted.poke({.tool = "eraser", .x = 0, .y = 0, .radius = 40});
  EXPECT_EQ(painted.save().find("material"), nullptr);
  painted.step(20);
  plain.step(20);
  EXPECT_TRUE(sameBits(painted.field(), plain.field()));
  EXPECT_FALSE(plain.poke({.tool = "eraser", .x = 0, .y = 0, .radius = 40}));
}

TEST(Mouse, MaterialUnderAdiIsSteppedInStableExplicitParts) {
  const Changes changes{{"grid_points", "80"}, {"initial", "random"}, {"spot_size", "1"}, {"boundary", "insulated"}};
  Changes large = changes, small = changes;
  large.push_back({"scheme", "adi"});
  large.push_back({"time_step_fraction", "4"});
  small.push_back({"time_step_fraction", "0.2"});
  Session whole(large), parts(small);
  for (Session* run : {&whole, &parts}) {
    run->poke({.tool = "conductor", .x = 0, .y = 0, .radius = 20});
    run->poke({.tool = "insulator", .x = 20, .y = 10, .radius = 6});
  }
  EXPECT_TRUE(tests::hasFinding(whole.findings(), "material_explicit"));
  whole.step(10);
  parts.step(200);  // each of them a twentieth
  EXPECT_NEAR(whole.heat().time(), parts.heat().time(), 1e-12);
  const std::vector<float> a = whole.field(), b = parts.field();
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-6);
  whole.poke({.tool = "eraser", .x = 0, .y = 0, .radius = 200});
  EXPECT_FALSE(tests::hasFinding(whole.findings(), "material_explicit"));
}

TEST(Mouse, ThermometersReadWhereTheyStandAndGoRound) {
  Session run({{"grid_points", "65"}, {"initial", "blank"}, {"boundary", "insulated"}});
  EXPECT_TRUE(std::isnan(run.diagnostic(kThermometer1)));
  std::vector<float> u(65 * 65);
  for (int i = 0; i < 65 * 65; ++i) u[static_cast<std::size_t>(i)] = static_cast<float>(i % 65 - 32);
  run.setField(u);
  for (const double x : {-7.0, 11.0, 30.0}) run.poke({.tool = "thermometer", .x = x, .y = 4});
  std::vector<double> values = run.diagnostics();
  EXPECT_EQ(values[kThermometer1], -7);
  EXPECT_EQ(values[kThermometer1 + 1], 11);
  EXPECT_EQ(values[kThermometer1 + 2], 30);
  run.poke({.tool = "thermometer", .x = 3, .y = 4});
  EXPECT_EQ(run.diagnostic(kThermometer1), 3);
  // Dragged, it is the same one that moves.
  run.poke({.tool = "thermometer", .x = 5, .y = 4, .dx = 2});
  EXPECT_EQ(run.diagnostic(kThermometer1), 5);
  EXPECT_EQ(run.diagnostics()[kThermometer1 + 1], 11);
  Frame frame;
  run.present(frame);
  EXPECT_EQ(frame.find("outline")->data.toHost()[static_cast<std::size_t>((32 + 4) * 65 + 32 + 5)], 0);
}

TEST(Mouse, StrayStrokesDoNothing) {
  Session run(kBlank);
  const std::vector<float> before = run.field();
  EXPECT_FALSE(run.poke({.tool = "heat", .x = NAN, .y = 0, .radius = 4}));
  EXPECT_FALSE(run.poke({.tool = "heat", .x = 0, .y = 0, .radius = INFINITY}));
  EXPECT_FALSE(run.poke({.tool = "kick", .x = 0, .y = 0, .radius = 4}));
  run.poke({.tool = "heat", .x = 1e300, .y = -1e300, .radius = 4});
  run.poke({.tool = "insulator", .x = 900, .y = 0, .radius = 4});
  EXPECT_TRUE(sameBits(run.field(), before));
  EXPECT_EQ(run.save().find("material"), nullptr);
}

}  // namespace
}  // namespace simscope::heat
