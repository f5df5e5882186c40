#include "sims/image/bmp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sims/core/testing/refusal.h"

namespace simscope::image {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

std::string little(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i);
  return text;
}

struct Parts {
  int width = 2, height = 2;  // below 0: rows from above
  std::uint32_t bits = 24, encoding = 0, header = 40;
  std::string masks = {}, table = {}, data = {};
};

std::string bmp(const Parts& p) {
  std::string header = little(p.header, 4);
  if (p.header == 12) {
    header += little(static_cast<std::uint32_t>(p.width), 2) + little(static_cast<std::uint32_t>(p.height), 2) +
              little(1, 2) + little(p.bits, 2);
  } else {
    header += little(static_cast<std::uint32_t>(p.width), 4) + little(static_cast<std::uint32_t>(p.height), 4) +
              little(1, 2) + little(p.bits, 2) + little(p.encoding, 4) + std::string(12, '\0') +
              little(static_cast<std::uint32_t>(p.table.size() / 4), 4) + std::string(4, '\0') + p.masks;
    if (header.size() < p.header) header.resize(p.header);
  }
  const auto begin = static_cast<std::uint32_t>(14 + header.size() + p.table.size());
  return "BM" + little(begin + static_cast<std::uint32_t>(p.data.size()), 4) + little(0, 4) + little(begin, 4) +
         header + p.table + p.data;
}

GreyImage read(const Parts& parts) {
  return readBmp(bmp(parts), 1 << 20);
}
std::string refusal(const std::string& bytes) {
  return tests::refusal([&] { (void)readBmp(bytes, 1 << 20); });
}

std::string greys(std::initializer_list<int> levels, int bytes) {
  std::string table;
  for (const int level : levels) table += std::string(3, static_cast<char>(level)) + std::string(bytes - 3, '\0');
  return table;
}
std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

TEST(Bmp, ColourTablesOfEveryDepthGiveTheSamePicture) {
  // Black, white, white in the lower row, grey 51, black, grey 51 in the upper one; rows of four bytes.
  const std::vector<float> wanted = {0.2f, 0, 0.2f, 0, 1, 1};
  const std::string table = greys({0, 255, 51}, 4);
  Parts parts{.width = 3, .bits = 8, .table = table, .data = bytes({0, 1, 1, 0, 2, 0, 2, 0})};
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), wanted));
  parts.bits = 4;
  parts.data = bytes({0x01, 0x10, 0, 0, 0x20, 0x20, 0, 0});
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), wanted));
  parts.bits = 2;
  parts.data = bytes({0b00010100, 0, 0, 0, 0b10001000, 0, 0, 0});
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), wanted));
  parts.header = 12;
  parts.bits = 4;
  parts.table = greys({0, 255, 51, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3);
  parts.data = bytes({0x01, 0x10, 0, 0, 0x20, 0x20, 0, 0});
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), wanted));
}

TEST(Bmp, OneBitTakesItsColoursFromTheTable) {
  Parts parts{.width = 9, .height = 1, .bits = 1, .table = greys({255, 0}, 4), .data = bytes({0b01010101, 0x80, 0, 0})};
  EXPECT_THAT(read(parts).values, ElementsAre(1, 0, 1, 0, 1, 0, 1, 0, 0));
  parts.header = 12;
  parts.table = greys({0, 255}, 3);
  EXPECT_THAT(read(parts).values, ElementsAre(0, 1, 0, 1, 0, 1, 0, 1, 1));
}

TEST(Bmp, RowsMayBeginAbove) {
  const std::string rows = greys({255, 0}, 3) + bytes({0, 0}) + greys({0, 0}, 3) + bytes({0, 0});
  EXPECT_THAT(read({.height = -2, .data = rows}).values, ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(read({.height = 2, .data = rows}).values, ElementsAre(0, 0, 1, 0));
  EXPECT_EQ(read({.height = -2, .data = rows}).height, 2);
}

TEST(Bmp, SamplesOfFiveAndSixBitsReachWhite) {
  Parts parts{.height = 1, .bits = 16, .data = little(0x7fff, 2) + little(0x7c00, 2)};
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), {1.0f, 0.299f}));
  parts.encoding = 3;
  parts.masks = little(0xf800, 4) + little(0x7e0, 4) + little(0x1f, 4);
  parts.data = little(0xffff, 2) + little(1 << 5, 2);
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), {1.0f, 0.587f / 63}));
}

TEST(Bmp, AlphaCountsWhereItHasAMaskAndIsNotEverywhereZero) {
  const std::string black_and_half = little(0xff000000, 4) + little(0x80000000, 4);
  // The fourth byte is unused in a header of 40 bytes without masks.
  Parts parts{.height = 1, .bits = 32, .data = black_and_half};
  EXPECT_THAT(read(parts).values, ElementsAre(0, 0));
  parts.encoding = 3;
  parts.header = 108;
  parts.masks = little(0xff0000, 4) + little(0xff00, 4) + little(0xff, 4) + little(0xff000000, 4);
  EXPECT_THAT(read(parts).values, Pointwise(FloatNear(1e-6f), {0.0f, 127.0f / 255}));
  parts.data = little(0, 4) + little(0xffffff, 4);
  EXPECT_THAT(read(parts).values, ElementsAre(0, 1));
}

TEST(Bmp, RefusalsSayWhatIsWrong) {
  const std::string data(16, '\0');
  EXPECT_THAT(refusal(bmp({.width = 0, .data = data})), HasSubstr("0 × 2 pixels is empty"));
  EXPECT_THAT(refusal(bmp({.width = -3, .data = data})), HasSubstr("-3 × 2 pixels is empty"));
  EXPECT_THAT(refusal(bmp({.width = 2000, .height = 2000, .data = data})), HasSubstr("too many"));
  // A few bytes that state a million pixels.
  EXPECT_THAT(refusal(bmp({.width = 1000, .height = 1000, .data = data})), HasSubstr("in the middle of the picture"));
  EXPECT_THAT(refusal(bmp({.bits = 12, .data = data})), HasSubstr("12 bits a pixel"));
  EXPECT_THAT(refusal(bmp({.bits = 24, .encoding = 7, .data = data})), HasSubstr("encoding 7 of 24 bits"));
  EXPECT_THAT(refusal(bmp({.bits = 8, .table = greys({0, 255}, 4), .data = bytes({0, 1, 0, 0, 0, 2, 0, 0})})),
              HasSubstr("row 1, column 2 has colour 2 of a table of 2"));
  EXPECT_THAT(refusal(bmp({.bits = 32,
                           .encoding = 3,
                           .masks = little(0xf0f000, 4) + little(0xf00, 4) + little(0xff, 4),
                           .data = data})),
              HasSubstr("masks"));
  const std::string whole = bmp({.data = data});
  EXPECT_EQ(refusal(whole), "");
  for (std::size_t length = 2; length + 2 < whole.size(); ++length) {
    EXPECT_NE(refusal(whole.substr(0, length)), "") << length;
  }
}

}  // namespace
}  // namespace simscope::image
