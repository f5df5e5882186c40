#include "app/export/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <new>
#include <unordered_set>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kAllColours = 1u << 24;
constexpr std::uint32_t kLevels = 16, kLevelStep = 255 / (kLevels - 1);  // a channel, of the lattice of candidates
constexpr float kNever = 1e3f;                                           // an Oklab coordinate far beyond all colours

struct Lab {
  float lightness, green_red, blue_yellow;
};

// The transfer function of sRGB (IEC 61966-2-1), inverted, for each byte; with the light of the room that every screen
// reflects, without which Oklab tells shades near black apart that no eye does.
const std::array<float, 256>& linearLight() {
  constexpr double kFlare = 0.01;
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (int i = 0; i < 256; ++i) {
      const double v = i / 255.0;
      const double light = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
      values[i] = static_cast<float>((light + kFlare) / (1 + kFlare));
    }
    return values;
  }();
  return table;
}

Lab oklab(std::uint32_t colour) {
  const auto& linear = linearLight();
  const float r = linear[colour >> 16 & 0xff], g = linear[colour >> 8 & 0xff], b = linear[colour & 0xff];
  const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

float squaredDistance(const Lab& a, const Lab& b) {
  const float dl = a.lightness - b.lightness, da = a.green_red - b.green_red, db = a.blue_yellow - b.blue_yellow;
  return dl * dl + da * da + db * db;
}

std::vector<std::uint32_t> cubeLattice() {
  std::vector<std::uint32_t> lattice;
  for (std::uint32_t r = 0; r < kLevels; ++r) {
    for (std::uint32_t g = 0; g < kLevels; ++g) {
      for (std::uint32_t b = 0; b < kLevels; ++b) {
        lattice.push_back((r << 16 | g << 8 | b) * kLevelStep);
      }
    }
  }
  return lattice;
}

std::vector<std::uint32_t> greys() {
  std::vector<std::uint32_t> ramp;
  for (std::uint32_t level = 0; level < kLevels; ++level) {
    ramp.push_back(level * kLevelStep * 0x010101u);
  }
  return ramp;
}

// Adds to `colours` until there are `count`: each time the candidate farthest from all chosen ones, which keeps the
// largest error within twice the best possible (T. Gonzalez, "Clustering to minimize the maximum intercluster
// distance", 1985). Stops early where all candidates are chosen.
void spread(std::vector<std::uint32_t>& colours, std::size_t count, const std::vector<std::uint32_t>& from) {
  struct Candidate {
    std::uint32_t colour;
    Lab lab;
    float distance;  // squared, to the nearest chosen colour
  };
  std::vector<Candidate> candidates;
  for (const std::uint32_t colour : from) {
    candidates.push_back({colour, oklab(colour), std::numeric_limits<float>::max()});
  }
  const auto chosen = [&](std::uint32_t colour) {
    const Lab lab = oklab(colour);
    for (Candidate& candidate : candidates) {
      candidate.distance = std::min(candidate.distance, squaredDistance(candidate.lab, lab));
    }
  };
  for (const std::uint32_t colour : colours) {
    chosen(colour);
  }
  while (colours.size() < count) {
    const auto farthest = std::max_element(candidates.begin(), candidates.end(),
                                           [](const auto& a, const auto& b) { return a.distance < b.distance; });
    if (farthest->distance == 0) {
      return;
    }
    colours.push_back(farthest->colour);
    chosen(farthest->colour);
  }
}

}  // namespace

Palette::Palette(std::span<const std::uint32_t> exact) {
  std::vector<std::uint32_t> colours;
  std::unordered_set<std::uint32_t> seen;
  for (const std::uint32_t colour : exact) {
    if (seen.insert(colour & 0xffffffu).second) {
      colours.push_back(colour & 0xffffffu);
    }
  }
  constexpr std::size_t kRoom = kColours - 1;
  if (colours.size() > kRoom) {
    throw UsageError(
        fmt::format("{} different colours cannot all be exact in a GIF: choose at most {}", colours.size(), kRoom));
  }
  // Smooth edges of text and lines are mostly grey, and a tint is seen soonest there: a part of the room is for greys.
  spread(colours, colours.size() + std::min<std::size_t>(kLevels, (kRoom - colours.size()) / 4), greys());
  spread(colours, kRoom, cubeLattice());
  // The transparent entry repeats a colour, so that a decoder that ignores transparency shows no stray one.
  colours_[kTransparent] = colours.front();
  lightness_[kTransparent] = kNever;
  for (std::size_t i = 0; i < kRoom; ++i) {
    const Lab lab = oklab(colours[i]);
    colours_[i + 1] = colours[i];
    lightness_[i + 1] = lab.lightness;
    green_red_[i + 1] = lab.green_red;
    blue_yellow_[i + 1] = lab.blue_yellow;
  }
  // calloc: the pages come zeroed, that is unknown, from the system when they are first touched.
  known_.reset(static_cast<std::uint8_t*>(std::calloc(kAllColours, 1)));
  if (!known_) {
    throw std::bad_alloc();
  }
  for (std::size_t i = kRoom; i > 0; --i) {
    known_[colours_[i]] = static_cast<std::uint8_t>(i);
  }
}

std::uint8_t Palette::nearest(std::uint32_t colour) const {
  const Lab lab = oklab(colour);
  alignas(64) std::array<float, kColours> distance;
  for (int i = 0; i < kColours; ++i) {
    distance[i] = squaredDistance(lab, {lightness_[i], green_red_[i], blue_yellow_[i]});
  }
  return static_cast<std::uint8_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
}

void Palette::map(const std::uint8_t* rgb, std::size_t pixels, std::uint8_t* indices) {
  for (std::size_t i = 0; i < pixels; ++i, rgb += 3) {
    const std::uint32_t colour = std::uint32_t{rgb[0]} << 16 | std::uint32_t{rgb[1]} << 8 | rgb[2];
    // Threads that meet at an unknown colour compute the same answer: relaxed order suffices.
    const std::atomic_ref<std::uint8_t> known(known_[colour]);
    std::uint8_t index = known.load(std::memory_order_relaxed);
    if (index == kTransparent) {
      index = nearest(colour);
      known.store(index, std::memory_order_relaxed);
    }
    indices[i] = index;
  }
}

}  // namespace simscope::exporting
