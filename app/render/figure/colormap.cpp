#include "app/render/figure/colormap.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/error.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::render {

std::vector<std::string> colormapNames() {
  std::vector<std::string> names;
  for (const EmbeddedColormap& map : embeddedColormaps()) names.emplace_back(map.name);
  return names;
}

std::array<std::uint32_t, kFieldColours> colormap(const std::string& name, bool reversed) {
  const auto maps = embeddedColormaps();
  const auto map = std::find_if(maps.begin(), maps.end(), [&](const EmbeddedColormap& m) { return m.name == name; });
  if (map == maps.end()) {
    const std::vector<std::string> names = colormapNames();
    throw UsageError(fmt::format("colormap: \"{}\" is unknown{} The colormaps are: {}", foreign::shown(name),
                                 didYouMean(name, names, "."), fmt::join(names, ", ")));
  }
  std::array<std::uint32_t, kFieldColours> entries;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    // The ends stay the ends of the map; between, the two neighbours are mixed.
    const double at = 255.0 * static_cast<double>(k) / (kFieldColours - 1);
    const auto below = std::min<std::size_t>(static_cast<std::size_t>(at), 254);
    const double part = at - static_cast<double>(below);
    std::uint32_t colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      const double a = (map->colours[below] >> shift) & 0xff, b = (map->colours[below + 1] >> shift) & 0xff;
      colour |= static_cast<std::uint32_t>(std::lround(a + (b - a) * part)) << shift;
    }
    entries[reversed ? kFieldColours - 1 - k : k] = colour;
  }
  return entries;
}

}  // namespace simscope::render
