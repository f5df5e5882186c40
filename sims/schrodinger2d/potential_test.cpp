// The potentials' shapes, pictures, and the memory that all of it takes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "sims/schrodinger2d/image_potential.h"
#include "sims/schrodinger2d/testing.h"

namespace simscope::schrodinger2d {
namespace {

using ::testing::HasSubstr;
using tests::Changes;
using tests::channelOf;
using tests::parametersWith;
using tests::refusal;
using tests::small;
using tests::start;
using tests::with;

// Σ V dx² over the plane.
double volume(const Parameters& p) {
  const Grid grid = gridOf(p);
  double sum = 0;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    sum += potentialAt(p, grid.x(grid.column(i)), grid.x(grid.row(i))) * grid.dx * grid.dx;
  }
  return sum;
}

TEST(Potential, EdgesLieWhereTheyAreSaidToWhateverTheGrid) {
  for (const char* points : {"64", "128", "512"}) {
    const Changes common = {{"grid_points", points}, {"domain_length", "20"}, {"barrier_height", "5"}};
    const auto volumeOf = [&](const Changes& changes) { return volume(binding().read(with(changes, with(common)))); };
    EXPECT_NEAR(volumeOf({{"potential", "barrier"}, {"barrier_width", "1.234"}}), 5 * 1.234 * 20, 1e-9);
    EXPECT_NEAR(volumeOf({{"potential", "single_slit"}, {"barrier_width", "1.234"}, {"slit_width", "2.17"}}),
                5 * 1.234 * (20 - 2.17), 1e-9);
    EXPECT_NEAR(volumeOf({{"potential", "double_slit"},
                          {"barrier_width", "1.234"},
                          {"slit_width", "2.17"},
                          {"slit_separation", "5.3"}}),
                5 * 1.234 * (20 - 2 * 2.17), 1e-9);
    // Slits that meet are one.
    EXPECT_NEAR(volumeOf({{"potential", "double_slit"},
                          {"barrier_width", "1.234"},
                          {"slit_width", "2.17"},
                          {"slit_separation", "1"}}),
                5 * 1.234 * (20 - 3.17), 1e-9);
    EXPECT_NEAR(volumeOf({{"potential", "circular_well"}, {"well_radius", "3.3"}}), -5 * kPi * 3.3 * 3.3, 1.5);
  }
}

TEST(Potential, SmoothOnesAreTheirFormulas) {
  const Parameters coulomb = parametersWith({{"potential", "coulomb"}, {"charge", "7"}, {"softening", "0.5"}});
  EXPECT_NEAR(potentialAt(coulomb, 3, -4), -7 / std::sqrt(25.25), 1e-12);
  const Parameters wells =
      parametersWith({{"potential", "double_well"}, {"barrier_height", "3"}, {"well_separation", "4"}, {"omega", "2"}});
  EXPECT_NEAR(potentialAt(wells, 0, 0), 3, 1e-12);
  EXPECT_NEAR(potentialAt(wells, 2, 0), 0, 1e-12);
  EXPECT_NEAR(potentialAt(wells, -2, 1), 2, 1e-12);
}

image::GreyImage picture(int width, int height, std::vector<float> values) {
  image::GreyImage made;
  made.width = width;
  made.height = height;
  made.values = std::move(values);
  return made;
}

TEST(ImagePotential, TopOfThePictureIsAtLargeYAndBlackIsAWall) {
  const Grid grid{64, 16, 0.25};
  // Black at the top left, white elsewhere.
  const std::vector<double> v = imagePotential<double>(picture(2, 2, {0, 1, 1, 1}), grid, 9);
  const auto at = [&](double x, double y) {
    return v[static_cast<std::size_t>(grid.nearest(y)) * 64 + static_cast<std::size_t>(grid.nearest(x))];
  };
  EXPECT_NEAR(at(-4, 4), 9, 1e-9);
  EXPECT_NEAR(at(4, 4), 0, 1e-9);
  EXPECT_NEAR(at(-4, -4), 0, 1e-9);
  EXPECT_NEAR(at(0, 4), 4.5, 1e-9) << "straight lines between pixels";
}

TEST(ImagePotential, LargePicturesAreAveragedAndKeepTheirSides) {
  const Grid grid{64, 16, 0.25};
  // A checkerboard far finer than the grid is grey everywhere; it is twice as wide as high, so it covers |y| < 4.
  std::vector<float> fine(1024 * 512);
  for (std::size_t i = 0; i < fine.size(); ++i) fine[i] = (i % 1024 + i / 1024) % 2 ? 1.0f : 0.0f;
  const std::vector<float> v = imagePotential<float>(picture(1024, 512, fine), grid, 2);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const double x = grid.x(grid.column(i)), y = grid.x(grid.row(i));
    if (std::fabs(y) < 3.5 && std::fabs(x) < 7.5) {
      ASSERT_NEAR(v[i], 1, 0.01) << x << ", " << y;
    } else if (std::fabs(y) > 4.5) {
      ASSERT_EQ(v[i], 0) << x << ", " << y;
    }
  }
}

// A wall of the picture that is cut by cells keeps its volume, wherever it lies.
TEST(ImagePotential, CellsHoldTheMeanOfTheirPixels) {
  for (const int points : {50, 64, 100}) {
    const Grid grid{points, 16, 16.0 / points};
    for (const int from : {300, 333, 401}) {
      std::vector<float> wall(1024 * 1024, 1.0f);
      for (std::size_t i = 0; i < wall.size(); ++i) {
        const int column = static_cast<int>(i % 1024);
        if (column >= from && column < from + 70) wall[i] = 0.0f;
      }
      const std::vector<double> v = imagePotential<double>(picture(1024, 1024, std::move(wall)), grid, 3);
      double sum = 0;
      int cut = 0;
      for (int i = 0; i < points; ++i) {
        const double value = v[static_cast<std::size_t>(points / 2 * points + i)];
        sum += value * grid.dx;
        if (value > 1e-9 && value < 3 - 1e-9) ++cut;
      }
      EXPECT_NEAR(sum, 3 * 70 * 16.0 / 1024, 1e-9) << points;
      EXPECT_LE(cut, 2) << "a jump is in one cell";
    }
  }
}

TEST(ImagePotential, TextureFinerThanTheGridIsNoticed) {
  std::vector<float> fine(256 * 256), half(256 * 256);
  for (std::size_t i = 0; i < fine.size(); ++i) {
    fine[i] = (i % 256 / 2 + i / 512) % 2 ? 1.0f : 0.0f;
    half[i] = i % 256 + i / 256 < 200 ? 1.0f : 0.0f;
  }
  const auto texture = [](const std::vector<float>& values, int points) {
    return textureOf(picture(256, 256, values), {points, 16, 16.0 / points});
  };
  EXPECT_EQ(texture(fine, 64), 16.0 / 256);
  EXPECT_TRUE(std::isinf(texture(fine, 512)));
  EXPECT_TRUE(std::isinf(texture(half, 64))) << "one edge";
}

class File {
 public:
  File(const char* name, const std::string& content) : path_(std::filesystem::path(::testing::TempDir()) / name) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~File() { std::remove(path_.c_str()); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

TEST(ImagePotential, RunTakesItsPotentialFromAFileAndKeepsItWhenAnotherIsBad) {
  // A portable graymap: the left half is black.
  const File file("schrodinger2d_half.pgm", std::string("P5 4 4 255\n") + std::string("\0\0\xff\xff", 4) +
                                                std::string("\0\0\xff\xff", 4) + std::string("\0\0\xff\xff", 4) +
                                                std::string("\0\0\xff\xff", 4));
  const ParameterSet set = small({{"potential", "image"}, {"image_file", file.path()}, {"image_height", "6"}});
  Stepper run = start(set);
  Frame frame;
  run.present(frame);
  const Channel& v = channelOf(frame, "potential");
  const std::vector<float> values = v.data.toHost();
  EXPECT_NEAR(values[64 * 128 + 32], 6, 1e-5);
  EXPECT_NEAR(values[64 * 128 + 96], 0, 1e-5);
  EXPECT_EQ(v.high, 6);

  const File broken("schrodinger2d_broken.png", "not a picture");
  for (const std::string& bad : {broken.path(), std::string("/no/such/file.png"), std::string()}) {
    EXPECT_EQ(tests::refusedParameter([&] { run.configure(with({{"image_file", bad}}, set)); }), "image_file") << bad;
    EXPECT_EQ(run.simulation().parameters(), set);
  }
  run.configure(with({{"image_height", "-2"}}, set));
  run.present(frame);
  EXPECT_NEAR(channelOf(frame, "potential").data.toHost()[64 * 128 + 32], -2, 1e-5);
  EXPECT_THAT(refusal([] { start(small({{"potential", "image"}})); }), HasSubstr("potential = image"));
}

TEST(Memory, IsMoreThanTheStateAndGrowsWithThePoints) {
  for (const compute::Backend backend : {compute::Backend::Cpu, compute::Backend::Cuda}) {
    const auto needed = [&](const char* points, const char* precision) {
      return memoryNeeded(with({{"grid_points", points}, {"precision", precision}}), backend);
    };
    EXPECT_GT(needed("512", "single"), 5.0 * 512 * 512 * 8);
    EXPECT_NEAR(needed("512", "double") / needed("512", "single"), 1.4, 0.2);
    EXPECT_GT(needed("8192", "single"), 2.5e9);
    EXPECT_LT(needed("8192", "single"), 5e9);
    EXPECT_GT(needed("8192", "double"), 4.5e9);
    EXPECT_LT(needed("8192", "double"), 8e9);
  }
}

}  // namespace
}  // namespace simscope::schrodinger2d
