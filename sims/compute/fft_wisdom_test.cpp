#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sims/compute/fft.h"

namespace simscope::compute {
namespace {

namespace fs = std::filesystem;

class WisdomTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "simscope-wisdom-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  std::string read(const fs::path& file) const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  void write(const fs::path& file, const std::string& text) const { std::ofstream(file, std::ios::binary) << text; }

  fs::path folder_;
};

void expectUnitImpulseGivesOnes(int n) {
  const DevicePtr device = Device::open("cpu", 1);
  std::vector<Complex<double>> impulse(static_cast<std::size_t>(n), {0.0, 0.0});
  impulse[0] = {1.0, 0.0};
  Buffer<Complex<double>> data(device, impulse);
  Fft<double>(device, {{n}, 1}).forward(data.data());
  for (const Complex<double>& value : data.toHost()) {
    ASSERT_NEAR(value.re, 1.0, 1e-14);
    ASSERT_NEAR(value.im, 0.0, 1e-14);
  }
}

TEST_F(WisdomTest, MeasuredPlansAreSavedLoadedAndGiveTheSameTransform) {
  tuneFft({{96}, 1}, true, 1);
  tuneFft({{16, 16}, 1}, false, 1);
  const fs::path file = folder_ / "wisdom";
  ASSERT_TRUE(saveWisdom(file));
  EXPECT_TRUE(loadWisdom(file));
  expectUnitImpulseGivesOnes(96);
  expectUnitImpulseGivesOnes(97);  // a size without wisdom falls back on an estimate
  ASSERT_TRUE(saveWisdom(file));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1) << "no temporary file stays";
}

TEST_F(WisdomTest, FilesThatAreNotWisdomAreRefused) {
  EXPECT_FALSE(loadWisdom(folder_ / "missing"));
  EXPECT_FALSE(loadWisdom(folder_));
  const fs::path good = folder_ / "good";
  ASSERT_TRUE(saveWisdom(good));
  const std::string text = read(good);
  const fs::path bad = folder_ / "bad";
  for (const std::string& broken : {std::string(), std::string("not wisdom at all"), text.substr(0, text.size() / 2),
                                    "x" + text, std::string("simscope fftw wisdom 1\nfloat 99999999999999\n"),
                                    std::string("simscope fftw wisdom 1\nfloat -1\n"),
                                    std::string("simscope fftw wisdom 1\nfloat 3\nabc\ndouble 3\nabc\n")}) {
    write(bad, broken);
    EXPECT_FALSE(loadWisdom(bad)) << broken.substr(0, 60);
  }
  expectUnitImpulseGivesOnes(40);
  EXPECT_TRUE(loadWisdom(good));
}

TEST_F(WisdomTest, SavingWhereNothingCanBeWrittenReturnsFalseAndLeavesNothing) {
  EXPECT_FALSE(saveWisdom(folder_ / "no such folder" / "wisdom"));
  const fs::path taken = folder_ / "taken";
  fs::create_directories(taken / "inside");
  EXPECT_FALSE(saveWisdom(taken));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

}  // namespace
}  // namespace simscope::compute
