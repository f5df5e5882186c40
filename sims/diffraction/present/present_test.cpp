// What the views show.
#include "sims/diffraction/present/present.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/cpu_device.h"
#include "sims/diffraction/present/sampled_region.h"
#include "sims/diffraction/testing.h"

namespace simscope::diffraction {
namespace {

using tests::channelOf;
using tests::Session;

TEST(Present, PresentsEveryChannelOfItsViewsOverTheRightLengths) {
  Session run({{"grid_points", "256"}, {"zoom", "4"}});
  Frame frame;
  run.present(frame);
  for (const std::string& key : description().drawnChannels()) EXPECT_NE(frame.find(key), nullptr) << key;
  const double pitch = 633e-9 / 1e-3;
  const Channel& pattern = channelOf(frame, "pattern");
  EXPECT_EQ(pattern.width, 1024);  // 64 bins, 16 elements each
  EXPECT_NEAR(pattern.x_max - pattern.x_min, 64 * pitch, 1e-12);
  EXPECT_NEAR(pattern.x_min, -32.5 * pitch, 1e-12);
  EXPECT_EQ(pattern.low, -6);
  EXPECT_EQ(pattern.high, 0);
  const auto title = [&] {
    return labelOf(description().view("pattern").as<FieldView>()->value, channelOf(frame, "pattern").form).title;
  };
  EXPECT_EQ(title(), "log₁₀ I");
  const Channel& aperture = channelOf(frame, "aperture");
  EXPECT_EQ(aperture.width, 256);
  EXPECT_NEAR(aperture.x_max - aperture.x_min, 1e-3, 1e-15);
  run.change({{"zoom", "1"}, {"propagation", "angular_spectrum"}, {"distance", "0.01"}, {"display", "linear"}});
  run.present(frame);
  EXPECT_NEAR(channelOf(frame, "pattern").x_max, channelOf(frame, "aperture").x_max, 1e-15);
  EXPECT_EQ(channelOf(frame, "pattern").high, 4);
  EXPECT_EQ(title(), "I");
  EXPECT_EQ(channelOf(frame, "cut").form, channelOf(frame, "pattern").form);
}

TEST(Present, ShownPatternPassesThroughItsSamples) {
  Session run({{"grid_points", "256"}, {"zoom", "4"}, {"display", "linear"}});
  Frame frame;
  run.present(frame);
  const std::vector<float> pattern = run.pattern(), cut = channelOf(frame, "cut").data.toHost(),
                           exact = channelOf(frame, "cut_exact").data.toHost();
  ASSERT_EQ(cut.size(), 1024u);
  for (int bin = 0; bin < 64; ++bin) {
    EXPECT_FLOAT_EQ(cut[static_cast<std::size_t>(16 * bin)], pattern[static_cast<std::size_t>(128 * 256 + 96 + bin)]);
  }
  EXPECT_EQ(cut[512], 1);
  for (std::size_t i = 0; i < cut.size(); ++i) EXPECT_NEAR(cut[i], exact[i], 4e-3) << i;
  const std::vector<float> shown = channelOf(frame, "pattern").data.toHost();
  EXPECT_NEAR(*std::max_element(shown.begin(), shown.end()), 1, 2e-3);
}

// The rows are shared on the CPU: the same sums, in the same order, as each element by itself.
TEST(Present, ARegionIsSampledAsItsElements) {
  const compute::DevicePtr device = tests::cpu();
  auto& cpu = dynamic_cast<compute::CpuDevice&>(*device);
  constexpr int kSide = 64;
  std::vector<float> plane;
  for (int i = 0; i < kSide * kSide; ++i) {
    plane.push_back(static_cast<float>(std::pow(std::sin(0.37 * i) + std::cos(0.011 * i * i), 2)));
  }
  const Sampler sampler{plane.data(), compute::wholeSlab(kSide)};
  for (const Region region : {Region{kSide, 64, 1, 1}, Region{kSide, 64, 1, 3}, Region{kSide, 16, 1, 16}}) {
    const Element element{sampler, region};
    const int size = region.size();
    std::vector<float> out(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), -1);
    cpu.run([&] { sampleRegion(cpu, sampler, region, {0, size}, out.data()); });
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        const float wanted = element.at<6>(x, y, 1);
        const float made =
            out[static_cast<std::size_t>(y) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x)];
        ASSERT_NEAR(made, wanted, 2e-6f * (1 + wanted)) << x << ", " << y << " of " << size;
      }
    }
  }
}

TEST(Present, DecadesAreThoseOfTheLogarithm) {
  std::vector<float> values{0, 1e-30f, 1e-6f, 1e-5f, 0.5f, 0.70710677f, 0.7071068f, 1, 1.0000001f, 1.4142135f, 4, 250};
  for (int i = 0; i < 5000; ++i) values.push_back(std::pow(10.0f, -6 + 0.0016f * static_cast<float>(i)));
  std::vector<float> made = values;
  decadesOf(made.data(), made.size(), 2, -6);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double exact = values[i] > 0 ? std::max(std::log10(2.0 * values[i]), -6.0) : -6;
    EXPECT_NEAR(made[i], exact, 1e-7 * (5 + 3 * std::abs(exact))) << values[i];
  }
}

TEST(Present, CutAndFormulaRunThroughTheProbe) {
  Session run({{"grid_points", "256"}, {"zoom", "4"}, {"display", "linear"}});
  const double y = 2.5 * 633e-9 / 1e-3;  // half of the way to the first dark ring, between two rows
  run.poke({.tool = "probe", .x = 1e-3, .y = y});
  Frame frame;
  run.present(frame);
  const std::vector<float> cut = channelOf(frame, "cut").data.toHost(),
                           exact = channelOf(frame, "cut_exact").data.toHost();
  EXPECT_LT(exact[512], 0.5);
  for (std::size_t i = 0; i < cut.size(); ++i) EXPECT_NEAR(cut[i], exact[i], 4e-3) << i;
  // Without a formula, the curve is below the axis.
  run.change({{"aperture", "hexagon"}});
  run.present(frame);
  EXPECT_LT(channelOf(frame, "cut_exact").data.toHost()[512], channelOf(frame, "cut").low);
}

TEST(Present, LargePatternsAreFilteredOverBoxes) {
  const Parameters p = tests::parametersWith({{"grid_points", "4096"}, {"zoom", "1"}});
  const Region region = regionOf(p, 1024, 2048);
  EXPECT_EQ(region.reduce, 2);
  EXPECT_EQ(region.size(), 2048);
  Session run({{"grid_points", "1024"}, {"zoom", "1"}, {"display", "linear"}, {"spectrum", "monochromatic"}});
  Frame frame;
  run.present(frame);
  const std::vector<float> pattern = run.pattern(), colour = channelOf(frame, "colour").data.toHost();
  const auto bin = [&](int x, int y) { return pattern[static_cast<std::size_t>(y * 1024 + x)]; };
  // Red light: the first component is the intensity's mean over 2 × 2 bins.
  EXPECT_FLOAT_EQ(colour[3 * (256 * 512 + 256)], (bin(512, 512) + bin(513, 512) + bin(512, 513) + bin(513, 513)) / 4);
}

TEST(Present, DisplaysAreTheIntensityItsDecadesAndItsRoot) {
  Session run({{"grid_points", "128"}, {"zoom", "2"}, {"display", "linear"}});
  Frame linear, log, gamma;
  run.present(linear);
  run.change({{"display", "log"}});
  run.present(log);
  run.change({{"display", "gamma"}});
  run.present(gamma);
  const auto values = [](const Frame& frame) { return channelOf(frame, "pattern").data.toHost(); };
  const std::vector<float> i = values(linear), decades = values(log), root = values(gamma);
  for (std::size_t k = 0; k < i.size(); k += 97) {
    EXPECT_NEAR(root[k], std::sqrt(i[k]), 1e-6);
    EXPECT_NEAR(decades[k], i[k] > 1e-6F ? std::log10(i[k]) : -6, 1e-5);
  }
}

TEST(Present, MiddleOfWhiteLightIsWhiteAndItsEdgesAreNot) {
  Session run({{"grid_points", "256"},
               {"spectrum", "white"},
               {"display", "linear"},
               {"zoom", "4"},
               {"aperture", "double_slit"}});
  Frame frame;
  run.present(frame);
  const Channel& colour = channelOf(frame, "colour");
  const std::vector<float> rgb = colour.data.toHost();
  const int size = colour.width, bin = size / 64;
  // The centre of bin N/2.
  const auto at = [&](int x, int y) { return &rgb[static_cast<std::size_t>(3 * (y * size + x))]; };
  const float* const middle = at(size / 2 + bin / 2, size / 2 + bin / 2);
  for (int c = 0; c < 3; ++c) EXPECT_NEAR(middle[c], 1, 0.02);
  double most = 0;
  for (int x = 0; x < size; ++x) {
    const float* const pixel = at(x, size / 2 + bin / 2);
    most = std::max(most, static_cast<double>(std::abs(pixel[0] - pixel[2])));
  }
  EXPECT_GT(most, 0.1);
}

TEST(Present, OpenWindowIsWhiteInWhiteLightNearby) {
  Session run({{"grid_points", "64"},
               {"aperture", "square"},
               {"aperture_radius", "1"},
               {"propagation", "angular_spectrum"},
               {"distance", "1e-5"},
               {"spectrum", "white"},
               {"display", "linear"},
               {"zoom", "2"}});
  Frame frame;
  run.present(frame);
  const std::vector<float> rgb = channelOf(frame, "colour").data.toHost();
  const std::size_t middle = rgb.size() / 6 * 3 + rgb.size() / 6 % 1;
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(rgb[middle + c], 0.25, 0.02) << "a quarter of what is shown at most";
}

}  // namespace
}  // namespace simscope::diffraction
