// The model of many devices: it recovers its own law from computed points, has the right growth, and refuses bad data.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "app/cli/bench/scaling_model.h"

namespace simscope::cli {
namespace {

LinkMeasurement link() {
  return {.name = "made up", .points = {{8, 10e-6}, {65536, 10e-6}, {268435456, 1e-3}}};
}

ScalingPoint point(const std::string& simulation, std::int64_t size, int ranks, double seconds) {
  const double n = static_cast<double>(size);
  return {.simulation = simulation,
          .series = "",
          .size = size,
          .ranks = ranks,
          .seconds = seconds,
          .work = n * n,
          .work_unit = "cells/s"};
}

// A field of which each rank sends an edge to one neighbour each step, none of it hidden.
std::vector<ScalingPoint> halo(double start, double rate, double share, double hidden) {
  std::vector<ScalingPoint> all;
  for (const std::int64_t size : {4096, 8192, 16384, 32768}) {
    for (const int ranks : {1, 2}) {
      ScalingPoint each = point("heat", size, ranks, 0);
      double seconds = start + each.work / ranks / rate;
      if (ranks > 1) {
        each.exchanges = each.messages = 1;
        each.bytes = 64.0 * static_cast<double>(size);
        const double sent = link().latency() + each.bytes / link().bandwidth();
        seconds += share + (1 - hidden) * sent + std::max(0.0, hidden * sent - each.work / ranks / rate);
      }
      each.seconds = seconds;
      all.push_back(each);
    }
  }
  return all;
}

TEST(ScalingModel, FindsWhatThePointsWereMadeOf) {
  for (const double hidden : {0.0, 0.5, 1.0}) {
    const ScalingModel model(halo(3e-6, 2e12, 20e-6, hidden), link());
    EXPECT_NEAR(model.start(), 3e-6, 2e-7);
    EXPECT_NEAR(model.rate() / 2e12, 1, 1e-3);
    EXPECT_NEAR(model.hidden(), hidden, 0.05);
    EXPECT_NEAR(model.share(), 20e-6, 1e-6);
    EXPECT_LT(model.worstResidual(), 2e-3) << hidden;
    EXPECT_TRUE(model.judged());
  }
}

TEST(ScalingModel, TellsHowFarItIsOff) {
  std::vector<ScalingPoint> points = halo(3e-6, 2e12, 0, 1);
  points.back().seconds *= 1.3;
  EXPECT_GT(ScalingModel(points, link()).worstResidual(), 0.05);
}

TEST(ScalingModel, AHaloStaysAsLargeAndATransposeIsDivided) {
  std::vector<ScalingPoint> rows = halo(0, 2e12, 0, 0), turned;
  EXPECT_EQ(patternOf(rows), Pattern::Halo);
  for (ScalingPoint each : rows) {
    if (each.ranks > 1) {
      each.bytes = 8 * each.work / 4;
      each.seconds = each.work / 2 / 2e12 + link().latency() + each.bytes / link().bandwidth();
    }
    turned.push_back(each);
  }
  EXPECT_EQ(patternOf(turned), Pattern::Transpose);
  const ScalingModel by_rows(rows, link()), by_transposes(turned, link());
  // Between two neighbours twice as much is sent as to one, and no more after that.
  const double two = by_rows.at(32768, 2).link, four = by_rows.at(32768, 4).link;
  EXPECT_NEAR(four / two, 2, 1e-6);
  EXPECT_NEAR(by_rows.at(32768, 64).link, four, 1e-9);
  // (P - 1)/P² of the field.
  const double bytes = 8 * std::pow(32768.0, 2) * 7 / 64;
  EXPECT_NEAR(by_transposes.at(32768, 8).link, 7 * link().latency() + bytes / link().bandwidth(), 1e-6);
}

TEST(ScalingModel, BetweenMachinesTheNetworkCounts) {
  const ScalingModel model(halo(0, 2e12, 0, 0), link());
  const Network network{.devices = 8, .latency = 100e-6, .bandwidth = 1e9};
  EXPECT_EQ(model.at(32768, 8, network).link, model.at(32768, 8).link);
  EXPECT_NEAR(model.at(32768, 16, network).link, 100e-6 + 64.0 * 32768 / 1e9, 1e-7);
}

TEST(ScalingModel, GrowsBySizeAsTheWorkDoes) {
  const ScalingModel model(halo(0, 2e12, 0, 1), link());
  EXPECT_NEAR(model.at(65536, 1).seconds / model.at(32768, 1).seconds, 4, 1e-3);
  EXPECT_EQ(model.sizeFor(8192, 16), 32768);
}

TEST(ScalingModel, NeedsPointsOfOneAndOfSeveral) {
  std::vector<ScalingPoint> points = halo(0, 2e12, 0, 0);
  std::erase_if(points, [](const ScalingPoint& each) { return each.ranks > 1; });
  EXPECT_THROW(ScalingModel(points, link()), UsageError);
  EXPECT_THROW(ScalingModel(halo(0, 2e12, 0, 0), {}), UsageError);
}

TEST(ScalingModel, TwoPointsJudgeNothing) {
  std::vector<ScalingPoint> points = halo(3e-6, 2e12, 20e-6, 0);
  points.resize(2);
  EXPECT_FALSE(ScalingModel(points, link()).judged());
}

TEST(ScalingSets, ComeBackFromTheirText) {
  ScalingSet set{.ranks = 2, .machines = 1, .device = "NVIDIA H200", .memory_bytes = 1.5e11, .link = link()};
  set.points = halo(3e-6, 2e12, 0, 0);
  const ScalingSet read = scalingSetOf(json(set).dump(), "points.json");
  EXPECT_EQ(json(read).dump(), json(set).dump());
}

TEST(ScalingSets, AStrangersFileIsRefusedByNameAndPlace) {
  const auto told = [](const std::string& text) {
    try {
      scalingSetOf(text, "points.json");
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(told("[]").find("points.json"), std::string::npos);
  EXPECT_NE(told("not JSON").find("is not an object"), std::string::npos);
  constexpr std::size_t kDeep = 200'000;
  EXPECT_NE(told(std::string(kDeep, '[') + std::string(kDeep, ']')).find("is not an object"), std::string::npos);
  EXPECT_NE(told(R"({"form": "else"})").find("is not of the form"), std::string::npos);
  ScalingSet set{.device = "x", .link = link(), .points = halo(0, 1e12, 0, 0)};
  Json document = json(set);
  document["points"][0]["step_s"] = -1;
  EXPECT_NE(told(document.dump()).find("a point has step_s = -1"), std::string::npos);
  document = json(set);
  document["points"][0]["simulation"] = "haet";
  EXPECT_NE(told(document.dump()).find("heat"), std::string::npos);
  document = json(set);
  document["link"]["points"][0].erase("bytes");
  EXPECT_NE(told(document.dump()).find("a point of the link has no number bytes"), std::string::npos);
}

}  // namespace
}  // namespace simscope::cli
