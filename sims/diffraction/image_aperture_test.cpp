// Apertures from pictures.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::Changes;
using tests::sameBits;
using tests::Session;

class ImageAperture : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "simscope_aperture_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }

 private:
  std::filesystem::path folder_;
};

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
