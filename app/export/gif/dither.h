// Maps pictures with more colours than a palette to indices, by an ordered dither.
//
// A pixel whose colour is in the palette keeps it. Any other pixel in a smooth part of the picture takes one of the
// kMix colours whose mean light is nearest to its own; a fixed pattern decides which: equal pictures give equal
// indices, and unchanged parts do not flicker. At edges (of text, lines, small points) an isolated pixel of another
// colour would be visible as a defect: there the nearest colour is used.
// Sources: the choice of colours follows T. Knoll's pattern dithering, with the error carried in linear light and a
// penalty for distant colours; the pattern is blue noise made by void and cluster (R. Ulichney, "The void-and-cluster
// method for dither array generation", 1993).
// Owner: of the table of mixtures (4 MiB, filled as colours occur); the palette must outlive it. Thread: map() from any
// number at once; the result does not depend on the order. Errors: std::bad_alloc.
#pragma once

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "app/export/gif/oklab.h"
#include "app/export/gif/palette.h"

namespace simscope::exporting {

class Dither {
 public:
  static constexpr int kMix = 16;

  explicit Dither(Palette& palette);

  // A picture of the same size whose indices are known.
  struct Known {
    const std::uint8_t* rgb = nullptr;  // null: there is none
    const std::uint8_t* indices = nullptr;
  };
  // Indices of a picture: RGB, top row first. Where a pixel and its surroundings equal `like`, the indices of `like`
  // are copied: the same indices, in less time.
  void map(const std::uint8_t* rgb, int width, int height, std::uint8_t* indices, const Known& like);
  void map(const std::uint8_t* rgb, int width, int height, std::uint8_t* indices) {
    map(rgb, width, height, indices, {});
  }

 private:
  struct Free {
    void operator()(std::uint64_t* memory) const noexcept { std::free(memory); }
  };
  std::uint8_t mixed(std::size_t cell, unsigned threshold);
  std::uint64_t makeMixture(std::size_t cell, unsigned half);

  Palette& palette_;
  alignas(64) std::array<float, Palette::kColours> lightness_{}, green_red_{}, blue_yellow_{};
  std::array<Light, Palette::kColours> light_{};
  // Two words per cell of the colour cube: its mixture from dark to bright, one index per byte; 0: not computed yet.
  std::unique_ptr<std::uint64_t[], Free> mixtures_;
};

// The pattern: a square of kSide² bytes with a uniform distribution of values, row by row.
struct BlueNoise {
  static constexpr unsigned kSide = 32;
  std::array<std::uint8_t, kSide * kSide> values;
};
const BlueNoise& blueNoise();

}  // namespace simscope::exporting
