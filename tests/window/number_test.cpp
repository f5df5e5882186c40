#include <gtest/gtest.h>

#include <limits>

#include "app/gui/widgets/widgets.h"

namespace simscope::gui {
namespace {

TEST(Numbers, ShortNumbersHaveFourDigits) {
  EXPECT_EQ(shortNumber(0), "0");
  EXPECT_EQ(shortNumber(0.56021), "0.5602");
  EXPECT_EQ(shortNumber(0.99999), "1.000");
  EXPECT_EQ(shortNumber(2.00495), "2.005");
  EXPECT_EQ(shortNumber(-60), "-60.00");
  EXPECT_EQ(shortNumber(1234.4), "1234");
  EXPECT_EQ(shortNumber(99999.6), "100000");
  EXPECT_EQ(shortNumber(1.23e-7), "1.23e-07");
  EXPECT_EQ(shortNumber(std::numeric_limits<double>::quiet_NaN()), "n/a");
}

TEST(Numbers, LabelsDropZerosAtTheEnd) {
  EXPECT_EQ(labelNumber(0.8), "0.8");
  EXPECT_EQ(labelNumber(1), "1");
  EXPECT_EQ(labelNumber(100), "100");
  EXPECT_EQ(labelNumber(1.5e-9), "1.50e-09");
}

TEST(Numbers, BytesHaveDecimalUnits) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(999.9), "1.0 kB");
  EXPECT_EQ(bytesText(1500), "1.5 kB");
  EXPECT_EQ(bytesText(2.5e6), "2.5 MB");
}

}  // namespace
}  // namespace simscope::gui
