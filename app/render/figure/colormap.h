// The colour tables of fields: which there are, and the entries that a figure draws with.
//
// The maps are made by assets/colormaps/make.py and embedded in the binary. A figure draws with kFieldColours entries
// of them rather than 256, so that a field and all that is written around it fit the 255 exact colours of a GIF. Plain
// functions and data; any thread. Errors: UsageError for an unknown name, with the closest one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::render {

constexpr std::size_t kFieldColours = 200;

struct EmbeddedColormap {
  std::string_view name;
  std::array<std::uint32_t, 256> colours;  // 0xRRGGBB
};
// In the order in which they should be offered. (Generated at build time.)
std::span<const EmbeddedColormap> embeddedColormaps();

std::vector<std::string> colormapNames();

// The entries from the lowest value to the highest; reversed: the other way round.
std::array<std::uint32_t, kFieldColours> colormap(const std::string& name, bool reversed = false);

}  // namespace simscope::render
