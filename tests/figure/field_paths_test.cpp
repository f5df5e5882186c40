// Fields by the processor's threads and by shaders: on software OpenGL the pixels are the same. Which products other
// versions of it fuse is theirs to choose; there few pixels may differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "app/render/figure/colormap.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

class FieldPathsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!glIsSoftware()) GTEST_SKIP() << "OpenGL is not software here: fields are left to shaders";
  }
  Rgb by(Figure& figure) const {
    figure.draw(fieldDescription(), fieldDescription().defaults(), frame, options);
    return figure.read();
  }
  void expectEqual(const std::string& what) { expectEqual(what, processor, shaders); }
  void expectEqual(const std::string& what, Figure& figure, Figure& of_shaders) const {
    const Rgb one = by(figure), other = by(of_shaders);
    ASSERT_EQ(one.size(), other.size());
    std::size_t different = 0, first = 0;
    for (std::size_t i = one.size(); i-- > 0;) {
      if (one[i] == other[i]) continue;
      ++different;
      first = i / 3;
    }
    const auto width = static_cast<std::size_t>(options.width);
    EXPECT_LE(different, exact ? 0 : one.size() / 1000)
        << what << ": the first at " << first % width << ", " << first / width;
  }
  // Every number of a channel of the sample, changed a little from cell to cell, so that no two are alike.
  void roughen(const char* key) {
    Channel& channel = *const_cast<Channel*>(frame.find(key));
    std::vector<float> values = channel.data.toHost();
    std::uint32_t random = 12345;
    for (float& value : values) {
      random = random * 1664525u + 1013904223u;
      value += 0.02f * (static_cast<float>(random >> 8) / 16777216.0f - 0.5f);
    }
    channel.data.upload(values);
  }
  void sample(int columns, int rows) {
    frame = sampleFields(compute::Device::open("cpu", 2), {columns, rows, 0, 4, 0, 4});
    for (const char* key : {"heat", "signed", "light_intensity", "wave", "light"}) roughen(key);
  }

  HeadlessContext context;
  const bool exact = glInfo().renderer.find("LLVM 15") != std::string::npos;
  Figure processor{{}, ReducedBy::Suits}, shaders{{}, ReducedBy::Shaders};
  Frame frame;
  FigureOptions options;
};

TEST_F(FieldPathsTest, EveryViewIsTheSameAtEverySize) {
  options.width = 420;
  options.height = 300;
  for (const auto& [columns, rows] : {std::pair{16, 16}, {237, 237}, {411, 700}, {1300, 1100}}) {
    sample(columns, rows);
    for (const char* view : {"heat", "signed", "log", "gamma", "wave", "light"}) {
      options.view = view;
      expectEqual(std::string(view) + " of " + std::to_string(columns) + "x" + std::to_string(rows));
    }
  }
}

TEST_F(FieldPathsTest, EveryColourTableAndScaleIsTheSame) {
  sample(150, 150);
  options.width = 300;
  options.height = 300;
  options.view = "signed";
  for (const char* map :
       {"viridis", "magma", "inferno", "plasma", "cividis", "turbo", "gray", "coolwarm", "twilight"}) {
    for (const bool reversed : {false, true}) {
      for (const FieldScale scale : {FieldScale::Linear, FieldScale::Gamma, FieldScale::Log}) {
        for (const bool symmetric : {false, true}) {
          options.colormap = map;
          options.reversed = reversed;
          options.value_scale = scale;
          options.symmetric = symmetric;
          expectEqual(std::string(map) + ", scale " + std::to_string(static_cast<int>(scale)));
        }
      }
    }
  }
}

TEST_F(FieldPathsTest, ContoursAreTheSame) {
  for (const int cells : {40, 700}) {
    sample(cells, cells);
    for (const char* view : {"heat", "signed", "gamma", "log"}) {
      for (const int supersampling : {1, 2}) {
        options = {};
        options.width = 330;
        options.height = 280;
        options.view = view;
        options.isolines = true;
        options.supersampling = supersampling;
        options.scale = supersampling == 1 ? 1 : 0.75;
        expectEqual(std::string(view) + " of " + std::to_string(cells) + " with isolines");
        options.theme = Theme::Print;
        options.colormap = "gray";
        expectEqual(std::string(view) + " of " + std::to_string(cells) + " with isolines, in print");
      }
    }
  }
}

TEST_F(FieldPathsTest, ZoomsAndPlacesOutsideAreTheSame) {
  sample(200, 200);
  options.width = 400;
  options.height = 320;
  for (const char* view : {"heat", "log", "wave", "light"}) {
    options.view = view;
    for (const Limits& x : {Limits{1.2, 1.9}, Limits{-3, 6}, Limits{3.999, 4.001}, Limits{1e9, 1e9 + 1}}) {
      for (const Limits& y : {Limits{0.31, 3.57}, Limits{2, 2.02}}) {
        options.x = x;
        options.y = y;
        expectEqual(view);
      }
    }
  }
}

TEST_F(FieldPathsTest, WhatIsNoNumberIsTheSame) {
  options.width = 300;
  options.height = 260;
  for (const int cells : {30, 600}) {
    sample(cells, cells);
    for (const char* key : {"heat", "light_intensity", "wave", "light", "walls"}) {
      Channel& channel = *const_cast<Channel*>(frame.find(key));
      std::vector<float> values = channel.data.toHost();
      const std::array<float, 6> bad = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f, 1e-42f};
      for (std::size_t i = 0; i < values.size(); i += values.size() / 23) values[i] = bad[i % bad.size()];
      channel.data.upload(values);
    }
    for (const char* view : {"heat", "plate", "log", "gamma", "wave", "light"}) {
      options.view = view;
      options.isolines = std::string(view) == "heat" || std::string(view) == "plate";
      expectEqual(view);
    }
  }
}

TEST_F(FieldPathsTest, TilesAreTheSame) {
  sample(350, 350);
  options.width = 500;
  options.height = 400;
  options.isolines = true;
  Figure tiled({170, 0}, ReducedBy::Suits), tiled_shaders({170, 0}, ReducedBy::Shaders);
  for (const char* view : {"heat", "wave"}) {
    options.view = view;
    const Rgb whole = by(processor);
    EXPECT_EQ(by(tiled), whole);
    expectEqual(view, tiled, tiled_shaders);
  }
}

}  // namespace
}  // namespace simscope::render
