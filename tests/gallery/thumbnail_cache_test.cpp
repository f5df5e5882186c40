#include "app/gui/gallery/thumbnail_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "sims/core/registry.h"
#include "tests/gallery/gallery_testing.h"

namespace simscope::gallery {
namespace {

Picture sample(const Look& look) {
  Picture picture{look.width, look.height, {}};
  for (int i = 0; i < look.width * look.height * 3; ++i) picture.rgb.push_back(static_cast<std::uint8_t>(i * 7));
  return picture;
}

class Caching : public ::testing::Test {
 protected:
  const Folder folder_;
  const Look look_{.width = 64, .height = 48};
  const Subject subject_{simulations().front(), simulations().front()->presets.front().key, {}};
  const Resolved resolved_ = resolve(subject_);
};

TEST_F(Caching, GivesBackThePixelsThatItWasGiven) {
  const ThumbnailCache cache(folder_, "1");
  const std::filesystem::path file = cache.fileOf(subject_, resolved_, look_);
  EXPECT_FALSE(ThumbnailCache::read(file, look_));
  cache.write(file, sample(look_));
  const std::optional<Picture> found = ThumbnailCache::read(file, look_);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rgb, sample(look_).rgb);
}

TEST_F(Caching, AnotherBuildPresetLookOrFileVersionHasAnotherPicture) {
  const auto file = ThumbnailCache(folder_, "1").fileOf(subject_, resolved_, look_);
  EXPECT_EQ(ThumbnailCache(folder_, "1").fileOf(subject_, resolved_, look_), file);
  EXPECT_NE(ThumbnailCache(folder_, "2").fileOf(subject_, resolved_, look_), file);
  Subject other = subject_;
  other.preset = subject_.description->presets[1].key;
  EXPECT_NE(ThumbnailCache(folder_, "1").fileOf(other, resolve(other), look_), file);
  Look light = look_;
  light.theme = render::Theme::Light;
  EXPECT_NE(ThumbnailCache(folder_, "1").fileOf(subject_, resolved_, light), file);
  Look large = look_;
  large.width *= 2;
  EXPECT_NE(ThumbnailCache(folder_, "1").fileOf(subject_, resolved_, large), file);
  Resolved later = resolved_;
  later.version = "another";
  EXPECT_NE(ThumbnailCache(folder_, "1").fileOf(subject_, later, look_), file);
  Resolved changed = resolved_;
  changed.scene.seed = 77;
  EXPECT_NE(ThumbnailCache(folder_, "1").fileOf(subject_, changed, look_), file);
}

TEST_F(Caching, WhatIsDamagedOrOfAnotherSizeIsNotThere) {
  const ThumbnailCache cache(folder_, "1");
  const std::filesystem::path file = cache.fileOf(subject_, resolved_, look_);
  cache.write(file, sample(look_));
  EXPECT_FALSE(ThumbnailCache::read(file, {.width = 64, .height = 49}));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_FALSE(ThumbnailCache::read(file, look_));
  std::ofstream(file) << "no picture";
  EXPECT_FALSE(ThumbnailCache::read(file, look_));
}

TEST_F(Caching, TheOldestGoWhereThereAreTooMany) {
  const ThumbnailCache cache(folder_, "1");
  const auto now = std::filesystem::file_time_type::clock::now();
  for (int i = 0; i < 5; ++i) {
    const std::filesystem::path file = folder_.path() / (std::to_string(i) + ".png");
    std::ofstream(file) << i;
    std::filesystem::last_write_time(file, now - std::chrono::hours(i));
  }
  std::ofstream(folder_.path() / "other.json") << "{}";
  cache.prune(2);
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "1.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "2.png"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "4.png"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "other.json"));
}

TEST_F(Caching, WithoutAFolderNothingIsKept) {
  const ThumbnailCache cache({}, "1");
  EXPECT_TRUE(cache.fileOf(subject_, resolved_, look_).empty());
  cache.write({}, sample(look_));
  EXPECT_FALSE(ThumbnailCache::read({}, look_));
}

TEST(ThisBuild, IsTheSameWhileTheProgramRuns) {
  EXPECT_EQ(thisBuild(), thisBuild());
  EXPECT_NE(thisBuild(), "unknown");
}

}  // namespace
}  // namespace simscope::gallery
