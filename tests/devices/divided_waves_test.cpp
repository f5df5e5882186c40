// Runs whose transforms several devices make together: what they are is what one device makes, within rounding, also
// where they move from some devices to others, and where they go back to copies that every device keeps of its part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sims/core/divided.h"
#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

using compute::Device;

struct WaveRun {
  const char* name;
  const char* simulation;
  std::vector<std::pair<std::string, std::string>> changes;
  std::string tool;
  double reach;  // of its strokes, from the middle
  std::pair<std::string, std::string> later;
};
const WaveRun kWaveRuns[] = {
    {"wave", "schrodinger2d", {{"grid_points", "64"}, {"potential", "drawn"}}, "wall", 8, {"barrier_height", "3"}},
    {"far", "diffraction", {{"grid_points", "64"}, {"zoom", "1"}}, "draw", 3e-4, {"aperture_radius", "0.3"}},
    {"near",
     "diffraction",
     {{"grid_points", "64"}, {"zoom", "1"}, {"propagation", "angular_spectrum"}, {"distance", "0.01"}},
     "erase",
     2e-4,
     {"distance", "0.02"}},
    {"from_far_to_near",
     "diffraction",
     {{"grid_points", "64"}, {"zoom", "1"}, {"aperture", "letter"}},
     "draw",
     3e-4,
     {"propagation", "fresnel"}},
};

void PrintTo(const WaveRun& run, std::ostream* to) {
  *to << run.name;
}

class DividedWaves : public testing::TestWithParam<WaveRun> {
 protected:
  const Description& description() const { return simulationById(GetParam().simulation); }
  ParameterSet parameters() const {
    ParameterSet set = description().defaults();
    for (const auto& [key, value] : GetParam().changes) set.setText(key, value);
    return set;
  }
  Stepper begin(const char* spec) const { return Stepper(description(), Device::open(spec, 2), parameters(), 5); }
  void touch(Stepper& stepper, int number) const {
    const double reach = GetParam().reach;
    Brush brush;
    brush.tool = GetParam().tool;
    brush.x = reach * (0.4 * number - 0.5), brush.y = reach * (0.7 - 0.5 * number);
    brush.radius = 0.2 * reach;
    brush.begins = true;
    EXPECT_TRUE(stepper.poke(brush));
  }
};
INSTANTIATE_TEST_SUITE_P(All, DividedWaves, testing::ValuesIn(kWaveRuns),
                         [](const auto& made) { return std::string(made.param.name); });

constexpr double kWaveRounding = 1e-5;  // of arrays, in the L2 norm

template <class T>
double differenceOf(const StateArray& one, const StateArray& other) {
  const auto* const a = reinterpret_cast<const T*>(one.bytes.data());
  const auto* const b = reinterpret_cast<const T*>(other.bytes.data());
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < one.bytes.size() / sizeof(T); ++i) {
    difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    norm += std::pow(static_cast<double>(a[i]), 2);
  }
  constexpr double kEmpty = 1e-4;  // what hardly anything has reached holds rounding
  return std::sqrt(difference) / (std::sqrt(norm) + kEmpty);
}

void expectAlike(const State& one, const State& other) {
  EXPECT_EQ(one.steps, other.steps);
  EXPECT_EQ(one.parameters, other.parameters);
  ASSERT_EQ(one.arrays.size(), other.arrays.size());
  for (std::size_t i = 0; i < one.arrays.size(); ++i) {
    const StateArray &mine = one.arrays[i], &theirs = other.arrays[i];
    SCOPED_TRACE(mine.name);
    EXPECT_EQ(mine.name, theirs.name);
    ASSERT_EQ(mine.dtype, theirs.dtype);
    ASSERT_EQ(mine.bytes.size(), theirs.bytes.size());
    const bool single = mine.dtype == "<f4" || mine.dtype == "<c8";
    EXPECT_LT(single ? differenceOf<float>(mine, theirs) : differenceOf<double>(mine, theirs), kWaveRounding);
  }
}

TEST_P(DividedWaves, AreThoseOfOneDeviceWithinRounding) {
  for (const char* const spec : {"cpu+cpu", "cpu+cpu+cpu"}) {
    SCOPED_TRACE(spec);
    Stepper alone = begin("cpu"), several = begin(spec);
    for (Stepper* const each : {&alone, &several}) {
      each->step(3);
      touch(*each, 1);
      each->step(8);
      each->verify();
    }
    expectAlike(alone.save(), several.save());
    const std::vector<double>&mine = alone.diagnostics(), &theirs = several.diagnostics();
    ASSERT_EQ(mine.size(), theirs.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
      EXPECT_EQ(std::isnan(mine[i]), std::isnan(theirs[i])) << description().diagnostics[i].key;
      if (std::isnan(mine[i])) continue;
      EXPECT_NEAR(mine[i], theirs[i], kWaveRounding * std::max(1.0, std::abs(mine[i])))
          << description().diagnostics[i].key;
    }
  }
}

TEST_P(DividedWaves, GoOnWhereverTheyAre) {
  Stepper alone = begin("cpu"), moved = begin("cpu");
  for (const char* const spec : {"cpu+cpu", "cpu", "cpu+cpu+cpu", "cpu+cpu"}) {
    SCOPED_TRACE(spec);
    moved.step(2);
    alone.step(2);
    moved.moveTo(Device::open(spec, 2));
    alone.moveTo(Device::open("cpu", 1));
    expectAlike(alone.save(), moved.save());
  }
}

// To the bit what several devices have made before; and beside one device within rounding.
TEST_P(DividedWaves, GoBackInThePast) {
  const auto states = [&](const char* spec) {
    Stepper stepper = begin(spec);
    stepper.keepPast(std::size_t{64} << 20);
    std::vector<State> all;
    for (int i = 0; i < 3; ++i) {
      stepper.step(10);
      stepper.verify();
      all.push_back(stepper.save());
      touch(stepper, i);
      if (i == 1) {
        ParameterSet changed = stepper.base();
        changed.setText(GetParam().later.first, GetParam().later.second);
        stepper.configure(changed);
      }
    }
    EXPECT_GE(stepper.keptStates(), 2u) << "copies before the strokes";
    const auto go = [&](std::int64_t step) {
      stepper.goTo(step);
      while (stepper.advanceReplay()) {
      }
      all.push_back(stepper.save());
    };
    for (const std::int64_t step : {25, 12, 20, 3, 30}) go(step);
    stepper.step(7);
    all.push_back(stepper.save());
    stepper.goTo(12);
    while (stepper.advanceReplay()) {
    }
    const State again = stepper.save();
    const State& before = all[4];
    EXPECT_EQ(again.steps, before.steps);
    for (std::size_t i = 0; i < again.arrays.size(); ++i) {
      EXPECT_TRUE(again.arrays[i].bytes == before.arrays[i].bytes) << again.arrays[i].name;
    }
    return all;
  };
  const std::vector<State> one = states("cpu"), two = states("cpu+cpu");
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    SCOPED_TRACE(i);
    expectAlike(one[i], two[i]);
  }
}

}  // namespace
}  // namespace simscope
