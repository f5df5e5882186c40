// What a scene may say, the figure draws: on any screen.
#include "app/render/figure/limits.h"

#include <gtest/gtest.h>

#include "app/render/figure/plan.h"
#include "sims/compute/error.h"

namespace simscope {
namespace {

bool takes(const render::FigureOptions& options) {
  try {
    render::checkOptions(options);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

TEST(Limits, FiguresTakeTheScalesThatAreLegal) {
  for (const double scale : {0.0, 0.25, 0.3, 0.49, 0.5, 1.0, 7.9, 8.0, 8.1}) {
    render::FigureOptions options;
    options.scale = scale;
    EXPECT_EQ(takes(options), scale >= kSmallestScale && scale <= kLargestScale) << scale;
  }
}

TEST(Limits, EveryLegalScaleIsDrawnOnEveryScreen) {
  for (const double scale : {kSmallestScale, 1.0, 3.0, kLargestScale}) {
    for (const double density : {0.5, 1.0, 1.25, 2.0, 4.0}) {
      render::FigureOptions options;
      options.scale = scaleOnScreen(scale, density);
      EXPECT_TRUE(takes(options)) << scale << " times " << density;
    }
  }
  EXPECT_EQ(scaleOnScreen(1.5, 2), 3);
}

TEST(Limits, SuitableScalesAreLegal) {
  for (const int side : {kSmallestSide, 300, 1080, kLargestSide}) {
    render::FigureOptions options;
    options.scale = render::suitableScale(side, side);
    EXPECT_TRUE(takes(options)) << side;
  }
}

}  // namespace
}  // namespace simscope
