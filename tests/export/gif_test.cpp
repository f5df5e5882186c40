// What a GIF holds, as Pillow decodes it; its palette, and which parts of a picture are written.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "app/export/encoder.h"
#include "app/export/gif/gif_encoder.h"
#include "app/export/gif/palette.h"
#include "app/export/gif/solid_colours.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::HasSubstr;

GifOptions optionsFor(int width, int height) {
  GifOptions options;
  options.width = width;
  options.height = height;
  options.overwrite = true;
  return options;
}

// GIFs recorded one by one, which Pillow then compares with their pictures.
class Recordings {
 public:
  // A mean error under 0 asks for equal pixels.
  void add(const std::vector<Picture>& pictures, const GifOptions& options, double mean_error = -1) {
    const std::string base = (folder_ / std::to_string(count_++)).string();
    Picture all;
    Encoder encoder(base + ".gif", options);
    for (const Picture& picture : pictures) {
      all.insert(all.end(), picture.begin(), picture.end());
      encoder.add(picture);
    }
    encoder.finish();
    EXPECT_EQ(encoder.progress().frames, static_cast<std::int64_t>(pictures.size()));
    EXPECT_EQ(encoder.progress().bytes, fs::file_size(base + ".gif"));
    storeRaw(base + ".raw", all);
    store(base + ".scene", options.scene);
    jobs_ +=
        fmt::format("{0}.gif {0}.raw {1} {2} {3} {4} {5} {6} {7}\n", base, options.width, options.height,
                    pictures.size(), gifDelay(options.fps) * 10, options.loop,
                    options.scene.empty() ? "-" : base + ".scene", mean_error < 0 ? "" : fmt::format("{}", mean_error));
  }
  void expectDecode() const { expectScriptAgrees("check_gif.py", folder_, jobs_); }

 private:
  Folder folder_;
  int count_ = 0;
  std::string jobs_;
};

// Waves of 200 colours that move in a frame that does not.
std::vector<Picture> movingField(int width, int height, int count, const std::vector<std::uint32_t>& colours) {
  std::vector<Picture> pictures;
  for (int t = 0; t < count; ++t) {
    Picture picture(static_cast<std::size_t>(width) * height * 3);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const bool inside = x >= width / 8 && y >= height / 8 && x < width - width / 8 && y < height - height / 8;
        const double wave = std::sin(std::hypot(x - width / 3.0, y - height / 3.0) / 5 - 0.4 * t);
        const auto index = static_cast<std::size_t>((wave + 1) / 2 * (static_cast<double>(colours.size()) - 1.01));
        setPixel(picture, static_cast<std::size_t>(y) * width + x, inside ? colours[index + 1] : colours[0]);
      }
    }
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

TEST(Gif, AMovingFieldOfExactColoursDecodesToTheSamePixels) {
  Recordings recordings;
  GifOptions options = optionsFor(321, 181);
  options.exact_colours = distinctColours(200);
  recordings.add(movingField(321, 181, 30, options.exact_colours), options);
  recordings.expectDecode();
}

TEST(Gif, ScatteredChangesDecodeToTheSamePixels) {
  Recordings recordings;
  GifOptions options = optionsFor(200, 150);
  options.exact_colours = distinctColours(200);
  Numbers numbers(1);
  std::vector<Picture> pictures{noiseOf(options.exact_colours, 200, 150, numbers)};
  for (int t = 1; t < 30; ++t) {
    Picture picture = pictures.back();
    for (int i = 0; i < 900; ++i) {
      setPixel(picture, numbers.below(200 * 150), options.exact_colours[numbers.below(200)]);
    }
    pictures.push_back(std::move(picture));
  }
  recordings.add(pictures, options);
  recordings.expectDecode();
}

TEST(Gif, OddSizesAndSingleFramesDecodeToTheSamePixels) {
  Recordings recordings;
  Numbers numbers(2);
  for (const auto& [width, height, frames] :
       {std::tuple{1, 1, 1}, {1, 1, 5}, {2, 3, 4}, {17, 1, 3}, {1, 19, 3}, {640, 3, 1}, {129, 67, 2}}) {
    GifOptions options = optionsFor(width, height);
    options.exact_colours = distinctColours(100);
    std::vector<Picture> pictures;
    for (int t = 0; t < frames; ++t) {
      pictures.push_back(noiseOf(options.exact_colours, width, height, numbers));
    }
    recordings.add(pictures, options);
  }
  recordings.expectDecode();
}

TEST(Gif, EqualPicturesAreFramesToo) {
  Recordings recordings;
  GifOptions options = optionsFor(40, 30);
  options.exact_colours = distinctColours(10);
  const Picture still = movingField(40, 30, 1, options.exact_colours).front();
  Picture changed = still;
  setPixel(changed, 40 * 30 - 1, options.exact_colours[9]);
  recordings.add({still, still, still, changed, changed, still}, options);
  recordings.expectDecode();
}

TEST(Gif, CarriesDelayLoopAndScene) {
  Recordings recordings;
  Numbers numbers(3);
  GifOptions options = optionsFor(20, 10);
  options.exact_colours = distinctColours(50);
  const std::vector<Picture> pictures{noiseOf(options.exact_colours, 20, 10, numbers),
                                      noiseOf(options.exact_colours, 20, 10, numbers)};
  int long_note = 0;
  for (const auto& [fps, loop] :
       {std::pair(50.0, 0), std::pair(100.0 / 3, 1), std::pair(20.0, 2), std::pair(0.5, 65535)}) {
    options.fps = fps;
    options.loop = loop;
    options.scene = long_note == 0 ? "" : fmt::format(R"({{"simscope": 1, "note": "{:ψ^{}}"}})", "", long_note);
    recordings.add(pictures, options);
    long_note += 333;
  }
  recordings.expectDecode();
}

TEST(Gif, All255ExactColoursComeOutExact) {
  Recordings recordings;
  Numbers numbers(4);
  GifOptions options = optionsFor(100, 80);
  options.exact_colours = distinctColours(255);
  options.exact_colours.insert(options.exact_colours.end(), {options.exact_colours[3], options.exact_colours[8]});
  recordings.add({noiseOf(options.exact_colours, 100, 80, numbers), noiseOf(options.exact_colours, 100, 80, numbers)},
                 options);
  recordings.expectDecode();
}

TEST(Gif, TrueColourNoiseDecodesNearby) {
  Recordings recordings;
  Numbers numbers(5);
  GifOptions options = optionsFor(150, 100);
  const std::vector<Picture> pictures{noise(150, 100, numbers), noise(150, 100, numbers)};
  recordings.add(pictures, options, 16.0);
  options.exact_colours = distinctColours(150);
  recordings.add(pictures, options, 24.0);
  recordings.expectDecode();
}

TEST(Gif, TheSamePicturesGiveTheSameFile) {
  const Folder folder;
  Numbers numbers(6);
  std::vector<Picture> pictures;
  for (int t = 0; t < 20; ++t) {
    pictures.push_back(noise(60, 40, numbers));
  }
  for (const std::string name : {"a.gif", "b.gif"}) {
    Encoder encoder(folder / name, optionsFor(60, 40));
    for (const Picture& picture : pictures) {
      encoder.add(picture);
    }
    encoder.finish();
  }
  EXPECT_TRUE(contentOf(folder / "a.gif") == contentOf(folder / "b.gif"));
}

// Nine swatches, and a strip of three rows, as keys have them; none of their colours is among the exact ones.
TEST(Gif, WhatFillsAnAreaOfTheFirstPictureIsExact) {
  constexpr int kSide = 90;
  Recordings recordings;
  GifOptions options = optionsFor(kSide, kSide);
  options.exact_colours = distinctColours(255);
  Picture picture;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      const int swatch = 3 * (y / 30) + x / 30;
      const int red = y < 3 ? 251 : 7 + 23 * swatch;
      picture.insert(picture.end(), {static_cast<std::uint8_t>(red), static_cast<std::uint8_t>(255 - red / 2), 99});
    }
  }
  recordings.add({picture, picture}, options);
  recordings.expectDecode();
}

// Five swatches over a ground: one stays, four have new colours in each picture, 396 in all; none is among the exact
// ones.
TEST(Gif, WhatFillsAnAreaOfALaterPictureIsExact) {
  constexpr int kSide = 40, kPictures = 100;
  Recordings recordings;
  GifOptions options = optionsFor(kSide, kSide);
  options.exact_colours = distinctColours(255);
  std::vector<Picture> pictures;
  for (int t = 0; t < kPictures; ++t) {
    Picture picture;
    for (int y = 0; y < kSide; ++y) {
      for (int x = 0; x < kSide; ++x) {
        const int swatch = y % 10 < 8 && x < 8 ? y / 10 : x > 30 ? 4 : 5;
        const std::uint32_t new_colour = 0x010203u + 0x0107u * static_cast<std::uint32_t>(4 * t + swatch);
        const std::uint32_t colour = t == 0 || swatch == 5 ? options.exact_colours[0]
                                     : swatch == 4         ? 0xfedcbau
                                                           : new_colour;
        picture.insert(picture.end(), {static_cast<std::uint8_t>(colour >> 16), static_cast<std::uint8_t>(colour >> 8),
                                       static_cast<std::uint8_t>(colour)});
      }
    }
    pictures.push_back(std::move(picture));
  }
  recordings.add(pictures, options);
  recordings.expectDecode();
}

TEST(OwnTable, TheLargerAreasTakeTheEntriesThatNoOtherPixelUses) {
  const auto exact = distinctColours(255);
  const Palette palette(exact);
  constexpr int kWidth = 255, kHeight = 20;
  Picture picture(3 * kWidth * kHeight);
  Bytes indices(kWidth * kHeight);
  // The first row uses all entries but two; three areas below it, the smallest first, are mixed of entry 1 until now.
  for (int i = 0; i < kWidth * kHeight; ++i) {
    const int x = i % kWidth, y = i / kWidth;
    const int area = y < 2 || x < 20 ? 0 : x < 40 ? 1 : x < 90 ? 2 : 3;
    indices[i] = area > 0 ? 1 : static_cast<std::uint8_t>(y == 0 ? std::min(x + 1, 253) : 1);
    setPixel(picture, static_cast<std::size_t>(i),
             area > 0 ? 0x123450u + static_cast<std::uint32_t>(area) : exact[indices[i] - 1u]);
  }
  const auto table = ownTable(palette, picture.data(), kWidth, kHeight, indices.data());
  ASSERT_TRUE(table);
  EXPECT_THAT(table->own, ::testing::ElementsAre(254, 255));
  EXPECT_EQ(table->colours[254], 0x123453u);
  EXPECT_EQ(table->colours[255], 0x123452u);
  const auto indexAt = [&](int x, int y) { return static_cast<int>(table->indices[y * kWidth + x]); };
  EXPECT_EQ(indexAt(200, 10), 254);
  EXPECT_EQ(indexAt(60, 10), 255);
  EXPECT_EQ(indexAt(30, 10), 1);
  EXPECT_EQ(indexAt(10, 10), 1);
}

TEST(OwnTable, PicturesOfThePaletteHaveNone) {
  const auto exact = distinctColours(9);
  Palette palette(exact);
  const Picture picture = movingField(30, 30, 1, exact).front();
  Bytes indices(30 * 30);
  palette.map(picture.data(), indices.size(), indices.data());
  EXPECT_FALSE(ownTable(palette, picture.data(), 30, 30, indices.data()));
}

TEST(SolidColours, AreThoseOfAreasTheLargerFirst) {
  const auto pictureOf = [](auto colour) {
    Picture picture;
    for (int y = 0; y < 40; ++y) {
      for (int x = 0; x < 40; ++x) {
        const std::uint32_t c = colour(x, y);
        picture.insert(picture.end(), {static_cast<std::uint8_t>(c >> 16), static_cast<std::uint8_t>(c >> 8),
                                       static_cast<std::uint8_t>(c)});
      }
    }
    return picture;
  };
  const auto solid = [](const Picture& picture) { return solidColours(picture.data(), 40, 40); };
  EXPECT_THAT(solid(pictureOf([](int, int) { return 0x123456u; })), ::testing::ElementsAre(0x123456u));
  // A bar on a ground; lines of two pixels are no area.
  const auto drawn = [](int x, int y) { return x > 30 ? 0xff0000u : y % 10 < 2 ? 0x00ff00u : 0x0000ffu; };
  EXPECT_THAT(solid(pictureOf(drawn)), ::testing::ElementsAre(0x0000ffu, 0xff0000u));
  EXPECT_TRUE(solid(pictureOf([](int x, int y) { return static_cast<std::uint32_t>(x + 40 * y); })).empty());
  EXPECT_LE(solid(pictureOf([](int x, int y) { return static_cast<std::uint32_t>(x / 5 + 8 * (y / 5)); })).size(),
            kMostSolid);
  EXPECT_TRUE(solidColours(Picture{1, 2, 3}.data(), 1, 1).empty());
}

TEST(Palette, HoldsTheExactColoursInOrderAndNoColourTwice) {
  const auto exact = distinctColours(100);
  const Palette palette(exact);
  EXPECT_TRUE(std::equal(exact.begin(), exact.end(), palette.colours().begin() + 1));
  const std::set<std::uint32_t> different(palette.colours().begin() + 1, palette.colours().end());
  EXPECT_EQ(different.size(), 255u);
}

TEST(Palette, RefusesMoreExactColoursThanThereIsRoomFor) {
  EXPECT_NO_THROW(Palette{distinctColours(255)});
  EXPECT_THAT(messageOf<UsageError>([] { Palette{distinctColours(256)}; }), HasSubstr("at most 255"));
}

TEST(Palette, MapsEveryColourNearbyAndNoneToTheTransparentEntry) {
  Palette palette({});
  Picture all;
  for (int r = 0; r < 256; r += 5) {
    for (int g = 0; g < 256; g += 5) {
      for (int b = 0; b < 256; b += 5) {
        for (const int value : {r, g, b}) {
          all.push_back(static_cast<std::uint8_t>(value));
        }
      }
    }
  }
  std::vector<std::uint8_t> indices(all.size() / 3);
  palette.map(all.data(), indices.size(), indices.data());
  EXPECT_EQ(std::count(indices.begin(), indices.end(), Palette::kTransparent), 0);
  double error = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int entry = palette.colours()[indices[i / 3]] >> (16 - 8 * (i % 3)) & 0xff;
    error += std::abs(entry - all[i]);
  }
  EXPECT_LT(error / static_cast<double>(all.size()), 16);  // an even 6x6x6 cube has 12.75, but spends it less well
}

TEST(Palette, KeepsGreysNearlyGrey) {
  Palette palette(distinctColours(200));
  for (int level = 0; level < 256; ++level) {
    const auto value = static_cast<std::uint8_t>(level);
    const std::uint8_t grey[3] = {value, value, value};
    std::uint8_t index = 0;
    palette.map(grey, 1, &index);
    const std::uint32_t colour = palette.colours()[index];
    int least = 255, most = 0;
    for (const int shift : {16, 8, 0}) {
      const int channel = static_cast<int>(colour >> shift & 0xff);
      EXPECT_NEAR(channel, level, 48) << level;
      least = std::min(least, channel);
      most = std::max(most, channel);
    }
    EXPECT_LE(most - least, 34) << level;
  }
}

// Where a frame's blocks say that their image lies, after the graphics control extension of eight bytes.
struct Placed {
  bool transparent;
  int left, top, width, height;
  friend bool operator==(const Placed&, const Placed&) = default;
};

Placed placeOf(const Bytes& blocks) {
  const auto word = [&](std::size_t at) { return blocks.at(at) | blocks.at(at + 1) << 8; };
  EXPECT_EQ(blocks.at(0), 0x21);
  EXPECT_EQ(blocks.at(8), 0x2c);
  return {(blocks.at(3) & 1) != 0, word(9), word(11), word(13), word(15)};
}

void PrintTo(const Placed& p, std::ostream* out) {
  *out << fmt::format("{}x{}+{}+{}{}", p.width, p.height, p.left, p.top, p.transparent ? " transparent" : "");
}

TEST(FrameEncoder, WritesTheChangedRectangleAlone) {
  const Palette palette({});
  constexpr int kWidth = 50, kHeight = 40;
  FrameEncoder encoder(kWidth, kHeight, 4);
  const Bytes before(kWidth * kHeight, 7);
  EXPECT_EQ(placeOf(encoder.encode(nullptr, before.data())), (Placed{false, 0, 0, kWidth, kHeight}));
  EXPECT_EQ(placeOf(encoder.encode(before.data(), before.data())), (Placed{false, 0, 0, 1, 1}));
  Bytes now = before;
  now[12 * kWidth + 30] = 9;
  EXPECT_EQ(placeOf(encoder.encode(before.data(), now.data())), (Placed{false, 30, 12, 1, 1}));
  now[20 * kWidth + 5] = 9;
  const Placed place = placeOf(encoder.encode(before.data(), now.data()));
  EXPECT_EQ(place, (Placed{place.transparent, 5, 12, 26, 9}));
  now[0] = now[kWidth * kHeight - 1] = 3;
  const Placed whole = placeOf(encoder.encode(before.data(), now.data()));
  EXPECT_EQ(whole, (Placed{whole.transparent, 0, 0, kWidth, kHeight}));
}

TEST(FrameEncoder, LeavesUnchangedPixelsTransparentWhereThatIsSmaller) {
  const Palette palette({});
  constexpr int kWidth = 200, kHeight = 100;
  FrameEncoder encoder(kWidth, kHeight, 4);
  Numbers numbers(7);
  Bytes noisy(kWidth * kHeight), plain(kWidth * kHeight, 1);
  for (auto& index : noisy) {
    index = static_cast<std::uint8_t>(1 + numbers.below(255));
  }
  Bytes noisy_now = noisy, plain_now = plain;
  for (int i = 0; i < 300; ++i) {
    const auto at = numbers.below(kWidth * kHeight);
    noisy_now[at] = plain_now[at] = static_cast<std::uint8_t>(1 + numbers.below(255));
  }
  const Bytes over_noise = encoder.encode(noisy.data(), noisy_now.data());
  EXPECT_TRUE(placeOf(over_noise).transparent);
  EXPECT_LT(over_noise.size() * 5, encoder.encode(nullptr, noisy_now.data()).size());
  EXPECT_FALSE(placeOf(encoder.encode(plain.data(), plain_now.data())).transparent);
}

TEST(FrameEncoder, AnAreaThatStaysIsNotWrittenAgainThoughItsEntryMoves) {
  const Palette palette({});
  constexpr int kWidth = 50, kHeight = 40;
  FrameEncoder encoder(kWidth, kHeight, 4);
  const auto withAreas = [&](const std::vector<std::pair<std::uint8_t, std::uint32_t>>& areas) {
    OwnTable table{palette.colours(), {}, Bytes(kWidth * kHeight, 7)};
    for (std::size_t i = 0; i < areas.size(); ++i) {
      table.own.push_back(areas[i].first);
      table.colours[areas[i].first] = areas[i].second;
      std::fill_n(table.indices.begin() + kWidth * (10 + 10 * static_cast<int>(i)), 5 * kWidth, areas[i].first);
    }
    return table;
  };
  const OwnTable one = withAreas({{30, 0xaa0001}}), moved = withAreas({{31, 0xaa0001}}),
                 two = withAreas({{40, 0xaa0001}, {30, 0xbb0002}}), other = withAreas({{30, 0xcc0003}});
  const auto encoded = [&](const OwnTable& before, const OwnTable& now) {
    return encoder.encode(Indexed{before.indices.data(), &before}, Indexed{now.indices.data(), &now});
  };
  const auto hasTable = [](const Bytes& frame) { return (frame.at(17) & 0x80) != 0; };
  EXPECT_EQ(placeOf(encoded(one, moved)), (Placed{false, 0, 0, 1, 1}));
  EXPECT_FALSE(hasTable(encoded(one, moved)));
  EXPECT_EQ(placeOf(encoded(one, two)), (Placed{false, 0, 20, kWidth, 5}));
  EXPECT_TRUE(hasTable(encoded(one, two)));
  EXPECT_EQ(placeOf(encoded(one, other)), (Placed{false, 0, 10, kWidth, 5}));
  EXPECT_TRUE(hasTable(encoded(one, other)));
}

TEST(GifDelay, IsTheHundredthsOfASecondOfRepresentableRates) {
  EXPECT_EQ(gifDelay(50), 2);
  EXPECT_EQ(gifDelay(100.0 / 3), 3);
  EXPECT_EQ(gifDelay(33.3), 3);
  EXPECT_EQ(gifDelay(33.33), 3);
  EXPECT_EQ(gifDelay(25), 4);
  EXPECT_EQ(gifDelay(20), 5);
  EXPECT_EQ(gifDelay(10), 10);
  EXPECT_EQ(gifDelay(1), 100);
  EXPECT_EQ(gifDelay(0.01), 10000);
}

TEST(GifDelay, NamesTheNearestRateForTheOthers) {
  const auto message = [](double fps) { return messageOf<UsageError>([&] { gifDelay(fps); }); };
  EXPECT_THAT(message(60), HasSubstr("the nearest rate is 50 "));
  EXPECT_THAT(message(1e9), HasSubstr("the nearest rate is 50 "));
  EXPECT_THAT(message(30), HasSubstr("the nearest rate is 33.33 "));
  EXPECT_THAT(message(24), HasSubstr("the nearest rate is 25 "));
  EXPECT_THAT(message(40), HasSubstr("the nearest rate is 33.33 "));
  EXPECT_THAT(message(15), HasSubstr("the nearest rate is 14.29 "));
  EXPECT_THAT(message(1e-9), HasSubstr("the nearest rate is 0.001526 "));
  for (const double fps : {0.0, -25.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_THAT(message(fps), HasSubstr("fps"));
  }
}

}  // namespace
}  // namespace simscope::exporting::testing
