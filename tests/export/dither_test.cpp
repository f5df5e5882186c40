// The ordered dither: what it leaves alone, how true the mean of what it mixes is, and its pattern.
#include "app/export/gif/dither.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

// Black to white in visible steps, and no other colour near.
std::vector<std::uint32_t> fewGreys() {
  std::vector<std::uint32_t> colours;
  for (std::uint32_t level = 0; level <= 255; level += 17) {
    colours.push_back(level * 0x010101u);
  }
  return colours;
}

// A glow before the dark: light falls off slowly from the middle, with a hue.
Picture halo(int side) {
  Picture picture;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double r = std::hypot(x - side / 2.0, y - side / 2.0) / side;
      const double light = std::exp(-8 * r * r);
      for (const double channel : {90.0, 60.0, 20.0}) {
        picture.push_back(static_cast<std::uint8_t>(std::lround(8 + channel * light)));
      }
    }
  }
  return picture;
}

Picture colouredBy(const Palette& palette, const std::vector<std::uint8_t>& indices) {
  Picture picture(indices.size() * 3);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    setPixel(picture, i, palette.colours()[indices[i]]);
  }
  return picture;
}

std::vector<std::uint8_t> dithered(Palette& palette, const Picture& picture, int width, int height) {
  std::vector<std::uint8_t> indices(picture.size() / 3);
  Dither(palette).map(picture.data(), width, height, indices.data());
  return indices;
}

// The halo's own hue in six steps and others, as a figure's palette has them.
std::vector<std::uint32_t> glows() {
  std::vector<std::uint32_t> colours;
  for (std::uint32_t step = 0; step <= 6; ++step) {
    for (const auto& [r, g, b] : {std::array{90u, 60u, 20u}, {20u, 60u, 90u}, {60u, 20u, 90u}, {90u, 90u, 90u}}) {
      colours.push_back((8 + r * step / 6) << 16 | (8 + g * step / 6) << 8 | (8 + b * step / 6));
    }
  }
  return colours;
}

// The largest difference between the mean light of blocks of the two pictures, as levels of sRGB.
double largestBlockError(const Picture& a, const Picture& b, int side, int block) {
  double largest = 0;
  const auto level = [](double light) {
    return 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055);
  };
  const auto light = [](std::uint8_t value) {
    const double v = value / 255.0;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  for (int y = 0; y + block <= side; y += block) {
    for (int x = 0; x + block <= side; x += block) {
      for (int c = 0; c < 3; ++c) {
        double of_a = 0, of_b = 0;
        for (int dy = 0; dy < block; ++dy) {
          for (int dx = 0; dx < block; ++dx) {
            const auto at = static_cast<std::size_t>(((y + dy) * side + x + dx) * 3 + c);
            of_a += light(a[at]) / (block * block);
            of_b += light(b[at]) / (block * block);
          }
        }
        largest = std::max(largest, std::abs(level(of_a) - level(of_b)));
      }
    }
  }
  return largest;
}

TEST(Dither, LeavesExactColoursAsTheyAre) {
  const auto exact = distinctColours(200);
  Palette palette(exact);
  Numbers numbers(1);
  const Picture picture = noiseOf(exact, 120, 90, numbers);
  EXPECT_TRUE(colouredBy(palette, dithered(palette, picture, 120, 90)) == picture);
}

TEST(Dither, KeepsExactColoursBesideColoursThatItMixes) {
  const auto exact = fewGreys();
  Palette palette(exact);
  Picture picture = halo(128);
  for (std::size_t i = 0; i < 128 * 40; ++i) {
    setPixel(picture, i, exact[i % 3]);
  }
  const Picture shown = colouredBy(palette, dithered(palette, picture, 128, 128));
  EXPECT_TRUE(std::equal(picture.begin(), picture.begin() + 128 * 40 * 3, shown.begin()));
}

TEST(Dither, KeepsTheMeanLightOfADarkHalo) {
  constexpr int kSide = 192, kBlock = 16;
  Palette palette(glows());
  const Picture picture = halo(kSide);
  std::vector<std::uint8_t> nearest(picture.size() / 3);
  palette.map(picture.data(), nearest.size(), nearest.data());
  const double banded = largestBlockError(picture, colouredBy(palette, nearest), kSide, kBlock);
  const double mixed =
      largestBlockError(picture, colouredBy(palette, dithered(palette, picture, kSide, kSide)), kSide, kBlock);
  EXPECT_GT(banded, 5);
  EXPECT_LT(mixed, 2);
}

// Saturated colours that lie nearer than the next grey, and pairs of them that mix to it.
TEST(Dither, AGreyIsMixedOfGreys) {
  constexpr int kWidth = 256, kHeight = 16;
  std::vector<std::uint32_t> colours;
  for (std::uint32_t level = 0; level < 256; level += 8) {
    const std::uint32_t low = level * 3 / 4, high = level + (255 - level) / 4;
    colours.push_back(high << 16 | low << 8 | low);
    colours.push_back(low << 16 | high << 8 | high);
    colours.push_back(low << 16 | low << 8 | high);
    colours.push_back(high << 16 | high << 8 | low);
  }
  Palette palette(colours);
  Picture picture;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      for (const int blue : {0, 3, 8}) picture.push_back(static_cast<std::uint8_t>(std::min(255, x + blue)));
    }
  }
  const Picture shown = colouredBy(palette, dithered(palette, picture, kWidth, kHeight));
  int tinted = 0;
  for (std::size_t i = 0; i < shown.size(); i += 3) {
    const auto [least, most] = std::minmax({shown[i], shown[i + 1], shown[i + 2]});
    tinted += most - least > 28;
  }
  EXPECT_LT(tinted, kWidth * kHeight / 50);
}

// Rings are steps: between two greys of the palette the mean must rise all the way.
TEST(Dither, ASlowGradientHasNoSteps) {
  constexpr int kWidth = 34 * 32, kHeight = 32;
  Palette palette(fewGreys());
  Picture picture;
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      picture.insert(picture.end(), 3, static_cast<std::uint8_t>(17 + x / 32));
    }
  }
  const Picture shown = colouredBy(palette, dithered(palette, picture, kWidth, kHeight));
  double before = -1;
  int rising = 0;
  for (int block = 0; block < 34; ++block) {
    double mean = 0;
    for (int y = 0; y < kHeight; ++y) {
      for (int x = 0; x < 32; ++x) {
        mean += linearLight(static_cast<double>(shown[static_cast<std::size_t>((y * kWidth + block * 32 + x) * 3)]));
      }
    }
    rising += mean > before;
    before = mean;
  }
  EXPECT_GE(rising, 30);
}

TEST(Dither, ChangesOfAPixelReachItsNeighboursAlone) {
  constexpr int kSide = 96, kX = 40, kY = 50;
  Palette palette({});
  Picture picture = halo(kSide);
  const auto before = dithered(palette, picture, kSide, kSide);
  EXPECT_TRUE(before == dithered(palette, picture, kSide, kSide));
  setPixel(picture, kY * kSide + kX, 0xffeedd);
  const auto after = dithered(palette, picture, kSide, kSide);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (std::abs(x - kX) + std::abs(y - kY) > 1) {
        ASSERT_EQ(before[static_cast<std::size_t>(y * kSide + x)], after[static_cast<std::size_t>(y * kSide + x)]);
      }
    }
  }
}

TEST(Dither, AtEdgesTheNearestColourStands) {
  constexpr int kWidth = 60, kHeight = 40;
  Palette palette(fewGreys());
  Picture picture(kWidth * kHeight * 3, 0);
  for (int y = 0; y < kHeight; ++y) {
    setPixel(picture, static_cast<std::size_t>(y * kWidth + 30), 0x7b7b7b);  // the smooth edge of an upright line
  }
  std::vector<std::uint8_t> nearest(kWidth * kHeight);
  palette.map(picture.data(), nearest.size(), nearest.data());
  EXPECT_TRUE(dithered(palette, picture, kWidth, kHeight) == nearest);
}

TEST(Dither, GivesTheSameFromManyThreads) {
  constexpr int kSide = 128;
  Palette palette({}), shared_palette({});
  const Picture picture = halo(kSide);
  const auto expected = dithered(palette, picture, kSide, kSide);
  Dither shared(shared_palette);
  std::vector<std::vector<std::uint8_t>> results(4, std::vector<std::uint8_t>(expected.size()));
  std::vector<std::thread> threads;
  for (auto& result : results) {
    threads.emplace_back([&] { shared.map(picture.data(), kSide, kSide, result.data()); });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  for (const auto& result : results) {
    EXPECT_TRUE(result == expected);
  }
}

TEST(BlueNoise, HasEveryValueEquallyOftenAndNoClusters) {
  constexpr unsigned kSide = BlueNoise::kSide, kBlock = 8;
  const auto& values = blueNoise().values;
  std::array<int, 256> count{};
  for (const std::uint8_t value : values) {
    ++count[value];
  }
  EXPECT_THAT(count, ::testing::Each(static_cast<int>(values.size() / 256)));
  // Points under a threshold, counted in blocks: of independent ones the variance is block·p·(1-p); here far less.
  for (const unsigned threshold : {64u, 128u, 192u}) {
    const double p = threshold / 256.0, expected = kBlock * kBlock * p;
    double variance = 0;
    for (unsigned by = 0; by < kSide; by += kBlock) {
      for (unsigned bx = 0; bx < kSide; bx += kBlock) {
        double points = 0;
        for (unsigned i = 0; i < kBlock * kBlock; ++i) {
          points += values[(by + i / kBlock) * kSide + bx + i % kBlock] < threshold;
        }
        variance += (points - expected) * (points - expected) * kBlock * kBlock / (kSide * kSide);
      }
    }
    EXPECT_LT(variance, 0.35 * expected * (1 - p)) << threshold;
  }
}

TEST(Dither, IndicesTakenOverFromALikePictureAreTheSame) {
  constexpr int kWidth = 150, kHeight = 60;
  Palette palette(glows());
  Dither dither(palette);
  std::uint32_t random = 7;
  const auto below = [&random](std::uint32_t limit) {
    random = random * 1664525u + 1013904223u;
    return static_cast<int>((random >> 8) % limit);
  };
  Picture before(kWidth * kHeight * 3);
  for (int i = 0; i < kWidth * kHeight; ++i) {
    setPixel(before, static_cast<std::size_t>(i), static_cast<std::uint32_t>(0x080808 + 0x010100 * (i % kWidth / 3)));
  }
  for (int repetition = 0; repetition < 60; ++repetition) {
    const std::vector<std::uint8_t> known = dithered(palette, before, kWidth, kHeight);
    Picture now = before;
    for (int change = below(4); change > 0; --change) {
      const int left = below(kWidth), top = below(kHeight), wide = 1 + below(40), high = 1 + below(9), by = below(90);
      for (int y = top; y < std::min(kHeight, top + high); ++y) {
        for (int x = left; x < std::min(kWidth, left + wide); ++x) now[(y * kWidth + x) * 3 + by % 3] ^= by;
      }
    }
    std::vector<std::uint8_t> indices(now.size() / 3, 99);
    dither.map(now.data(), kWidth, kHeight, indices.data(), {before.data(), known.data()});
    EXPECT_EQ(indices, dithered(palette, now, kWidth, kHeight)) << repetition;
    before = now;
  }
}

}  // namespace
}  // namespace simscope::exporting::testing
