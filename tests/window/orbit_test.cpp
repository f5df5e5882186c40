#include "app/gui/panels/figure/orbit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace simscope::gui {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

render::Projection seen(const Camera& camera) {
  return render::Projection(camera, 10, 100, 50, 640, 480);
}

TEST(ATurnedCamera, MovesWhatIsInFrontWithTheMouse) {
  const Camera camera{.azimuth = 0, .elevation = 20};
  // The cube's near face, towards the eye that looks along y.
  const auto x = [](const Camera& c) { return seen(c).project(0, -5, 0).x; };
  const auto y = [](const Camera& c) { return seen(c).project(0, -5, 0).y; };
  EXPECT_GT(x(turned(camera, 10, 0)), x(camera)) << "to the right";
  EXPECT_LT(x(turned(camera, -10, 0)), x(camera));
  EXPECT_GT(y(turned(camera, 0, 10)), y(camera)) << "down";
  EXPECT_LT(y(turned(camera, 0, -10)), y(camera));
}

TEST(ATurnedCamera, StopsStraightAboveAndBelow) {
  EXPECT_EQ(turned({.elevation = 80}, 0, 30).elevation, 90);
  EXPECT_EQ(turned({.elevation = -80}, 0, -30).elevation, -90);
}

TEST(ATurnedCamera, GoesRoundWithoutEnd) {
  Camera camera{.azimuth = 170};
  camera = turned(camera, -20, 0);
  EXPECT_NEAR(camera.azimuth, -170, 1e-12);
  EXPECT_EQ(turned({.azimuth = 0}, 180, 0).azimuth, 180) << "one name for the back";
  for (int i = 0; i < 1000; ++i) camera = turned(camera, 77.7, 0);
  EXPECT_LE(std::abs(camera.azimuth), 180);
}

TEST(ATurnedCamera, KeepsZoomAndTarget) {
  const Camera camera{.zoom = 3, .x = 1, .y = 2, .z = 3};
  Camera after = turned(camera, 25, 10);
  after.azimuth = camera.azimuth;
  after.elevation = camera.elevation;
  EXPECT_EQ(after, camera);
  EXPECT_EQ(turned(camera, kNan, 0), camera);
}

TEST(AZoomedCamera, StaysWithinItsLimits) {
  Camera near, far;
  for (int i = 0; i < 400; ++i) {
    near = zoomed(near, 1.2);
    far = zoomed(far, 1 / 1.2);
  }
  EXPECT_EQ(near.zoom, kNearestZoom);
  EXPECT_EQ(far.zoom, kFarthestZoom);
  EXPECT_LT(zoomed(near, 0.5).zoom, kNearestZoom) << "and comes back";
}

TEST(AZoomedCamera, IsNotPulledBackFromWhatASceneChose) {
  const Camera beyond{.zoom = 1e-3};
  EXPECT_EQ(zoomed(beyond, 0.5).zoom, 1e-3);
  EXPECT_DOUBLE_EQ(zoomed(beyond, 1.2).zoom, 1.2e-3);
}

TEST(AZoomedCamera, TakesNoFactorThatIsNone) {
  const Camera camera{.zoom = 2};
  for (const double factor : {0.0, -1.0, kNan, std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(zoomed(camera, factor), camera) << factor;
  }
}

TEST(AMovedCamera, CarriesThePlaceUnderTheMouseAlong) {
  const render::Projection before = seen({.azimuth = 35, .elevation = 28, .zoom = 1.7, .x = 1, .y = -2, .z = 0.5});
  const auto place = before.onTargetPlane(300, 200);
  const render::Projection after = seen(moved(before, 300, 200, 390, 260));
  const auto pixel = after.project(place[0], place[1], place[2]);
  EXPECT_NEAR(pixel.x, 390, 1e-6);
  EXPECT_NEAR(pixel.y, 260, 1e-6);
}

TEST(Standpoints, AreFourWithTheirOwnDirections) {
  std::set<std::string> keys;
  for (const Standpoint& each : standpoints()) {
    keys.insert(each.key);
    const Camera camera = seenFrom({.zoom = 2, .x = 5}, each);
    EXPECT_EQ(camera.zoom, 2);
    EXPECT_EQ(camera.x, 5);
    EXPECT_EQ(standpointOf(camera), static_cast<int>(&each - standpoints().data())) << each.key;
  }
  EXPECT_EQ(keys.size(), 4u);
  EXPECT_EQ(standpointOf(Camera{}), -1);
}

TEST(Standpoints, ShowTheAxesAsTheySay) {
  const auto pixels = [](const char* key, double x, double y, double z) {
    for (const Standpoint& each : standpoints()) {
      if (std::string(each.key) == key) return seen(seenFrom({}, each)).project(x, y, z);
    }
    return render::Projection::Pixel{};
  };
  const double middle_x = 100 + 320, middle_y = 50 + 240;
  EXPECT_GT(pixels("top", 1, 0, 0).x, middle_x + 1);
  EXPECT_LT(pixels("top", 0, 1, 0).y, middle_y - 1);
  EXPECT_GT(pixels("front", 1, 0, 0).x, middle_x + 1);
  EXPECT_LT(pixels("front", 0, 0, 1).y, middle_y - 1);
  EXPECT_GT(pixels("side", 0, 1, 0).x, middle_x + 1);
  EXPECT_LT(pixels("side", 0, 0, 1).y, middle_y - 1);
}

}  // namespace
}  // namespace simscope::gui
