#include "app/gui/gallery/thumbnails.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "app/render/gl/gl_context.h"
#include "sims/core/registry.h"
#include "tests/gallery/gallery_testing.h"

namespace simscope::gallery {
namespace {

class ThumbnailsTest : public ::testing::Test {
 protected:
  render::HeadlessContext context_;
  const Folder folder_;
  const Look look_{.width = 176, .height = 110};

  template <class Condition>
  void until(Thumbnails& thumbnails, const std::vector<Subject>& all, const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "the pictures do not come";
      thumbnails.want(all, {0, all.size()}, 0, look_);
      thumbnails.advance();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::size_t files() const {
    std::size_t count = 0;
    const auto pictures = folder_.path() / "thumbnails";
    if (!std::filesystem::exists(pictures)) return 0;
    for (const auto& each : std::filesystem::directory_iterator(pictures)) count += each.path().extension() == ".png";
    return count;
  }
  std::vector<std::uint8_t> pixels(const Thumbnails& thumbnails, const Subject& subject) const {
    std::vector<std::uint8_t> rgba(static_cast<std::size_t>(look_.width * look_.height * 4));
    glGetTextureImage(thumbnails.find(subject)->texture.get(), 0, GL_RGBA, GL_UNSIGNED_BYTE,
                      static_cast<GLsizei>(rgba.size()), rgba.data());
    return rgba;
  }
};

std::vector<Subject> firstOf(std::size_t count) {
  std::vector<Subject> subjects;
  for (std::size_t i = 0; i < count; ++i) {
    subjects.push_back({simulations()[i], simulations()[i]->presets.front().key, {}});
  }
  return subjects;
}

TEST_F(ThumbnailsTest, AreMadeKeptAndReadAgainWithTheSamePixels) {
  const std::vector<Subject> all = firstOf(2);
  std::vector<std::uint8_t> made;
  {
    Thumbnails thumbnails("cpu", 1, folder_);
    EXPECT_EQ(thumbnails.find(all[0]), nullptr);
    until(thumbnails, all, [&] { return thumbnails.count(Stage::Done) == 2 && files() == 2; });
    made = pixels(thumbnails, all[0]);
    EXPECT_NE(made, pixels(thumbnails, all[1]));
  }
  {
    Thumbnails again("cpu", 1, folder_);
    until(again, all, [&] { return again.count(Stage::Done) == 2; });
    EXPECT_EQ(pixels(again, all[0]), made);
  }
  // Pictures on the disk are used: nothing is computed again.
  Picture grey{look_.width, look_.height, {}};
  grey.rgb.assign(static_cast<std::size_t>(look_.width * look_.height * 3), 100);
  const ThumbnailCache cache(folder_.path() / "thumbnails", "any");
  for (const auto& each : std::filesystem::directory_iterator(folder_.path() / "thumbnails")) {
    cache.write(each.path(), grey);
  }
  Thumbnails kept("cpu", 1, folder_);
  until(kept, all, [&] { return kept.count(Stage::Done) == 2; });
  EXPECT_EQ(pixels(kept, all[0]), pixels(kept, all[1]));
  EXPECT_EQ(pixels(kept, all[0])[0], 100);
}

TEST_F(ThumbnailsTest, ThePictureIsOfARunThatIsWellUnderWay) {
  // One that no processor plays to its end in the time of a draft.
  const std::vector<Subject> all = {{&simulationById("nbody"), "two_galaxies", {}}};
  Thumbnails thumbnails("cpu", 1, folder_);
  std::vector<std::uint8_t> draft;
  until(thumbnails, all, [&] { return thumbnails.stage(all[0]) != Stage::None; });
  if (thumbnails.stage(all[0]) == Stage::Draft) draft = pixels(thumbnails, all[0]);
  until(thumbnails, all, [&] { return thumbnails.stage(all[0]) == Stage::Done; });
  EXPECT_NE(pixels(thumbnails, all[0]), draft);
  EXPECT_GT(tellingStep(resolve(all[0]).scene), 0);
}

TEST_F(ThumbnailsTest, AFileThatIsNoSceneSaysWhyAndTheOthersCome) {
  std::ofstream(folder_.path() / "broken.json") << "{";
  std::vector<Subject> all = firstOf(1);
  all.insert(all.begin(), Subject{nullptr, {}, folder_.path() / "broken.json"});
  Thumbnails thumbnails("cpu", 1, folder_);
  until(thumbnails, all, [&] { return thumbnails.stage(all[1]) == Stage::Done; });
  EXPECT_EQ(thumbnails.stage(all[0]), Stage::Failed);
  EXPECT_NE(thumbnails.find(all[0])->failure.find("broken.json"), std::string::npos);
}

TEST_F(ThumbnailsTest, ASceneFileHasThePictureOfItsScene) {
  const std::vector<Subject> preset = firstOf(1);
  Scene scene = resolve(preset[0]).scene;
  std::ofstream(folder_.path() / "mine.json") << toJson(scene);
  const std::vector<Subject> all = {preset[0], {nullptr, {}, folder_.path() / "mine.json"}};
  Thumbnails thumbnails("cpu", 1, folder_);
  until(thumbnails, all, [&] { return thumbnails.count(Stage::Done) == 2; });
  EXPECT_EQ(pixels(thumbnails, all[0]), pixels(thumbnails, all[1]));
}

TEST_F(ThumbnailsTest, AtRestNothingMoreIsMade) {
  Thumbnails thumbnails("cpu", 1, folder_);
  const std::vector<Subject> all = firstOf(3);
  thumbnails.want(all, {0, 3}, 0, look_);
  thumbnails.rest();
  for (int i = 0; i < 300; ++i) {
    thumbnails.advance();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_LE(thumbnails.count(Stage::Draft) + thumbnails.count(Stage::Done), 1u);
}

}  // namespace
}  // namespace simscope::gallery
