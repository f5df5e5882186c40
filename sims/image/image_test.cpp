#include "sims/image/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "sims/compute/error.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace simscope::image {
namespace {

using testing::HasSubstr;

// A folder of its own for every test, gone afterwards.
class Image : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "simscope_image_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  static std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // What the refusal says; every one names the file and what is accepted.
  static std::string refusal(const std::filesystem::path& file) {
    try {
      (void)readGreyImage(file);
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("'" + file.string() + "'"));
      EXPECT_THAT(error.what(), HasSubstr("PNG, JPEG"));
      return error.what();
    }
    return "accepted";
  }
  // A ramp from black to white over the columns of an odd-sized picture, in each of the formats.
  std::filesystem::path ramp(const std::string& name) const {
    constexpr int kWidth = 17, kHeight = 9;
    std::vector<std::uint8_t> grey;
    for (int i = 0; i < kWidth * kHeight; ++i)
      grey.push_back(static_cast<std::uint8_t>(i % kWidth * 255 / (kWidth - 1)));
    const std::string file = path(name).string();
    if (name.ends_with(".png")) {
      EXPECT_TRUE(stbi_write_png(file.c_str(), kWidth, kHeight, 1, grey.data(), kWidth));
    } else if (name.ends_with(".jpg")) {
      EXPECT_TRUE(stbi_write_jpg(file.c_str(), kWidth, kHeight, 1, grey.data(), 95));
    } else if (name.ends_with(".bmp")) {
      EXPECT_TRUE(stbi_write_bmp(file.c_str(), kWidth, kHeight, 1, grey.data()));
    } else {
      write(name, "P5\n17 9\n255\n" + std::string(grey.begin(), grey.end()));
    }
    return file;
  }

 private:
  std::filesystem::path folder_;
};

const std::vector<std::string> kNames = {"ramp.png", "ramp.jpg", "ramp.bmp", "ramp.pgm"};

TEST_F(Image, OddSizedRampReadsAlikeInEveryFormat) {
  for (const std::string& name : kNames) {
    const GreyImage image = readGreyImage(ramp(name));
    ASSERT_EQ(image.width, 17) << name;
    ASSERT_EQ(image.height, 9) << name;
    ASSERT_EQ(image.values.size(), 17u * 9u) << name;
    for (std::size_t i = 0; i < image.values.size(); ++i) {
      EXPECT_NEAR(image.values[i], static_cast<float>(i % 17) / 16, name == "ramp.jpg" ? 0.03 : 0.005) << name;
    }
  }
}

TEST_F(Image, FirstRowIsTheTop) {
  const GreyImage image = readGreyImage(write("two.pgm", std::string("P5\n1 2\n255\n\xff\0", 13)));
  EXPECT_EQ(image.values, (std::vector<float>{1, 0}));
}

TEST_F(Image, ColoursBecomeLumaAndTransparencyIsWhite) {
  const std::uint8_t pixels[] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 0, 0, 0};
  ASSERT_TRUE(stbi_write_png(path("colours.png").string().c_str(), 4, 1, 4, pixels, 16));
  const GreyImage image = readGreyImage(path("colours.png"));
  EXPECT_NEAR(image.values[0], 0.299, 0.005);
  EXPECT_NEAR(image.values[1], 0.587, 0.005);
  EXPECT_NEAR(image.values[2], 0.114, 0.005);
  EXPECT_EQ(image.values[3], 1);
}

// A PNG's chunk with its length and check sum.
std::string chunk(const std::string& type, const std::string& data) {
  const auto big = [](std::uint32_t value) {
    return std::string{static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
                       static_cast<char>(value)};
  };
  std::uint32_t sum = 0xffffffffu;
  for (const char byte : type + data) {
    sum ^= static_cast<std::uint8_t>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1u) ? 0xedb88320u ^ (sum >> 1) : sum >> 1;
  }
  return big(static_cast<std::uint32_t>(data.size())) + type + data + big(sum ^ 0xffffffffu);
}

// Most memory that the process has held, in bytes.
std::size_t peakMemory() {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    if (word != "VmHWM:") continue;
    std::size_t kilobytes = 0;
    in >> kilobytes;
    return kilobytes * 1024;
  }
  return 0;
}

// Deflate makes 258 zeros of two bits: a small file would become gigabytes before anybody saw that 4 × 4 pixels are
// full.
TEST_F(Image, CompressedDataGrowNoLargerThanTheHeaderSays) {
  // The final block of fixed codes as bits, lowest first: 1, then 01; literal 0 is 00110000; length 258 is 11000101;
  // distance 1 is 00000. Fourteen bits a run.
  std::string stream;
  int filled = 0;
  unsigned char byte = 0;
  const auto put = [&](const std::string& code) {
    for (const char bit : code) {
      byte = static_cast<unsigned char>(byte | (bit == '1' ? 1u << filled : 0u));
      if (++filled == 8) {
        stream += static_cast<char>(byte);
        byte = 0;
        filled = 0;
      }
    }
  };
  put("110");
  put("00110000");
  constexpr int kRuns = 2'000'000;  // 516 MB
  for (int i = 0; i < kRuns; ++i) put("1100010100000");
  put("0000000");
  put("0000000");
  const std::string header("\0\0\0\4\0\0\0\4\x08\0\0\0\0", 13);
  const std::string file = "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) +
                           chunk("IDAT", std::string("\x78\x01", 2) + stream + std::string(4, '\0')) +
                           chunk("IEND", "");
  const std::filesystem::path bomb = write("bomb.png", file);
  const std::size_t before = peakMemory();
  EXPECT_THAT(refusal(bomb), HasSubstr("damaged"));
  EXPECT_LT(peakMemory() - before, std::size_t{64} << 20);
  EXPECT_EQ(readGreyImage(ramp("ramp.png")).width, 17) << "the next one is read as ever";
}

TEST_F(Image, MissingFilesFoldersAndEmptyFilesAreRefusedByName) {
  EXPECT_THAT(refusal(path("none.png")), HasSubstr("no such file"));
  EXPECT_THAT(refusal(path("")), HasSubstr("folder"));
  EXPECT_THAT(refusal({}), HasSubstr("no file is named"));
  EXPECT_THAT(refusal(write("empty.png", "")), HasSubstr("empty"));
  EXPECT_THAT(refusal(path("ramp.png") / "within"), HasSubstr("no such file"));
}

TEST_F(Image, WhatIsNoPictureIsRefused) {
  EXPECT_THAT(refusal(write("text.png", "This is a letter, not a picture.")), HasSubstr("not a picture"));
  EXPECT_THAT(refusal(write("one.png", "\x89")), HasSubstr("not a picture"));
  EXPECT_THAT(refusal(write("gif.gif", "GIF89a\x01\x01")), HasSubstr("not a picture"));
}

TEST_F(Image, EveryTruncationIsRefused) {
  for (const std::string& name : kNames) {
    const std::string whole = bytesOf(ramp(name));
    for (std::size_t length = 1; length + 12 < whole.size(); length += 1 + whole.size() / 60) {
      EXPECT_NE(refusal(write("cut_" + name, whole.substr(0, length))), "accepted") << name << " of " << length;
    }
  }
}

TEST_F(Image, DamagedBytesAreReadOrRefusedButNothingWorse) {
  for (const std::string& name : kNames) {
    const std::string whole = bytesOf(ramp(name));
    for (std::size_t at = 0; at < whole.size(); at += 1 + whole.size() / 200) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x5a);
      const std::filesystem::path file = write("damaged_" + name, damaged);
      try {
        const GreyImage image = readGreyImage(file);
        EXPECT_EQ(image.values.size(), static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
      } catch (const UsageError&) {
      }
    }
  }
}

TEST_F(Image, SizeIsBoundedByTheHeaderBeforeAnythingIsDecoded) {
  EXPECT_THAT(refusal(write("huge.pgm", "P5\n100000 100000\n255\n")), HasSubstr("100000 × 100000 pixels are too many"));
  std::string png = bytesOf(ramp("ramp.png"));
  png.replace(16, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));  // 16384 × 16384 in the header
  EXPECT_THAT(refusal(write("huge.png", png)), HasSubstr("16384 × 16384 pixels are too many"));
  png.replace(16, 8, std::string("\0\xff\xff\xff\0\xff\xff\xff", 8));
  EXPECT_NE(refusal(write("vast.png", png)), "accepted");
  png.replace(16, 8, std::string(8, '\0'));
  EXPECT_NE(refusal(write("nothing.png", png)), "accepted");
}

}  // namespace
}  // namespace simscope::image
