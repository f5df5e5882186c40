// Pictures with more colours than a palette holds, as indices: an ordered dither.
//
// A pixel whose colour is in the palette keeps it. Any other, where the picture is smooth around it, takes one of the
// kMix colours whose mean light is nearest to its own, which one a fixed pattern decides: equal pictures give equal
// indices, and what stands still does not flicker. At edges (of text, lines, small points) an isolated pixel of
// another colour would be seen as dirt: there the nearest colour stands.
// Sources: the choice of colours is that of T. Knoll's pattern dithering, with its error
// carried in linear light and far colours made dear; the pattern is blue noise made by void and cluster (R. Ulichney,
// "The void-and-cluster method for dither array generation", 1993).
// Owner: the memory of the table of mixtures (4 MiB, filled as colours are met); the palette must outlive it. Thread:
// map() from any number at once; the result does not depend on who came first. Errors: std::bad_alloc.
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
  // Indices of a picture: RGB, top row first. Where it and its surroundings are as in `like`, those of it are taken
  // over: the same indices, sooner.
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
  // Two words a cell of the colour cube, its mixture from dark to bright, an index a byte; 0: not asked for yet.
  std::unique_ptr<std::uint64_t[], Free> mixtures_;
};

// The pattern: a square of kSide² bytes in which every value is as frequent as any other, row by row.
struct BlueNoise {
  static constexpr unsigned kSide = 32;
  std::array<std::uint8_t, kSide * kSide> values;
};
const BlueNoise& blueNoise();

}  // namespace simscope::exporting
