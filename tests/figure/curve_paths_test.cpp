// Curves by the processor and by shaders: on software OpenGL they give the same picture, but where sines and arc
// tangents round otherwise and a phase lies between two entries of the wheel. Which products other versions of it fuse
// is theirs to choose; there few pixels may differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

class CurvePathsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!glIsSoftware()) GTEST_SKIP() << "OpenGL is not software here: curves are left to shaders";
  }
  // Of the components of all pixels, how many differ, and by how much at most.
  struct Difference {
    std::size_t components = 0;
    int most = 0;
  };
  Difference difference(const SampleProfiles& profiles, int samples) {
    const Frame frame = sampleFrame(compute::Device::open("cpu", 1), samples, profiles);
    const auto by = [&](Figure& figure) {
      figure.draw(sampleDescription(), sampleDescription().defaults(), frame, options);
      return figure.read();
    };
    const std::vector<std::uint8_t> one = by(processor), other = by(shaders);
    EXPECT_EQ(one.size(), other.size());
    Difference found;
    for (std::size_t i = 0; i < one.size(); ++i) {
      const int apart = std::abs(int{one[i]} - int{other[i]});
      found.components += apart != 0;
      found.most = std::max(found.most, apart);
    }
    return found;
  }
  void expectEqual(const std::string& what, const SampleProfiles& profiles, int samples) {
    const Difference found = difference(profiles, samples);
    const auto all = static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height) * 3;
    EXPECT_LE(found.components, all / 2000) << what;
    EXPECT_LE(found.most, 24) << what;  // neighbours on the wheel
  }

  // Without phases.
  void expectSame(const std::string& what, const SampleProfiles& profiles, int samples) {
    if (!exact) return expectEqual(what, profiles, samples);
    EXPECT_EQ(difference(profiles, samples).components, 0u) << what;
  }

  HeadlessContext context;
  const bool exact = glInfo().renderer.find("LLVM 15") != std::string::npos;
  Figure processor{{}, ReducedBy::Suits}, shaders{{}, ReducedBy::Shaders};
  FigureOptions options;
};

TEST_F(CurvePathsTest, ManyAndFewSamplesAPixelAreTheSame) {
  for (const int samples : {3, 64, 900, 4096, 100000}) {
    expectEqual(std::to_string(samples) + " samples", tunnellingProfiles(), samples);
  }
}

TEST_F(CurvePathsTest, WithoutPhasesTheyAreTheSameToTheBit) {
  SampleProfiles p = tunnellingProfiles();
  p.phase = [](double) { return 0.0; };
  for (const int samples : {3, 900, 4096, 100000}) expectSame(std::to_string(samples) + " samples", p, samples);
}

TEST_F(CurvePathsTest, ZoomsAndPlacesOutsideAreTheSame) {
  SampleProfiles p = tunnellingProfiles();
  p.phase = [](double) { return 1.0; };
  for (const Limits x : {Limits{-1, 1}, Limits{-250, 30}, Limits{40, 500}, Limits{12.3, 12.4}, Limits{300, 400}}) {
    options.x = x;
    expectSame(std::to_string(x.low) + " to " + std::to_string(x.high), p, 4096);
  }
}

TEST_F(CurvePathsTest, WhatIsNoNumberIsTheSame) {
  SampleProfiles p = tunnellingProfiles();
  p.phase = [](double) { return 1.0; };
  p.density = [](double x) {
    if (std::abs(x) < 20) return std::numeric_limits<double>::quiet_NaN();
    return x > 60 ? std::numeric_limits<double>::infinity() : 0.5 + 0.4 * std::sin(x);
  };
  for (const int samples : {40, 900, 20000}) expectSame(std::to_string(samples) + " samples", p, samples);
}

}  // namespace
}  // namespace simscope::render
