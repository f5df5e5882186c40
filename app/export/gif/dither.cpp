#include "app/export/gif/dither.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <new>
#include <vector>

namespace simscope::exporting {
namespace {

constexpr unsigned kTableLevels = 64;  // of a channel, in the table
constexpr std::size_t kCells = std::size_t{kTableLevels} * kTableLevels * kTableLevels;
constexpr int kPerWord = 8;
constexpr float kFarIsDear = 0.35f;   // weight of a colour's own distance beside that of the mean
constexpr float kProhibitive = 1e6f;  // a cost above all others
constexpr std::uint8_t kEdge = 28;    // levels between neighbours: more is an edge

// A stored level lies between two of the table's: the pattern decides here too, or slow gradients would show steps.
struct Split {
  std::array<std::uint8_t, 256> below{}, part{};
};
constexpr Split kSplit = [] {
  Split split;
  for (unsigned v = 0; v < 256; ++v) {
    const unsigned scaled = v * (kTableLevels - 1);
    split.below[v] = static_cast<std::uint8_t>(scaled / 255);
    split.part[v] = static_cast<std::uint8_t>(scaled % 255);
  }
  return split;
}();

// For each channel, the largest difference to the four neighbours; at the picture's edge, to those that exist.
void neighbourDistances(const std::uint8_t* rgb, int width, int height, int y, std::uint8_t* distance) {
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  const std::uint8_t* here = rgb + static_cast<std::size_t>(y) * row;
  const std::uint8_t* above = y > 0 ? here - row : here;
  const std::uint8_t* below = y + 1 < height ? here + row : here;
  const auto apart = [](std::uint8_t a, std::uint8_t b) {
    return static_cast<std::uint8_t>(std::max(a, b) - std::min(a, b));
  };
  for (std::size_t i = 0; i < row; ++i) {
    distance[i] = std::max(apart(here[i], above[i]), apart(here[i], below[i]));
  }
  for (std::size_t i = 3; i < row; ++i) {
    distance[i] = std::max(distance[i], apart(here[i], here[i - 3]));
  }
  for (std::size_t i = 0; i + 3 < row; ++i) {
    distance[i] = std::max(distance[i], apart(here[i], here[i + 3]));
  }
}

// A part of a row; empty: begin ≥ end.
struct PixelRange {
  int begin = 0, end = 0;
};

PixelRange joined(const PixelRange& a, const PixelRange& b) {
  if (a.end <= a.begin) return b;
  if (b.end <= b.begin) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// The part of each row between the first and the last byte that differ, in blocks of bytes; without another picture the
// whole row.
std::vector<PixelRange> changedParts(const std::uint8_t* rgb, const std::uint8_t* other, int width, int height) {
  std::vector<PixelRange> parts(static_cast<std::size_t>(height), {0, width});
  if (!other) return parts;
  constexpr std::size_t kBlock = 96;  // a whole number of pixels
  const std::size_t bytes = static_cast<std::size_t>(width) * 3;
  for (std::size_t y = 0; y < parts.size(); ++y) {
    const std::uint8_t* a = rgb + y * bytes;
    const std::uint8_t* b = other + y * bytes;
    const auto differs = [&](std::size_t from, std::size_t to) {
      return std::memcmp(a + from, b + from, to - from) != 0;
    };
    std::size_t begin = 0, end = bytes;
    while (begin < end && !differs(begin, std::min(begin + kBlock, end))) begin = std::min(begin + kBlock, end);
    while (end > begin && !differs(end - std::min(kBlock, end - begin), end)) end -= std::min(kBlock, end - begin);
    // The last block may begin within a pixel.
    parts[y] = {static_cast<int>(begin / 3), static_cast<int>((end + 2) / 3)};
    if (begin >= end) parts[y] = {};
  }
  return parts;
}

}  // namespace

Dither::Dither(Palette& palette) : palette_(palette) {
  for (int i = 0; i < Palette::kColours; ++i) {
    light_[i] = linearLight(palette.colours()[i]);
    const Lab lab = oklab(light_[i]);
    lightness_[i] = lab.lightness;
    green_red_[i] = lab.green_red;
    blue_yellow_[i] = lab.blue_yellow;
  }
  // calloc: the pages come zeroed, that is unknown, from the system when they are first touched.
  mixtures_.reset(static_cast<std::uint64_t*>(std::calloc(kCells * kMix / kPerWord, sizeof(std::uint64_t))));
  if (!mixtures_) {
    throw std::bad_alloc();
  }
}

// Each chosen colour is the nearest to the wanted one plus the error of the colours chosen before.
std::uint64_t Dither::makeMixture(std::size_t cell, unsigned half) {
  constexpr double kStep = 255.0 / (kTableLevels - 1);
  const Light wanted{linearLight(static_cast<double>(cell / (kTableLevels * kTableLevels)) * kStep),
                     linearLight(static_cast<double>(cell / kTableLevels % kTableLevels) * kStep),
                     linearLight(static_cast<double>(cell % kTableLevels) * kStep)};
  alignas(64) std::array<float, Palette::kColours> dear;
  const Lab centre = oklab(wanted);
  const Tint tint(centre);
  for (int i = 0; i < Palette::kColours; ++i) {
    const Lab own{lightness_[i], green_red_[i], blue_yellow_[i]};
    dear[i] = kFarIsDear * squaredDistance(centre, own) + tint.cost(chroma(own));
  }
  dear[Palette::kTransparent] = kProhibitive;
  Light owed{};
  std::array<std::uint8_t, kMix> mixture{};
  for (std::uint8_t& chosen : mixture) {
    Light goal;
    for (int c = 0; c < 3; ++c) {
      goal[c] = std::clamp(wanted[c] + owed[c], 0.0f, 1.0f);
    }
    // Floats that are not negative are ordered as their bits are, and the last bits make room for the index: a minimum
    // of integers is what compilers make fast.
    const Lab aim = oklab(goal);
    std::int32_t best = std::numeric_limits<std::int32_t>::max();
    for (std::int32_t i = 0; i < Palette::kColours; ++i) {
      const float cost = dear[i] + squaredDistance(aim, {lightness_[i], green_red_[i], blue_yellow_[i]});
      best = std::min(best, (std::bit_cast<std::int32_t>(cost) & ~0xff) | i);
    }
    chosen = static_cast<std::uint8_t>(best & 0xff);
    for (int c = 0; c < 3; ++c) {
      owed[c] += wanted[c] - light_[chosen][c];
    }
  }
  std::sort(mixture.begin(), mixture.end(), [&](std::uint8_t a, std::uint8_t b) {
    return lightness_[a] != lightness_[b] ? lightness_[a] < lightness_[b] : a < b;
  });
  std::uint64_t result = 0;
  for (unsigned word = 0; word < kMix / kPerWord; ++word) {
    std::uint64_t packed = 0;
    for (int k = kPerWord; k-- > 0;) {
      packed = packed << 8 | mixture[word * kPerWord + k];
    }
    std::atomic_ref(mixtures_[cell * (kMix / kPerWord) + word]).store(packed, std::memory_order_relaxed);
    if (word == half) {
      result = packed;
    }
  }
  return result;
}

std::uint8_t Dither::mixed(std::size_t cell, unsigned threshold) {
  const unsigned place = threshold * kMix / 256, half = place / kPerWord;
  // Threads that meet at an unknown cell compute the same answer: relaxed order suffices.
  std::uint64_t word = std::atomic_ref(mixtures_[cell * (kMix / kPerWord) + half]).load(std::memory_order_relaxed);
  if (word == 0) {
    word = makeMixture(cell, half);
  }
  return static_cast<std::uint8_t>(word >> (8 * (place % kPerWord)));
}

void Dither::map(const std::uint8_t* rgb, int width, int height, std::uint8_t* indices, const Known& like) {
  constexpr unsigned kMask = BlueNoise::kSide - 1;
  const auto& noise = blueNoise().values;
  const auto pattern = [&](unsigned x, unsigned y) { return noise[(y & kMask) * BlueNoise::kSide + (x & kMask)]; };
  std::vector<std::uint8_t> distance(static_cast<std::size_t>(width) * 3);
  const std::vector<PixelRange> changed = changedParts(rgb, like.rgb, width, height);
  for (int y = 0; y < height; ++y) {
    const std::size_t row = static_cast<std::size_t>(y) * width;
    std::uint8_t* index = indices + row;
    // A pixel's index depends on those around it.
    PixelRange part = changed[static_cast<std::size_t>(y)];
    if (y > 0) part = joined(part, changed[static_cast<std::size_t>(y) - 1]);
    if (y + 1 < height) part = joined(part, changed[static_cast<std::size_t>(y) + 1]);
    if (like.rgb) std::memcpy(index, like.indices + row, static_cast<std::size_t>(width));
    if (part.end <= part.begin) continue;
    part = {std::max(part.begin - 1, 0), std::min(part.end + 1, width)};
    const std::uint8_t* pixel = rgb + (row + static_cast<std::size_t>(part.begin)) * 3;
    if (palette_.mapExact(pixel, static_cast<std::size_t>(part.end - part.begin), index + part.begin)) {
      continue;
    }
    neighbourDistances(rgb, width, height, y, distance.data());
    for (int x = part.begin; x < part.end; ++x, pixel += 3) {
      if (index[x] != Palette::kTransparent) {
        continue;
      }
      const std::uint8_t* d = &distance[static_cast<std::size_t>(x) * 3];
      if (std::max({d[0], d[1], d[2]}) > kEdge) {
        palette_.map(pixel, 1, &index[x]);
        continue;
      }
      std::size_t cell = 0;
      for (unsigned c = 0; c < 3; ++c) {
        // Shifted, so that the decisions of the channels and of the mixture are independent.
        const unsigned threshold = pattern(x + 13 + 19 * c, y + 29 + 23 * c);
        cell = cell * kTableLevels + kSplit.below[pixel[c]] + (kSplit.part[pixel[c]] > threshold);
      }
      index[x] = mixed(cell, pattern(x, y));
    }
  }
}

}  // namespace simscope::exporting
