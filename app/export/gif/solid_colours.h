// The colours that fill areas of a picture: backgrounds, bars, the swatches of a key. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simscope::exporting {

inline constexpr std::size_t kMostSolid = 48;

// 0xRRGGBB, the larger areas first, at most kMostSolid. A pixel counts where the eight around it have its colour; fewer
// than eight such pixels are no area. `rgb`: top row first.
std::vector<std::uint32_t> solidColours(const std::uint8_t* rgb, int width, int height);

// The colours that a GIF with this first picture shows exactly: those that fill areas, then as many of `exact` as there
// is room for (Palette).
std::vector<std::uint32_t> paletteColours(const std::uint8_t* rgb, int width, int height,
                                          const std::vector<std::uint32_t>& exact);

}  // namespace simscope::exporting
