#include "app/gui/gallery/preview.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "app/gui/gallery/thumbnail_cache.h"
#include "app/render/gl/gl_context.h"
#include "sims/core/registry.h"

namespace simscope::gallery {
namespace {

class PreviewTest : public ::testing::Test {
 protected:
  render::HeadlessContext context_;
  Preview preview_{"cpu", 1};
  const Look look_{.width = 176, .height = 110};

  static Subject first(std::size_t i) { return {simulations()[i], simulations()[i]->presets.front().key, {}}; }
  template <class Condition>
  void until(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    while (!condition()) {
      ASSERT_LT(std::chrono::steady_clock::now(), end) << "nothing moves";
      preview_.poll();
      preview_.draw(figureOf(preview_.scene(), look_));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

TEST_F(PreviewTest, PlaysWhatIsShownAndThenAnotherWithoutAFrameOfTheFirst) {
  preview_.show(first(0), resolve(first(0)), 60);
  EXPECT_TRUE(preview_.showing(first(0)));
  EXPECT_FALSE(preview_.ready());
  until([&] { return preview_.frames() >= 3; });
  preview_.show(first(1), resolve(first(1)), 60);
  EXPECT_FALSE(preview_.ready());
  until([&] { return preview_.frames() >= 3; });
  EXPECT_EQ(preview_.failure(), "");
}

TEST_F(PreviewTest, HeldItStandsStillAndGoesOn) {
  preview_.show(first(0), resolve(first(0)), 60);
  until([&] { return preview_.frames() >= 2; });
  preview_.hold(true);
  EXPECT_FALSE(preview_.playing());
  const auto settled = [&] {
    for (int i = 0; i < 200; ++i) {
      preview_.poll();
      preview_.draw(figureOf(preview_.scene(), look_));
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return preview_.frames();
  };
  const std::uint64_t before = settled();
  EXPECT_EQ(settled(), before);
  preview_.hold(false);
  until([&] { return preview_.frames() > before; });
}

TEST_F(PreviewTest, WhatCannotRunSaysWhyAndTheNextPlays) {
  Resolved impossible = resolve(first(0));
  impossible.scene.parameters = resolve(first(1)).scene.parameters;
  preview_.show(first(0), impossible, 60);
  until([&] { return !preview_.failure().empty(); });
  EXPECT_FALSE(preview_.playing());
  preview_.show(first(1), resolve(first(1)), 60);
  until([&] { return preview_.frames() >= 2; });
  EXPECT_EQ(preview_.failure(), "");
}

TEST_F(PreviewTest, ClosedThereIsNothingLeft) {
  preview_.show(first(0), resolve(first(0)), 60);
  until([&] { return preview_.ready(); });
  preview_.close();
  EXPECT_FALSE(preview_.showing(first(0)));
  EXPECT_FALSE(preview_.playing());
  EXPECT_FALSE(preview_.poll());
}

}  // namespace
}  // namespace simscope::gallery
