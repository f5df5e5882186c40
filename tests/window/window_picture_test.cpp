// The window's picture, drawn again in parts, is the one that is drawn at once.
#include "app/gui/window/window_picture.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "app/gui/widgets/theme.h"
#include "app/render/gl/gl_context.h"
#include "app/render/gl/gl_objects.h"
#include "backends/imgui_impl_opengl3.h"

namespace simscope::gui {
namespace {

using Pixels = std::vector<std::uint32_t>;
constexpr int kFigureWidth = 200, kFigureHeight = 120;

Pixels pixelsOf(unsigned texture, int width, int height) {
  Pixels pixels(static_cast<std::size_t>(width) * height);
  glGetTextureImage(texture, 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(pixels.size() * 4), pixels.data());
  return pixels;
}

// Dear ImGui without a window, on an OpenGL of its own.
class WindowPictureTest : public testing::Test {
 protected:
  WindowPictureTest() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    EXPECT_TRUE(ImGui_ImplOpenGL3_Init("#version 450 core"));
    resize(640, 400);
    figure_ = render::makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(figure_.get(), 1, GL_RGBA8, kFigureWidth, kFigureHeight);
    paintFigure();
  }
  ~WindowPictureTest() override {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
  }

  void resize(int width, int height, float ratio = 1) {
    ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
    ImGui::GetIO().DisplayFramebufferScale = {ratio, ratio};
    width_ = static_cast<int>(static_cast<float>(width) * ratio);
    height_ = static_cast<int>(static_cast<float>(height) * ratio);
  }

  void paintFigure() {
    Pixels pixels(static_cast<std::size_t>(kFigureWidth) * kFigureHeight);
    for (std::uint32_t& each : pixels) each = static_cast<std::uint32_t>(random_()) | 0xFF000000U;
    glTextureSubImage2D(figure_.get(), 0, 0, 0, kFigureWidth, kFigureHeight, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    redrawn_ = true;
  }

  // The frame's contents; what differs from frame to frame is told.
  struct Contents {
    int number = 0;
    float value = 0.5F;
    bool tip = false;
    int order = 0;
    ImVec2 figure{220, 40};
    float dim = 1;
  };
  ImDrawData& build(const Contents& contents) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::GetIO().DeltaTime = 1.0F / 60;
    ImGui::NewFrame();
    const auto window = [&](const char* name, ImVec2 place, ImVec2 size, const auto& body) {
      ImGui::SetNextWindowPos(place);
      ImGui::SetNextWindowSize(size);
      ImGui::Begin(name, nullptr, ImGuiWindowFlags_NoSavedSettings);
      body();
      ImGui::End();
    };
    const auto left = [&] {
      window("left", {10, 10}, {190, 380}, [&] {
        ImGui::Text("step %d of many", contents.number);
        float value = contents.value;
        ImGui::SliderFloat("value", &value, 0, 1);
        for (int i = 0; i < 12; ++i) ImGui::TextUnformatted("a line that stays as it is");
      });
    };
    const auto right = [&] {
      window("right", {150, 200}, {300, 180}, [&] {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        for (int i = 0; i < 40; ++i) {
          const float x = 160 + 7.0F * static_cast<float>(i);
          list.AddLine({x, 300 + 40 * std::sin(0.1F * static_cast<float>(i * contents.order))}, {x + 7, 330},
                       0x80FFC040, 2);
        }
      });
    };
    contents.order % 2 == 0 ? (left(), right()) : (right(), left());
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    const ImVec2 at = contents.figure;
    list.AddImage((ImTextureID)(intptr_t)figure_.get(), at, {at.x + kFigureWidth, at.y + kFigureHeight}, {0, 1}, {1, 0},
                  IM_COL32(255, 255, 255, static_cast<int>(255 * contents.dim)));
    list.AddText({at.x + 20, at.y + 20}, IM_COL32_WHITE, "over the figure");
    list.AddRectFilled({at.x + 100, at.y + 60}, {at.x + 260, at.y + 90}, 0x6000FF00, 6);
    if (contents.tip) list.AddText({300, 240}, IM_COL32_WHITE, "a tooltip");
    ImGui::Render();
    return *ImGui::GetDrawData();
  }

  // Drawn at once by the backend alone.
  Pixels expected(ImDrawData& data) const {
    const render::GlTexture texture = render::makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(texture.get(), 1, GL_RGBA8, width_, height_);
    const render::GlFramebuffer framebuffer = render::makeFramebuffer();
    glNamedFramebufferTexture(framebuffer.get(), GL_COLOR_ATTACHMENT0, texture.get(), 0);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.get());
    glViewport(0, 0, width_, height_);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(kGround.x, kGround.y, kGround.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(&data);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return pixelsOf(texture.get(), width_, height_);
  }

  // Composes the frame; tells how many pixels differ from the one drawn at once.
  int compose(const Contents& contents) {
    ImDrawData& data = build(contents);
    picture_.compose(data, kGround, {figure_.get(), std::exchange(redrawn_, false)});
    const Pixels shown = pixelsOf(picture_.texture(), width_, height_), wanted = expected(data);
    int different = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      // Colours only, to a step: copied pixels are not blended.
      for (int shift = 0; shift < 24; shift += 8) {
        const int a = (shown[i] >> shift) & 0xFF, b = (wanted[i] >> shift) & 0xFF;
        if (std::abs(a - b) > 1) {
          ++different;
          break;
        }
      }
    }
    return different;
  }
  std::int64_t redrawnArea() const {
    std::int64_t area = 0;
    for (const PixelRect& each : picture_.redrawn()) area += each.area();
    return area;
  }

  const ImVec4 kGround{0.1F, 0.2F, 0.3F, 1};
  render::HeadlessContext context_;
  std::mt19937 random_{7};
  render::GlTexture figure_;
  bool redrawn_ = false;
  int width_ = 0, height_ = 0;
  WindowPicture picture_;
};

TEST_F(WindowPictureTest, WhatStaysIsNotDrawnAgain) {
  Contents contents;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(compose(contents), 0);  // new windows are measured first
  EXPECT_EQ(compose(contents), 0);
  EXPECT_EQ(redrawnArea(), 0);
  contents.number = 3;
  EXPECT_EQ(compose(contents), 0);
  EXPECT_GT(redrawnArea(), 0);
  EXPECT_LT(redrawnArea(), 20 * 20);
  paintFigure();
  EXPECT_EQ(compose(contents), 0);
  EXPECT_EQ(redrawnArea(), kFigureWidth * kFigureHeight);
}

TEST_F(WindowPictureTest, PartsMakeTheWhole) {
  Contents contents;
  const auto some = [&](int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); };
  for (int frame = 0; frame < 120; ++frame) {
    if (some(2) == 0) contents.number += some(2000);
    if (some(4) == 0) contents.value = 0.01F * static_cast<float>(some(100));
    if (some(3) == 0) contents.tip = !contents.tip;
    if (some(5) == 0) contents.order = some(4);
    if (some(8) == 0) contents.figure = {static_cast<float>(some(600)) - 80, static_cast<float>(some(400)) - 60};
    if (some(10) == 0) contents.figure.x += 0.5F;  // not the window's pixels any more
    if (some(10) == 0) contents.dim = some(2) ? 1 : 0.5F;
    if (some(2) == 0) paintFigure();
    if (some(30) == 0) resize(500 + some(200), 300 + some(100));
    ASSERT_EQ(compose(contents), 0) << "frame " << frame;
  }
}

TEST_F(WindowPictureTest, PixelsSmallerThanUnits) {
  for (const float ratio : {1.25F, 1.5F, 2.0F, 1.7F}) {
    resize(500, 320, ratio);
    Contents contents;
    for (int frame = 0; frame < 12; ++frame) {
      contents.number += 37;
      contents.value = 0.05F * static_cast<float>(frame);
      contents.tip = frame % 3 == 0;
      ASSERT_EQ(compose(contents), 0) << "ratio " << ratio << ", frame " << frame;
    }
    EXPECT_LT(redrawnArea(), static_cast<std::int64_t>(width_) * height_ / 4);
  }
}

TEST(PixelRegionTest, RectanglesDoNotOverlap) {
  std::mt19937 random(3);
  const auto some = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int round = 0; round < 50; ++round) {
    PixelRegion region;
    std::vector<PixelRect> added;
    for (int i = 0; i < 60; ++i) {
      const int left = some(1900), top = some(1000);
      added.push_back({left, top, left + 1 + some(i % 7 == 0 ? 300 : 12), top + 1 + some(20)});
      region.add(added.back());
    }
    const auto& all = region.rectangles();
    EXPECT_LE(all.size(), 12u);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) EXPECT_TRUE(intersection(all[i], all[j]).empty());
    }
    for (const PixelRect& each : added) {
      EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const PixelRect& held) { return held.covers(each); }));
    }
  }
}

}  // namespace
}  // namespace simscope::gui
