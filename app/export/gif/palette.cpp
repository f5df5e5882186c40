#include "app/export/gif/palette.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <new>
#include <unordered_set>
#include <vector>

#include "app/export/gif/oklab.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kAllColours = 1u << 24;
constexpr std::uint32_t kLatticeLevels = 16,
                        kLevelStep = 255 / (kLatticeLevels - 1);  // a channel, of the lattice of candidates
constexpr float kUnreachable = 1e3f;                              // an Oklab coordinate far beyond all colours

Lab oklabOf(std::uint32_t colour) {
  return oklab(linearLight(colour));
}

std::uint32_t packed(const std::uint8_t* rgb) {
  return std::uint32_t{rgb[0]} << 16 | std::uint32_t{rgb[1]} << 8 | rgb[2];
}

std::vector<std::uint32_t> cubeLattice() {
  std::vector<std::uint32_t> lattice;
  for (std::uint32_t r = 0; r < kLatticeLevels; ++r) {
    for (std::uint32_t g = 0; g < kLatticeLevels; ++g) {
      for (std::uint32_t b = 0; b < kLatticeLevels; ++b) {
        lattice.push_back((r << 16 | g << 8 | b) * kLevelStep);
      }
    }
  }
  return lattice;
}

std::vector<std::uint32_t> greys() {
  std::vector<std::uint32_t> ramp;
  for (std::uint32_t level = 0; level < kLatticeLevels; ++level) {
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
    candidates.push_back({colour, oklabOf(colour), std::numeric_limits<float>::max()});
  }
  const auto chosen = [&](std::uint32_t colour) {
    const Lab lab = oklabOf(colour);
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

namespace {

std::vector<std::uint32_t> different(std::span<const std::uint32_t> exact) {
  std::vector<std::uint32_t> colours;
  std::unordered_set<std::uint32_t> seen;
  for (const std::uint32_t colour : exact) {
    if (seen.insert(colour & 0xffffffu).second) {
      colours.push_back(colour & 0xffffffu);
    }
  }
  constexpr std::size_t kRoom = Palette::kColours - 1;
  if (colours.size() > kRoom) {
    throw UsageError(
        fmt::format("{} different colours cannot all be exact in a GIF: choose at most {}", colours.size(), kRoom));
  }
  return colours;
}

}  // namespace

void checkExact(std::span<const std::uint32_t> exact) {
  (void)different(exact);
}

Palette::Palette(std::span<const std::uint32_t> exact) {
  std::vector<std::uint32_t> colours = different(exact);
  constexpr std::size_t kRoom = kColours - 1;
  // Smooth edges of text and lines are mostly grey, and a tint is seen soonest there: a part of the room is for greys.
  spread(colours, colours.size() + std::min<std::size_t>(kLatticeLevels, (kRoom - colours.size()) / 4), greys());
  spread(colours, kRoom, cubeLattice());
  // The transparent entry repeats a colour, so that a decoder that ignores transparency shows no stray one.
  colours_[kTransparent] = colours.front();
  lightness_[kTransparent] = kUnreachable;
  for (std::size_t i = 0; i < kRoom; ++i) {
    const Lab lab = oklabOf(colours[i]);
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
  const Lab lab = oklabOf(colour);
  const Tint tint(lab);
  alignas(64) std::array<float, kColours> distance;
  for (int i = 0; i < kColours; ++i) {
    const Lab own{lightness_[i], green_red_[i], blue_yellow_[i]};
    distance[i] = squaredDistance(lab, own) + tint.cost(chroma(own));
  }
  return static_cast<std::uint8_t>(std::min_element(distance.begin(), distance.end()) - distance.begin());
}

void Palette::map(const std::uint8_t* rgb, std::size_t pixels, std::uint8_t* indices) {
  for (std::size_t i = 0; i < pixels; ++i, rgb += 3) {
    const std::uint32_t colour = packed(rgb);
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

bool Palette::mapExact(const std::uint8_t* rgb, std::size_t pixels, std::uint8_t* indices) {
  bool all = true;
  for (std::size_t i = 0; i < pixels; ++i, rgb += 3) {
    const std::uint32_t colour = packed(rgb);
    // The palette's own colours are known from the start. No branch: a moving field defeats every prediction.
    const std::uint8_t known = std::atomic_ref(known_[colour]).load(std::memory_order_relaxed);
    const bool exact = (known != kTransparent) & (colours_[known] == colour);
    indices[i] = exact ? known : kTransparent;
    all &= exact;
  }
  return all;
}

}  // namespace simscope::exporting
