// The colour tables of fields: their list, and the entries that a figure draws with.
//
// The maps are made by assets/colormaps/make.py and embedded in the binary. A figure uses kFieldColours entries of them
// instead of 256, so that a field and its surroundings fit the 255 exact colours of a GIF. Plain functions and data;
// any thread. Errors: UsageError for an unknown name, with the closest one.
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
// In the order in which they are offered. (Generated at build time.)
std::span<const EmbeddedColormap> embeddedColormaps();

std::vector<std::string> colormapNames();

// The entries from the lowest value to the highest; reversed: from the highest to the lowest.
std::array<std::uint32_t, kFieldColours> colormap(const std::string& name, bool reversed = false);

}  // namespace simscope::render
