// Hints: one after the other; a dismissed hint does not come back.
#include "app/session/stored/hints.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace simscope {
namespace {

class HintsTest : public testing::Test {
 protected:
  void SetUp() override {
    unsetenv("SIMSCOPE_HINTS");
    folder_ = std::filesystem::temp_directory_path() / ("simscope-hints-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(HintsTest, ComeInTheirOrderAndStayDismissed) {
  Hints hints(folder_);
  std::size_t shown = 0;
  for (; const Hint* hint = hints.next(2); ++shown) {
    EXPECT_STREQ(hint->name, allHints()[shown].name);
    hints.dismiss(hint->name);
  }
  EXPECT_EQ(shown, allHints().size());
  EXPECT_EQ(Hints(folder_).next(2), nullptr) << "in the next start, too";
  hints.bringBack();
  EXPECT_NE(Hints(folder_).next(2), nullptr);
}

TEST_F(HintsTest, OneWindowDoesNotBringBackWhatAnotherDismissed) {
  Hints one(folder_), other(folder_);
  one.dismiss("play");
  other.dismiss("figure");
  const Hint* const next = Hints(folder_).next(2);
  ASSERT_NE(next, nullptr);
  EXPECT_STREQ(next->name, "parameters");
}

TEST_F(HintsTest, OfDevicesWhereThereAreTwo) {
  Hints hints(folder_);
  for (const Hint& each : allHints()) {
    if (each.place != Hint::Place::Device) hints.dismiss(each.name);
  }
  EXPECT_EQ(hints.next(1), nullptr);
  EXPECT_NE(hints.next(2), nullptr);
  hints.dismissAll();
  EXPECT_EQ(hints.next(2), nullptr);
}

TEST_F(HintsTest, ADamagedFileAndNoFolderAreNoReasonToStop) {
  std::ofstream(folder_ / "hints.json") << "{ not a list";
  EXPECT_NE(Hints(folder_).next(1), nullptr);
  Hints nowhere("");
  nowhere.dismissAll();
  EXPECT_EQ(nowhere.next(1), nullptr);
  setenv("SIMSCOPE_HINTS", "off", 1);
  EXPECT_EQ(Hints("").next(1), nullptr);
  unsetenv("SIMSCOPE_HINTS");
}

}  // namespace
}  // namespace simscope
