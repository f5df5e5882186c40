// Fit shows what is there, and the view's own limits where they do.
#include "app/session/readings/view_fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sims/compute/device.h"
#include "tests/window/sample_simulation.h"

namespace simscope {
namespace {

Frame frameWith(const char* key, int width, int components, double low, double high) {
  Frame frame;
  frame.device = compute::Device::open("cpu", 1);
  Channel& channel = frame.channel(key, width, 1, components);
  channel.x_min = channel.y_min = -10;
  channel.x_max = channel.y_max = 10;
  channel.low = low;
  channel.high = high;
  return frame;
}

FittedView fitOf(const View& view, const Frame& frame, const std::vector<float>& values,
                 const std::optional<Camera>& usual = {}) {
  const ParameterSet parameters = gui::sampleSimulation().defaults();
  const auto requests = ViewFit::requests(view, frame, parameters, {});
  EXPECT_EQ(requests.size(), 1u);
  return ViewFit::fitted(view, frame, requests, {values}, usual);
}

const View kCurve{"c", "c", CurveView{.traces = {{.channel = "u", .title = "u"}}}};
const View kSpace{"p", "p", PointView{.channel = "u", .value_channel = ""}};
const View kScatter{"s", "s", ScatterView{.channel = "u", .equal_lengths = true}};

TEST(TheFit, OfCurvesIsTheirOwnHeightUnlessTheAxisShowsThemWell) {
  const Frame frame = frameWith("u", 4, 1, 0, 1);
  EXPECT_EQ(fitOf(kCurve, frame, {0, 0.2f, 0.5f, 0.1f}), FittedView{}) << "half of the axis";
  const FittedView low = fitOf(kCurve, frame, {0.01f, 0.02f, NAN, 0.05f});
  ASSERT_TRUE(low.y);
  EXPECT_EQ(low.y->low, 0) << "what is never negative begins at 0";
  EXPECT_NEAR(low.y->high, 0.05 + 0.05 * 0.04, 1e-6);
  EXPECT_FALSE(low.x);
  const FittedView beyond = fitOf(kCurve, frame, {-3, 5, 1, 1});
  ASSERT_TRUE(beyond.y);
  EXPECT_LT(beyond.y->low, -3);
  EXPECT_GT(beyond.y->high, 5);
  EXPECT_EQ(fitOf(kCurve, frame, {NAN, NAN, NAN, NAN}), FittedView{}) << "nothing there";
}

std::vector<float> cloud(double x, double y, double z, double radius) {
  std::vector<float> values;
  for (int i = 0; i < 100; ++i) {
    // Pairs that lie opposite each other.
    const double a = 0.7 * (i / 2), b = 2.33 * (i / 2), away = i % 2 == 0 ? radius : -radius;
    for (const double at :
         {x + away * std::cos(a) * std::cos(b), y + away * std::sin(a) * std::cos(b), z + away * std::sin(b), 1.0}) {
      values.push_back(static_cast<float>(at));
    }
  }
  return values;
}

TEST(TheFit, InSpaceHasTheBodiesInTheMiddleAndAllOfThem) {
  const Frame frame = frameWith("u", 100, 4, 0, 1);
  const Camera usual{.azimuth = 12, .elevation = 80};
  EXPECT_EQ(fitOf(kSpace, frame, cloud(0, 0, 0, 8), usual).camera, usual) << "they fill the cube";
  for (const double radius : {0.5, 60.0}) {
    const FittedView fit = fitOf(kSpace, frame, cloud(40, -3, 5, radius), usual);
    ASSERT_TRUE(fit.camera);
    EXPECT_EQ(fit.camera->azimuth, 12);
    EXPECT_EQ(fit.camera->elevation, 80);
    EXPECT_NEAR(fit.camera->x, 40, 0.1 * radius);
    EXPECT_NEAR(fit.camera->y, -3, 0.1 * radius);
    EXPECT_NEAR(fit.camera->z, 5, 0.1 * radius);
    // The ball around them is the one that the camera shows, but for a margin.
    EXPECT_NEAR(std::sqrt(3) * 10 / fit.camera->zoom, radius, 0.15 * radius);
  }
  const FittedView single = fitOf(kSpace, frameWith("u", 1, 4, 0, 1), {30, 0, 0, 1}, usual);
  ASSERT_TRUE(single.camera);
  EXPECT_EQ(single.camera->x, 30);
  EXPECT_EQ(single.camera->zoom, 1) << "one body has no extent";
}

TEST(TheFit, OfPointsInThePlaneKeepsEqualLengths) {
  const Frame frame = frameWith("u", 2, 4, 0, 1);
  EXPECT_EQ(fitOf(kScatter, frame, {-9, -9, 0, 1, 9, 9, 0, 1}), FittedView{});
  const FittedView fit = fitOf(kScatter, frame, {1, 2, 0, 1, 3, 2.5f, 0, 1});
  ASSERT_TRUE(fit.x && fit.y);
  EXPECT_NEAR(fit.x->high - fit.x->low, fit.y->high - fit.y->low, 1e-9);
  EXPECT_NEAR(fit.x->low, 0.9, 1e-6);
  EXPECT_NEAR(fit.x->high, 3.1, 1e-6);
  EXPECT_NEAR(fit.y->low + fit.y->high, 4.5, 1e-6);
}

TEST(TheFit, OfAFieldIsAllOfItAndNothingIsRead) {
  const View field{"f", "f", FieldView{.channel = "u"}};
  EXPECT_TRUE(ViewFit::requests(field, frameWith("u", 4, 1, 0, 1), gui::sampleSimulation().defaults(), {}).empty());
}

TEST(TheFit, ReadsNoMoreOfALongArrayThanItNeeds) {
  const Frame frame = frameWith("u", 1'000'000, 1, 0, 1);
  const auto requests = ViewFit::requests(kCurve, frame, gui::sampleSimulation().defaults(), {});
  ASSERT_EQ(requests.size(), 1u);
  EXPECT_EQ(requests[0].elements.size(), ViewFit::kMostElements);
  EXPECT_EQ(requests[0].elements.front(), 0u);
  EXPECT_EQ(requests[0].elements.back(), 999'999u);
}

}  // namespace
}  // namespace simscope
