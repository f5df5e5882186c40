// Pictures of Netpbm's formats: the values that their pages state, and refusals that say where.
#include "sims/image/pnm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/core/testing/refusal.h"

namespace simscope::image {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

constexpr int kMost = 1000;

std::vector<float> valuesOf(const std::string& bytes) {
  EXPECT_TRUE(isPnm(bytes)) << bytes;
  return readPnm(bytes, kMost).values;
}
std::string refusalOf(const std::string& bytes) {
  return tests::refusal([&] { (void)readPnm(bytes, kMost); });
}

TEST(Pnm, TheLargestValueIsWhiteWhateverItIs) {
  EXPECT_THAT(valuesOf("P2\n3 1\n15\n0 3 15\n"), ElementsAre(0, 0.2f, 1));
  EXPECT_THAT(valuesOf("P5 3 1 15 \0\x03\x0f"s), ElementsAre(0, 0.2f, 1));
  EXPECT_THAT(valuesOf("P5 3 1 255 \0\x33\xff"s), ElementsAre(0, 0.2f, 1));
  EXPECT_THAT(valuesOf("P5 3 1 1000 \0\0\0\xc8\x03\xe8"s), ElementsAre(0, 0.2f, 1));
  EXPECT_THAT(valuesOf("P5 2 1 65535 \x33\x33\xff\xff"s), ElementsAre(0.2f, 1));
  EXPECT_THAT(valuesOf("P5 2 1 1 \0\x01"s), ElementsAre(0, 1));
}

TEST(Pnm, ColoursBecomeLuma) {
  const std::vector<float> luma = {0.299f, 0.587f, 0.114f, 1};
  EXPECT_THAT(valuesOf("P3 4 1 7  7 0 0  0 7 0  0 0 7  7 7 7"), Pointwise(FloatNear(1e-6f), luma));
  EXPECT_THAT(valuesOf("P6 4 1 7 \7\0\0\0\7\0\0\0\7\7\7\7"s), Pointwise(FloatNear(1e-6f), luma));
  EXPECT_THAT(valuesOf("P6 1 1 300 \1\x2c\0\0\0\0"s), Pointwise(FloatNear(1e-6f), std::vector<float>{0.299f}));
}

TEST(Pnm, OneIsBlackInABitmap) {
  EXPECT_THAT(valuesOf("P1\n3 2\n101\n0 1 0"), ElementsAre(0, 1, 0, 1, 0, 1));
  // Rows of nine bits take two bytes each.
  const std::vector<float> rows = valuesOf("P4\n9 2\n\x80\x80\x01\0"s);
  EXPECT_THAT(rows, ElementsAre(0, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 1));
}

TEST(Pnm, CommentsAreAllowedInTheHeaderAndMorePicturesBehindIt) {
  EXPECT_THAT(valuesOf("P2# by hand\n#\n2 # wide\r1\n4\n1 4"), ElementsAre(0.25f, 1));
  EXPECT_THAT(valuesOf("P5 1 1 2 \1P5 1 1 2 \2"), ElementsAre(0.5f));
  const GreyImage image = readPnm("P2 2 3 1 0 0 1 1 0 1", kMost);
  EXPECT_EQ(image.width, 2);
  EXPECT_EQ(image.height, 3);
}

TEST(Pnm, FaultsAreToldWithTheirPlace) {
  EXPECT_THAT(refusalOf("P5 x"), HasSubstr("width is no number from 1 to"));
  EXPECT_THAT(refusalOf("P5 2 0 255 "), HasSubstr("height is no number from 1 to"));
  EXPECT_THAT(refusalOf("P5 2 1 65536 aa"), HasSubstr("largest value is no number from 1 to 65535"));
  EXPECT_THAT(refusalOf("P2 2 1 0 0 0"), HasSubstr("largest value is no number from 1 to 65535"));
  EXPECT_THAT(refusalOf("P5 100 100 255 "), HasSubstr("100 × 100 pixels are too many"));
  EXPECT_THAT(refusalOf("P2 2 2 15 1 2 3 16"), HasSubstr("row 2, column 2 is no number from 0 to 15"));
  EXPECT_THAT(refusalOf("P5 2 2 15 \1\2\20\3"), HasSubstr("row 2, column 1 is 16; the header's largest value is 15"));
  EXPECT_THAT(refusalOf("P1 2 1 02"), HasSubstr("row 1, column 2 is neither 0 nor 1"));
  for (const char* early : {"P5 2 2 15 \1\2\3", "P2 2 2 15 1 2 3", "P2 2 2 15 1 2 3  ", "P6 1 1 9 ab", "P4 9 1 a",
                            "P1 2 2 10", "P5 2 2 256 abcdefg", "P5 2 2 255", "P1 3 1 1   ", "P3 1 1 9 1 2"}) {
    EXPECT_THAT(refusalOf(early), HasSubstr("ends in the middle")) << early;
  }
  for (const char* other : {"P7\n1 1", "P5", "PK\3\4", "P53 1 1"}) EXPECT_FALSE(isPnm(other)) << other;
}

}  // namespace
}  // namespace simscope::image
