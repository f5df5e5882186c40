// The camera's projection, as plain geometry.
#include "app/render/figure/camera.h"

#include <gtest/gtest.h>

#include <cmath>

namespace simscope::render {
namespace {

constexpr double kLeft = 20, kTop = 40, kWidth = 640, kHeight = 480;

Projection at(const Camera& camera, double half_edge = 1) {
  return Projection(camera, half_edge, kLeft, kTop, kWidth, kHeight);
}

TEST(CameraTest, FromAboveXPointsRightAndYUp) {
  const Projection p = at({.azimuth = 0, .elevation = 90});
  const auto middle = p.project(0, 0, 0), x = p.project(0.5, 0, 0), y = p.project(0, 0.5, 0);
  EXPECT_EQ(middle.x, kLeft + kWidth / 2);
  EXPECT_EQ(middle.y, kTop + kHeight / 2);
  EXPECT_GT(x.x, middle.x);
  EXPECT_EQ(x.y, middle.y);
  EXPECT_EQ(y.x, middle.x);
  EXPECT_LT(y.y, middle.y);
  EXPECT_LT(p.project(0, 0, 0.5).depth, middle.depth);
}

TEST(CameraTest, AlongThePlaneZPointsUp) {
  const Projection p = at({.azimuth = 0, .elevation = 0});
  const auto middle = p.project(0, 0, 0);
  EXPECT_GT(p.project(0.5, 0, 0).x, middle.x);
  EXPECT_LT(p.project(0, 0, 0.5).y, middle.y);
  EXPECT_EQ(p.project(0, 0, 0.5).x, middle.x);
  EXPECT_GT(p.project(0, 0.5, 0).depth, middle.depth);  // the eye is at negative y
}

TEST(CameraTest, AzimuthTurnsTheEyeCounterclockwiseSeenFromAbove) {
  const auto eye = at({.azimuth = 90, .elevation = 0}).axes()[2];
  EXPECT_NEAR(eye[0], 1, 1e-15);  // from −y to x
  EXPECT_NEAR(eye[1], 0, 1e-15);
}

TEST(CameraTest, AxesAreOrthonormalAndRightHanded) {
  for (const double azimuth : {-200.0, -33.0, 0.0, 45.0, 90.0, 359.0}) {
    for (const double elevation : {-90.0, -20.0, 0.0, 61.0, 90.0}) {
      const auto a = at({.azimuth = azimuth, .elevation = elevation}).axes();
      for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) {
          const double dot = a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2];
          EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-14);
        }
        EXPECT_NEAR(a[0][(i + 1) % 3] * a[1][(i + 2) % 3] - a[0][(i + 2) % 3] * a[1][(i + 1) % 3], a[2][i], 1e-14);
      }
    }
  }
}

TEST(CameraTest, TheCubeJustFitsAtZoomOneFromAnywhere) {
  double tightest = 1e9;
  for (double azimuth = -180; azimuth < 180; azimuth += 7.5) {
    for (double elevation = -90; elevation <= 90; elevation += 7.5) {
      const Projection p = at({.azimuth = azimuth, .elevation = elevation}, 3);
      for (int corner = 0; corner < 8; ++corner) {
        const auto c = p.project(corner & 1 ? 3 : -3, corner & 2 ? 3 : -3, corner & 4 ? 3 : -3);
        EXPECT_GT(c.depth, 0);
        const double room = kHeight / 2 - std::hypot(c.x - (kLeft + kWidth / 2), c.y - (kTop + kHeight / 2));
        EXPECT_GE(room, -1e-9);
        tightest = std::min(tightest, room);
      }
    }
  }
  EXPECT_LT(tightest, 0.02 * kHeight);
}

TEST(CameraTest, PixelsAndThePlaneThroughTheTargetAreInverse) {
  const Projection p = at({.azimuth = 37, .elevation = -21, .zoom = 3, .x = 0.2, .y = -0.7, .z = 1.1}, 2.5);
  for (const auto& [x, y] : {std::pair{340.0, 280.0}, {25.0, 44.0}, {600.0, 500.0}, {-90.0, 900.0}}) {
    const auto place = p.onTargetPlane(x, y);
    const auto pixel = p.project(place[0], place[1], place[2]);
    EXPECT_NEAR(pixel.x, x, 1e-9);
    EXPECT_NEAR(pixel.y, y, 1e-9);
    EXPECT_NEAR(pixel.depth, p.distance(), 1e-12);
    EXPECT_NEAR(pixel.per_unit, p.focalPixels() / p.distance(), 1e-9);
  }
  const auto middle = p.onTargetPlane(kLeft + kWidth / 2, kTop + kHeight / 2);
  EXPECT_EQ(middle, (std::array<double, 3>{0.2, -0.7, 1.1}));
}

TEST(CameraTest, ZoomEnlargesWhatIsAtTheTarget) {
  const double once = at({}).project(0, 0, 0).per_unit;
  EXPECT_NEAR(at({.zoom = 5}).project(0, 0, 0).per_unit, 5 * once, 1e-9);
}

TEST(CameraTest, BehindTheEyeTheDepthIsNotPositive) {
  const Projection p = at({.azimuth = 0, .elevation = 90});
  EXPECT_LT(p.project(0, 0, p.distance() * 1.01).depth, 0);
  EXPECT_EQ(p.project(0, 0, p.distance() * 1.01).per_unit, 0);
  EXPECT_GT(p.project(0, 0, p.distance() * 0.99).depth, 0);
}

}  // namespace
}  // namespace simscope::render
