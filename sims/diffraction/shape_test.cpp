// The apertures' cells against areas in closed form.
#include "sims/diffraction/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::parametersWith;

double areaOf(const Shape& shape) {
  double sum = 0;
  for (int y = 0; y < shape.n; ++y) {
    for (int x = 0; x < shape.n; ++x) sum += static_cast<double>(shape.at(x, y));
  }
  return sum;
}

// Relative to the half-width's square, on a grid of n cells.
double areaOf(const Changes& changes, int n) {
  const Shape shape = shapeOf(parametersWith(changes.with({{"grid_points", std::to_string(n)}})));
  return areaOf(shape) / (0.25 * n * n);
}

TEST(Shape, HalfPlaneShareIsThatOfManyPoints) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> angle(0, 2 * std::numbers::pi), depth(-0.8, 0.8);
  for (int i = 0; i < 60; ++i) {
    const double a = i < 8 ? i * std::numbers::pi / 4 : angle(generator), d = depth(generator);
    const double nx = std::cos(a), ny = std::sin(a);
    constexpr int kSide = 200;
    int inside = 0;
    for (int k = 0; k < kSide * kSide; ++k) {
      const double x = (k % kSide + 0.5) / kSide - 0.5, y = (k / kSide + 0.5) / kSide - 0.5;
      inside += x * nx + y * ny < d;
    }
    EXPECT_NEAR(halfPlaneShare(d, nx, ny), static_cast<double>(inside) / (kSide * kSide), 6e-3) << a << ", " << d;
  }
}

TEST(Shape, StraightShapesHaveTheirExactArea) {
  EXPECT_NEAR(areaOf({{"aperture", "square"}, {"aperture_radius", "0.2337"}}, 64), 4 * 0.2337 * 0.2337, 1e-7);
  EXPECT_NEAR(areaOf({{"aperture", "slit"}, {"slit_width", "0.0731"}}, 64), 0.0731 * 0.5, 1e-7);
  EXPECT_NEAR(areaOf({{"aperture", "double_slit"}, {"slit_width", "0.0731"}}, 64), 2 * 0.0731 * 0.5, 1e-7);
  EXPECT_NEAR(areaOf({{"aperture", "grating"}, {"slits", "8"}, {"slit_width", "0.031"}}, 128), 8 * 0.031 * 0.5, 1e-7);
  EXPECT_NEAR(areaOf({{"aperture", "letter"}}, 64), (0.35 * 2 + 0.85 * 0.35 + 0.6 * 0.35) / 16, 1e-7);
}

TEST(Shape, AreasConvergeWithTheSquareOfTheCells) {
  constexpr double kPi = std::numbers::pi;
  const struct {
    Changes changes;
    double area;
  } round[] = {
      {{{"aperture_radius", "0.3217"}}, kPi * 0.3217 * 0.3217},
      {{{"aperture", "annulus"}, {"aperture_radius", "0.4"}, {"obstruction", "0.31"}}, kPi * 0.16 * (1 - 0.31 * 0.31)},
      {{{"aperture", "hexagon"}, {"aperture_radius", "0.4"}}, 1.5 * std::sqrt(3.0) * 0.16},
      {{{"aperture", "zone_plate"}, {"aperture_radius", "0.9"}, {"zones", "8"}}, kPi * 0.81 / 2},
      {{{"aperture", "zone_plate"}, {"aperture_radius", "0.9"}, {"zones", "5"}}, kPi * 0.81 * 3 / 5},
  };
  for (const auto& each : round) {
    for (const int n : {128, 256, 512}) {
      // A chord instead of the arc takes dx²/24R off each unit of circumference; zones have several.
      EXPECT_NEAR(areaOf(each.changes, n), each.area, 40.0 / (n * n)) << each.changes[0].second << ", " << n;
    }
  }
}

TEST(Shape, EveryCellIsBetweenDarkAndOpenAndNothingLiesBeyondTheReach) {
  for (const char* const kind : {"circle", "square", "slit", "double_slit", "grating", "hexagon", "annulus",
                                 "telescope", "zone_plate", "letter"}) {
    for (const char* const radius : {"0.005", "0.3", "1"}) {
      const Parameters p = parametersWith({{"aperture", kind}, {"aperture_radius", radius}, {"grid_points", "64"}});
      const Shape shape = shapeOf(p);
      const Reach reach = reachOf(p);
      for (int y = 0; y < 64; ++y) {
        for (int x = 0; x < 64; ++x) {
          const float share = shape.at(x, y);
          ASSERT_GE(share, -1e-6F) << kind;
          ASSERT_LE(share, 1 + 1e-6F) << kind;
          if (std::abs(x - 32) > reach.x * 32 + 1 || std::abs(y - 32) > reach.y * 32 + 1) {
            ASSERT_EQ(share, 0) << kind;
          }
        }
      }
    }
  }
}

TEST(Shape, ZonesLieBetweenTheRootsOfTheirNumbers) {
  Shape plate = shapeOf(parametersWith({{"aperture", "zone_plate"}, {"aperture_radius", "0.9"}, {"zones", "6"}}));
  for (const double at : {0.2, 1.5, 2.5, 3.5, 4.5, 5.5}) {
    const int x = plate.n / 2 + static_cast<int>(plate.radius * std::sqrt(at / 6));
    EXPECT_EQ(plate.at(x, plate.n / 2), static_cast<int>(at) % 2 == 0 ? 1.0F : 0.0F) << at;
  }
}

TEST(Shape, ImagesKeepTheirLightAndStandUpright) {
  // 5 × 3 pixels, the top left one bright.
  const std::vector<float> pixels = {1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (const char* const radius : {"0.5", "0.02"}) {  // larger and smaller than cells
    Shape shape = shapeOf(parametersWith({{"aperture_radius", radius}, {"grid_points", "128"}}));
    shape.kind = Aperture::Image;
    shape.image = pixels.data();
    shape.image_width = 5;
    shape.image_height = 3;
    const double pixel = 2 * shape.radius / 5;
    EXPECT_NEAR(areaOf(shape), 1.5 * pixel * pixel, 1e-4 * pixel * pixel) << radius;
    if (pixel > 2) {
      const auto cell = [&](double pixels_off) { return 64 + static_cast<int>(std::round(pixels_off * pixel)); };
      EXPECT_EQ(shape.at(cell(-2), cell(1)), 1);
      EXPECT_EQ(shape.at(cell(-2), cell(0)), 0.5F);
      EXPECT_EQ(shape.at(cell(2), cell(1)), 0);
    }
  }
}

}  // namespace
}  // namespace simscope::diffraction
