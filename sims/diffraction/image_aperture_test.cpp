// Apertures from pictures.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "sims/core/testing/folder.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::sameBits;
using tests::Session;

using ImageAperture = simscope::tests::InFolder;

TEST_F(ImageAperture, WhiteSquareIsTheSquare) {
  const std::string file = write("white.pgm", "P5\n3 3\n255\n" + std::string(9, '\xff'));
  const Changes common{{"grid_points", "128"}, {"aperture_radius", "0.237"}};
  Session image(common.with({{"image_file", file}, {"aperture", "image"}})),
      square(common.with({{"aperture", "square"}}));
  EXPECT_LT(tests::relativeDifference(image.pattern(), square.pattern()), 1e-5);
  // Another picture under the same aperture.
  image.change({{"image_file", write("bar.pgm", "P5\n3 3\n255\n" + std::string("\0\xff\0\0\xff\0\0\xff\0", 9))}});
  EXPECT_GT(tests::relativeDifference(image.pattern(), square.pattern()), 0.1);
  Session slit(common.with({{"aperture", "slit"}, {"slit_width", "0.158"}}));
  EXPECT_LT(tests::relativeDifference(image.pattern(), slit.pattern()), 1e-5);
}

// Black and white at random, 32 × 32; and how much of it is white.
std::string speckle(double& white) {
  std::string pixels;
  std::uint32_t state = 12345;
  for (int i = 0; i < 32 * 32; ++i) {
    state = state * 1664525 + 1013904223;
    pixels += state >> 31 ? '\xff' : '\0';
  }
  white = static_cast<double>(std::count(pixels.begin(), pixels.end(), '\xff')) / (32 * 32);
  return "P5 32 32 255 " + pixels;
}

TEST_F(ImageAperture, APictureFinerThanTheGridHasItsPowerAndAFinding) {
  double white = 0;
  const std::string file = write("speckle.pgm", speckle(white));
  const Changes common{{"aperture", "image"}, {"image_file", file}, {"aperture_radius", "0.25"}, {"distance", "100"}};
  const Parameters p = tests::parametersWith(common);
  const double area = white * 4 * p.metres(0.25) * p.metres(0.25);
  // A quarter of a cell each pixel, and then ever finer cells.
  for (const char* const points : {"64", "128", "256", "1024"}) {
    Session run(common.with({{"grid_points", points}}));
    EXPECT_NEAR(run.diagnostic(kTotalPower) / area, 1, 1e-5) << points;
    run.change({{"propagation", "fresnel"}});
    EXPECT_NEAR(run.diagnostic(kTotalPower) / area, 1, 1e-4) << points;
    EXPECT_EQ(run.hasFinding("unresolved"), points != std::string("1024")) << points;
    for (const Finding& finding : run.findings()) {
      if (finding.code != "unresolved") continue;
      EXPECT_EQ(finding.key, "grid_points");
      Session cured(common.with({{finding.key, finding.value}}));
      EXPECT_FALSE(cured.hasFinding("unresolved")) << finding.value;
    }
  }
}

TEST_F(ImageAperture, TheAngularSpectrumOfAPictureMakesNoLight) {
  double white = 0;
  const std::string file = write("speckle.pgm", speckle(white));
  for (const char* const points : {"64", "128", "512"}) {
    Session run({{"aperture", "image"},
                 {"image_file", file},
                 {"propagation", "angular_spectrum"},
                 {"distance", "0.002"},
                 {"grid_points", points}});
    EXPECT_LE(run.diagnostic(kTotalPowerError), 0) << points;
    EXPECT_GE(run.diagnostic(kTotalPowerError), -0.6) << points;
  }
}

TEST_F(ImageAperture, GreyIsAmplitude) {
  const std::string file = write("grey.pgm", "P5 3 3 4 " + std::string(9, '\1'));
  Session run({{"aperture", "image"}, {"image_file", file}, {"grid_points", "128"}, {"aperture_radius", "0.237"}});
  const Parameters p = tests::parametersWith({});
  const double area = 4 * p.metres(0.237) * p.metres(0.237);
  EXPECT_NEAR(run.diagnostic(kTotalPower) / (area / 16), 1, 1e-5);
  EXPECT_FALSE(run.hasFinding("unresolved"));
}

TEST_F(ImageAperture, FineStripesOfAPictureDiffractToWideAngles) {
  std::string stripes;
  for (int i = 0; i < 32 * 32; ++i) stripes += i % 2 ? '\xff' : '\0';
  // Pixels of 1 µm.
  const Changes common{{"aperture", "image"}, {"half_width", "6.4e-5"}, {"grid_points", "256"}};
  Session fine(common.with({{"image_file", write("stripes.pgm", "P5 32 32 255 " + stripes)}}));
  Session plain(common.with({{"image_file", write("white.pgm", "P5 32 32 255 " + std::string(32 * 32, '\xff'))}}));
  EXPECT_TRUE(fine.hasFinding("wide_angles"));
  EXPECT_FALSE(plain.hasFinding("wide_angles"));
}

TEST_F(ImageAperture, DetailsAreAsWideAsOpeningsAndBarsOnAverage) {
  image::GreyImage bars{12, 4, {}};
  for (int i = 0; i < 12 * 4; ++i) bars.values.push_back(i % 12 / 3 % 2 ? 0.8f : 0.0f);  // three pixels each
  const PictureDetails details = pictureDetails(bars);
  EXPECT_NEAR(1 / details.edges_x, 3, 1e-6);
  EXPECT_NEAR(1 / details.edges_y, 4, 1e-6);
  EXPECT_NEAR(details.scaled(0.5).finest(), 3 * 0.5 / 12, 1e-6);
  image::GreyImage black{2, 2, std::vector<float>(4)};
  EXPECT_EQ(pictureDetails(black).blurredBy(1), 0);
}

TEST_F(ImageAperture, FilesThatCannotBeReadAreRefusedAndChangeNothing) {
  Session run({{"grid_points", "64"}});
  const std::vector<float> before = run.pattern();
  const ParameterSet parameters = run.run().parameters();
  EXPECT_EQ(tests::refusedParameter([&] { run.change({{"aperture", "image"}}); }), "image_file");
  EXPECT_EQ(tests::refusedParameter([&] {
              run.change({{"aperture", "image"}, {"image_file", "/nowhere/at/all.png"}});
            }),
            "image_file");
  EXPECT_EQ(tests::refusedParameter([&] {
              run.change({{"aperture", "image"}, {"image_file", write("broken.png", "no picture")}});
            }),
            "image_file");
  EXPECT_EQ(run.run().parameters(), parameters);
  EXPECT_TRUE(sameBits(run.pattern(), before));
  EXPECT_NO_THROW(run.change({{"image_file", "/nowhere/at/all.png"}})) << "not read while no aperture asks for it";
}

}  // namespace
}  // namespace simscope::diffraction
