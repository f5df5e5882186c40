#include "app/session/changes/history.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace simscope::gui {
namespace {

TEST(History, KeepsEverySampleUntilItsCapacity) {
  History history(100);
  history.restart(2);
  for (int i = 0; i < 100; ++i) history.add(i, std::array{1.0 * i, -1.0 * i});
  ASSERT_EQ(history.samples(), 100u);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(history.times()[i], i);
    EXPECT_EQ(history.series(0)[i], i);
    EXPECT_EQ(history.series(1)[i], -i);
  }
}

TEST(History, StaysWithinItsCapacityAndSpansTheWholeRunToTheNewestSample) {
  History history(64);
  history.restart(1);
  for (int i = 0; i < 10'000; ++i) {
    history.add(i, std::array{std::sqrt(1.0 * i)});
    ASSERT_LE(history.samples(), 64u);
    ASSERT_EQ(history.times().back(), i);
    ASSERT_EQ(history.series(0).back(), std::sqrt(1.0 * i));
  }
  EXPECT_GE(history.samples(), 32u);
  EXPECT_LT(history.times().front(), 10'000 / 16.0);
  for (std::size_t i = 0; i < history.samples(); ++i) {
    EXPECT_EQ(history.series(0)[i], std::sqrt(history.times()[i]));
    if (i > 0) {
      EXPECT_GT(history.times()[i], history.times()[i - 1]);
    }
  }
}

TEST(History, ThinnedSamplesLieEvenlyInTime) {
  History history(32);
  history.restart(1);
  for (int i = 0; i < 1000; ++i) history.add(i, std::array{0.0});
  const std::span<const double> times = history.times();
  for (std::size_t i = 2; i + 1 < times.size(); ++i) {
    EXPECT_LE(times[i] - times[i - 1], 2 * 64) << "between samples " << i - 1 << " and " << i;
  }
}

TEST(History, ANewStateAtTheSameTimeTakesTheSamplesPlace) {
  History history;
  history.restart(1);
  history.add(0, std::array{1.0});
  history.add(1, std::array{2.0});
  history.add(1, std::array{3.0});
  ASSERT_EQ(history.samples(), 2u);
  EXPECT_EQ(history.series(0)[0], 1.0);
  EXPECT_EQ(history.series(0)[1], 3.0);
}

TEST(History, IgnoresSamplesThatGoBack) {
  History history;
  history.restart(1);
  history.add(1, std::array{1.0});
  history.add(0.5, std::array{3.0});
  history.add(std::numeric_limits<double>::quiet_NaN(), std::array{4.0});
  history.add(2, std::array{5.0, 6.0});
  ASSERT_EQ(history.samples(), 1u);
  EXPECT_EQ(history.series(0)[0], 1.0);
}

TEST(History, RestartForgets) {
  History history;
  history.restart(1);
  history.add(5, std::array{1.0});
  history.restart(3);
  EXPECT_EQ(history.samples(), 0u);
  EXPECT_EQ(history.diagnostics(), 3u);
  history.add(0, std::array{1.0, 2.0, 3.0});
  EXPECT_EQ(history.samples(), 1u);
}

}  // namespace
}  // namespace simscope::gui
