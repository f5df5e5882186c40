#include <gtest/gtest.h>

#include <fstream>

#include "app/gui/gallery/gallery_settings.h"
#include "tests/gallery/gallery_testing.h"

namespace simscope::gallery {
namespace {

TEST(GallerySettings, ComeBackAsTheyWereWritten) {
  const Folder folder;
  EXPECT_EQ(readSettings(folder), Settings{});
  const Settings wanted{.attract = false, .attract_after = 12};
  writeSettings(folder, wanted);
  EXPECT_EQ(readSettings(folder), wanted);
}

TEST(GallerySettings, DamagedOnesAreTheDefaultsAndTimesStayInTheirRange) {
  const Folder folder;
  const auto write = [&](const char* text) { std::ofstream(folder.path() / "gallery.json") << text; };
  for (const char* text : {"", "{", "[1]", R"({"attract": 3, "attract_after": "soon"})"}) {
    write(text);
    EXPECT_EQ(readSettings(folder), Settings{}) << text;
  }
  write(R"({"attract_after": -5})");
  EXPECT_EQ(readSettings(folder).attract_after, 1);
  write(R"({"attract_after": 1e300})");
  EXPECT_EQ(readSettings(folder).attract_after, 3600);
}

TEST(GallerySettings, WithoutAFolderNothingIsKept) {
  writeSettings({}, {.attract = false});
  EXPECT_EQ(readSettings({}), Settings{});
}

}  // namespace
}  // namespace simscope::gallery
