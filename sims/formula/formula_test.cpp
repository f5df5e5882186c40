// What a typed formula means, and which are refused with what to write instead.
#include "sims/formula/formula.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sims/core/parameters.h"

namespace simscope::formula {
namespace {

using testing::HasSubstr;

std::string refusalOf(const std::string& text) {
  try {
    requireSound(text, {"x", "y"});
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(AFormula, WithAChainOfComparisonsIsRefusedWithWhatToWrite) {
  const std::pair<const char*, const char*> chains[] = {
      {"-1<x<1", "column 5: comparisons do not chain; write -1 < x && x < 1"},
      {"0 < x <= 2 ? 3 : 0", "column 7: comparisons do not chain; write 0 < x && x <= 2"},
      {"4*(abs(x) > 1 > y)", "column 15: comparisons do not chain; write abs(x) > 1 && 1 > y"},
      {"x > 0 && -1 < y < 1 < x", "column 17: comparisons do not chain; write -1 < y && y < 1 && 1 < x"},
      {"x == y == 1", "column 8: comparisons do not chain; write x == y && y == 1"},
      {"max(0, 1 >= x > 0)", "column 15: comparisons do not chain; write 1 >= x && x > 0"},
  };
  for (const auto& [text, message] : chains) EXPECT_THAT(refusalOf(text), HasSubstr(message)) << text;
}

TEST(AFormula, WithSeveralComparisonsThatAreNoChainIsTaken) {
  for (const char* text : {"x>-1 && x<1", "(x<1) == (y<1)", "x<0 ? 1 : x<1 ? 2 : 3", "max(x<1, x>0)",
                           "abs(x)>2&&abs(x)<3.6 ? 4 : 0", "(x>0)*(x<1)", "x>0 || y>0 && x!=y"}) {
    EXPECT_EQ(refusalOf(text), "") << text;
  }
  Formula between("x>-1 && x<1", {"x", "y"});
  EXPECT_EQ(between.at({0, 0}), 1);
  EXPECT_EQ(between.at({-3, 0}), 0);
}

}  // namespace
}  // namespace simscope::formula
