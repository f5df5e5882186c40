#include "sims/core/run/ration.h"

#include <gtest/gtest.h>

namespace simscope {
namespace {

using std::chrono::milliseconds;

TEST(Ration, WhatCostsNothingIsAlwaysDue) {
  Ration ration(0.05);
  Ration::Clock::time_point now{};
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(ration.due(now));
    ration.spent(now, 0);
  }
}

TEST(Ration, WhatCostsMuchGetsItsShareOfTheTime) {
  Ration ration(0.05);
  Ration::Clock::time_point now{};
  int times = 0;
  for (int ms = 0; ms < 20'000; ++ms, now += milliseconds(1)) {
    if (!ration.due(now)) continue;
    now += milliseconds(10);
    ms += 10;
    ration.spent(now, 10);
    ++times;
  }
  EXPECT_GE(times, 20'000 * 0.05 / 10);
  EXPECT_LE(times, 20'000 * 0.05 / 10 + 2);
  EXPECT_EQ(ration.milliseconds(), 10);
}

TEST(Ration, OneTimeThatWasHeldUpDoesNotCount) {
  Ration ration(0.1);
  const Ration::Clock::time_point now{};
  ration.spent(now, 500);
  EXPECT_TRUE(ration.due(now)) << "the first pays for what is compiled";
  ration.spent(now, 2);
  EXPECT_FALSE(ration.due(now + milliseconds(17)));
  EXPECT_TRUE(ration.due(now + milliseconds(18)));
  ration.spent(now, 300);
  EXPECT_TRUE(ration.due(now + milliseconds(18)));
}

TEST(Ration, AnotherSimulationIsMeasuredAnew) {
  Ration ration(0.1);
  const Ration::Clock::time_point now{};
  ration.spent(now, 500);
  ration.spent(now, 500);
  EXPECT_FALSE(ration.due(now + milliseconds(1000)));
  ration.start();
  EXPECT_TRUE(ration.due(now));
  EXPECT_EQ(ration.milliseconds(), 0);
}

}  // namespace
}  // namespace simscope
