#include "sims/image/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "sims/compute/error.h"
#include "sims/core/testing/folder.h"
#include "sims/foreign/words.h"
#include "sims/image/jpeg_tables.h"

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
using tests::contentOf;

class Image : public tests::InFolder {
 protected:
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
    const std::string file = (folder_ / name).string();
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
  ASSERT_TRUE(stbi_write_png((folder_ / "colours.png").string().c_str(), 4, 1, 4, pixels, 16));
  const GreyImage image = readGreyImage(folder_ / "colours.png");
  EXPECT_FLOAT_EQ(image.values[0], 0.299f);
  EXPECT_FLOAT_EQ(image.values[1], 0.587f);
  EXPECT_FLOAT_EQ(image.values[2], 0.114f);
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

// Zlib's format without compression.
std::string stored(const std::string& data) {
  std::uint32_t a = 1, b = 0;
  for (const char byte : data) {
    a = (a + static_cast<std::uint8_t>(byte)) % 65521;
    b = (b + a) % 65521;
  }
  const auto low = static_cast<char>(data.size() & 255), high = static_cast<char>(data.size() >> 8);
  std::string stream{'\x78', '\x01', '\x01', low, high, static_cast<char>(~low), static_cast<char>(~high)};
  stream += data;
  for (const std::uint32_t each : {b, a}) stream += {static_cast<char>(each >> 8), static_cast<char>(each)};
  return stream;
}

// The rows of a PNG, each after a byte for its filter.
std::string png(int width, int height, char depth, char colour, const std::string& rows) {
  const std::string size{0, 0, 0, static_cast<char>(width), 0, 0, 0, static_cast<char>(height)};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", size + depth + colour + std::string(3, '\0')) +
         chunk("IDAT", stored(rows)) + chunk("IEND", "");
}

TEST_F(Image, SixteenBitsOfAPngAreKept) {
  using namespace std::string_literals;
  const GreyImage grey = readGreyImage(write("grey16.png", png(3, 1, 16, 0, "\0\0\1\x80\0\xff\xff"s)));
  EXPECT_THAT(grey.values, testing::ElementsAre(1 / 65535.0f, 32768 / 65535.0f, 1));
  const GreyImage red = readGreyImage(write("red16.png", png(1, 1, 16, 2, "\0\x12\x34\0\0\0\0"s)));
  EXPECT_FLOAT_EQ(red.values[0], 0.299f * 0x1234 / 65535);
  // Half transparent black over white.
  const GreyImage clear = readGreyImage(write("clear16.png", png(1, 1, 16, 4, "\0\0\0\x80\0"s)));
  EXPECT_FLOAT_EQ(clear.values[0], 1 - 32768 / 65535.0f);
}

// Corners 0 (left) and 1 at the top, ⅓ and ⅔ at the bottom, 16 × 8 pixels, as a JPEG with the tag.
std::string photograph(const std::string& file, int orientation, bool big_endian) {
  using namespace std::string_literals;
  std::vector<std::uint8_t> grey;
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 16; ++x)
      grey.push_back(static_cast<std::uint8_t>(y < 4 ? (x < 8 ? 0 : 255) : x < 8 ? 85 : 170));
  }
  EXPECT_TRUE(stbi_write_jpg(file.c_str(), 16, 8, 1, grey.data(), 100));
  std::ifstream in(file, std::ios::binary);
  const std::string plain{std::istreambuf_iterator<char>(in), {}};
  const auto tag = static_cast<char>(orientation);
  // A directory of two entries: the width, and the orientation.
  const std::string tiff =
      big_endian ? "MM\0\x2a\0\0\0\x08\0\2\1\0\0\3\0\0\0\1\0\x10\0\0\1\x12\0\3\0\0\0\1\0"s + tag + "\0\0\0\0\0\0"s
                 : "II\x2a\0\x08\0\0\0\2\0\0\1\3\0\1\0\0\0\x10\0\0\0\x12\1\3\0\1\0\0\0"s + tag + "\0\0\0\0\0\0\0"s;
  const std::string segment = "Exif\0\0"s + tiff;
  return plain.substr(0, 2) + "\xff\xe1\0"s + static_cast<char>(segment.size() + 2) + segment + plain.substr(2);
}

TEST_F(Image, PhotographsAreTurnedAsExifSays) {
  // What is seen at the top left, top right, bottom left, and bottom right.
  const float a = 0, b = 1, c = 1 / 3.0f, d = 2 / 3.0f;
  const std::vector<std::vector<float>> seen = {{a, b, c, d}, {b, a, d, c}, {d, c, b, a}, {c, d, a, b},
                                                {a, c, b, d}, {c, a, d, b}, {d, b, c, a}, {b, d, a, c}};
  for (const bool big_endian : {false, true}) {
    for (int orientation = 0; orientation <= 9; ++orientation) {
      const GreyImage image =
          readGreyImage(write("turned.jpg", photograph((folder_ / "plain.jpg").string(), orientation, big_endian)));
      const bool across = orientation >= 5 && orientation <= 8;
      ASSERT_EQ(image.width, across ? 8 : 16) << orientation;
      ASSERT_EQ(image.height, across ? 16 : 8) << orientation;
      const auto at = [&](int x, int y) { return image.values[static_cast<std::size_t>(y * image.width + x)]; };
      const int right = image.width - 1, bottom = image.height - 1;
      const bool known = orientation >= 1 && orientation <= 8;
      const std::vector<float>& expected = seen[known ? static_cast<std::size_t>(orientation - 1) : 0];
      EXPECT_THAT((std::vector<float>{at(0, 0), at(right, 0), at(0, bottom), at(right, bottom)}),
                  testing::Pointwise(testing::FloatNear(0.02f), expected))
          << orientation;
    }
  }
}

TEST_F(Image, APngIsTurnedAsItsChunkSays) {
  using namespace std::string_literals;
  const std::string upright = png(2, 1, 8, 0, "\0\0\xff"s);
  const std::string exif = chunk("eXIf", "II\x2a\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0"s);
  const std::size_t end_of_header = 8 + 25;
  std::string turned = upright;
  turned.insert(end_of_header, exif);
  const GreyImage image = readGreyImage(write("turned.png", turned));
  EXPECT_EQ(image.width, 1);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.values, (std::vector<float>{0, 1}));
}

TEST_F(Image, DamagedExifIsReadOrIgnoredButNothingWorse) {
  const std::string whole = photograph((folder_ / "plain.jpg").string(), 6, false);
  constexpr std::size_t kExif = 42;  // from the segment's length on
  for (std::size_t at = 4; at < 4 + kExif; ++at) {
    for (const int flipped : {0xff, 0x80, 0x01, 0x5a}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flipped);
      try {
        const GreyImage image = readGreyImage(write("damaged.jpg", damaged));
        EXPECT_EQ(image.width * image.height, 128);
      } catch (const UsageError&) {
      }
    }
    EXPECT_NE(refusal(write("cut.jpg", whole.substr(0, at))), "accepted");
  }
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
  EXPECT_THAT(refusal(folder_ / "none.png"), HasSubstr("no such file"));
  EXPECT_THAT(refusal(folder_), HasSubstr("folder"));
  EXPECT_THAT(refusal({}), HasSubstr("no file is named"));
  EXPECT_THAT(refusal(write("empty.png", "")), HasSubstr("empty"));
  EXPECT_THAT(refusal(folder_ / "ramp.png/within"), HasSubstr("no such file"));
}

TEST_F(Image, WhatIsNoPictureIsRefused) {
  EXPECT_THAT(refusal(write("text.png", "This is a letter, not a picture.")), HasSubstr("not a picture"));
  EXPECT_THAT(refusal(write("one.png", "\x89")), HasSubstr("not a picture"));
}

// A PNG of 1 × 1 pixel, after its header the chunks given.
std::string smallPng(const std::string& chunks) {
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", std::string("\0\0\0\1\0\0\0\1\x08\0\0\0\0", 13)) + chunks;
}

TEST_F(Image, OtherFormatsAndAnimationsAreRefusedByName) {
  using namespace std::string_literals;
  const std::string webp = "RIFF\x1a\0\0\0WEBPVP8X\x0a\0\0\0"s, rle = "BM"s + std::string(12, '\0') + "\x28\0\0\0"s;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"GIF89a\x01\x01", "a GIF, perhaps an animation; save one of its pictures as PNG"},
      {smallPng(chunk("acTL", "\0\0\0\x05\0\0\0\0"s)), "an animated PNG of 5 pictures; save one of its"},
      {webp + "\x02" + std::string(9, '\0'), "an animated WebP; save one of its pictures as PNG"},
      {webp + std::string(10, '\0'), "a WebP picture; save it as PNG"},
      {rle + std::string(12, '\0') + "\x01\0\0\0"s + std::string(30, '\0'), "a BMP with run-length encoding"},
      {"\0\0\0\x1c"
       "ftypisom"s,
       "a film; save one of its pictures as PNG"},
      {"II\x2a\0\x08\0\0\0"s, "a TIFF picture; save it as PNG"},
      {"<svg xmlns=", "an SVG drawing"},
      {"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- drawn -->\n<svg/>", "an SVG drawing; save it as PNG"},
      {"\n<!DOCTYPE html><html/>", "a web page"},
      {"MM\0\x2b\0\x08\0\0"s, "a TIFF picture; save it as PNG"},
      {"\0\0\0\x18"
       "ftypmsf1"s,
       "an animated HEIF; save one of its pictures as PNG"},
      {"\0\0\1\0\1\0"s, "an icon"},
      {"\x93NUMPY\x01\0"s, "a NumPy array; save it as PNG"},
      {"PK\3\4\x14\0"s, "an archive; unpack it"},
      {"\x1f\x8b\x08"s, "a compressed file; unpack it"},
  };
  for (const auto& [bytes, words] : cases) EXPECT_THAT(refusal(write("other", bytes)), HasSubstr("this is " + words));
  // A still picture may be written as an animation of one.
  EXPECT_THAT(refusal(write("still", smallPng(chunk("acTL", "\0\0\0\x01\0\0\0\0"s)))), HasSubstr("damaged"));
}

TEST_F(Image, AChunkIsNamedInWordsThatATerminalCanShow) {
  const std::string words = refusal(write("chunk.png", smallPng(chunk("A\x1b[m", ""))));
  EXPECT_THAT(words, HasSubstr("damaged"));
  EXPECT_EQ(foreign::findControl(words), std::string::npos) << words;
}

TEST_F(Image, AJpegBehindOtherBytesIsNone) {
  EXPECT_THAT(refusal(write("behind.jpg", "\xff" + contentOf(ramp("ramp.jpg")))), HasSubstr("not a picture"));
}

TEST(JpegTables, HaveAtMost256Codes) {
  const auto table = [](std::vector<int> codes_by_length, std::size_t symbols) {
    codes_by_length.resize(16);
    std::string text(1, '\0');
    for (const int codes : codes_by_length) text += static_cast<char>(codes);
    return text + std::string(symbols, '\0');
  };
  EXPECT_TRUE(codesAreSound(""));
  EXPECT_TRUE(codesAreSound(table({0, 1, 5, 1}, 7)));
  EXPECT_TRUE(codesAreSound(table({0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 1}, 256) + table({1}, 1)));
  EXPECT_FALSE(codesAreSound(table({0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 2}, 257)));
  EXPECT_FALSE(codesAreSound(table({0, 1, 5, 1}, 7) + "?"));
}

TEST_F(Image, EveryTruncationIsRefused) {
  for (const std::string& name : kNames) {
    const std::string whole = contentOf(ramp(name));
    for (std::size_t length = 1; length + 12 < whole.size(); length += 1 + whole.size() / 60) {
      EXPECT_NE(refusal(write("cut_" + name, whole.substr(0, length))), "accepted") << name << " of " << length;
    }
  }
}

TEST_F(Image, DamagedBytesAreReadOrRefusedButNothingWorse) {
  for (const std::string& name : kNames) {
    const std::string whole = contentOf(ramp(name));
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
  std::string png = contentOf(ramp("ramp.png"));
  png.replace(16, 8, std::string("\0\0\x40\0\0\0\x40\0", 8));  // 16384 × 16384 in the header
  EXPECT_THAT(refusal(write("huge.png", png)), HasSubstr("16384 × 16384 pixels are too many"));
  png.replace(16, 8, std::string("\0\xff\xff\xff\0\xff\xff\xff", 8));
  EXPECT_NE(refusal(write("vast.png", png)), "accepted");
  png.replace(16, 8, std::string(8, '\0'));
  EXPECT_NE(refusal(write("nothing.png", png)), "accepted");
}

}  // namespace
}  // namespace simscope::image
