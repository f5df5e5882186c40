#include "sims/compute/fourier/transform_gain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace simscope::compute {
namespace {

// A wave whose amplitude each step multiplies by `share`.
double gainOf(double share, int steps) {
  double amplitude = 3;
  return transformGain(
      steps, [&] { return amplitude * amplitude; }, [&](int n) { amplitude *= std::pow(share, n); });
}

TEST(TransformGain, MakesUpForWhatAStepTakesOrAdds) {
  for (const int steps : {1, 4, 16}) {
    for (const double share : {1 - 2e-7, 1 + 5e-8, 1.0}) EXPECT_NEAR(gainOf(share, steps) * share, 1, 1e-14);
  }
}

TEST(TransformGain, LeavesAloneWhatIsNoRounding) {
  EXPECT_EQ(gainOf(1 - 1e-5, 4), 1);
  EXPECT_EQ(gainOf(1 + 1e-5, 4), 1);
  EXPECT_EQ(gainOf(0, 4), 1);
  EXPECT_EQ(gainOf(std::numeric_limits<double>::quiet_NaN(), 4), 1);
}

TEST(TransformGain, MakesAsManyStepsAsItIsTold) {
  int made = 0;
  transformGain(
      16, [] { return 1.0; }, [&](int n) { made += n; });
  EXPECT_EQ(made, 16);
}

}  // namespace
}  // namespace simscope::compute
