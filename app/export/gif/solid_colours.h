// The colours that fill areas of a picture: backgrounds, bars, the swatches of a key. Pure; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "app/export/gif/palette.h"

namespace simscope::exporting {

inline constexpr std::size_t kMostSolid = 48;

// 0xRRGGBB, the larger areas first, at most kMostSolid. A pixel counts where the eight around it have its colour; fewer
// than eight such pixels are no area. `rgb`: top row first.
std::vector<std::uint32_t> solidColours(const std::uint8_t* rgb, int width, int height);

// The colours that a GIF with this first picture shows exactly: those that fill areas, then as many of `exact` as there
// is room for (Palette).
std::vector<std::uint32_t> paletteColours(const std::uint8_t* rgb, int width, int height,
                                          const std::vector<std::uint32_t>& exact);

// The colours of one picture where they are not the palette's.
struct OwnTable {
  std::array<std::uint32_t, Palette::kColours> colours;
  std::vector<std::uint8_t> own;      // the entries that have another colour than in the palette
  std::vector<std::uint8_t> indices;  // of the picture
};

// What fills areas of a later picture is exact, too: its colours take entries that no other pixel of the picture uses,
// the larger areas first. `indices`: of this picture, into the palette. Null: all areas have colours of the palette, or
// no entry is free.
std::shared_ptr<const OwnTable> ownTable(const Palette& palette, const std::uint8_t* rgb, int width, int height,
                                         const std::uint8_t* indices);

}  // namespace simscope::exporting
