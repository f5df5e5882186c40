#include "app/export/gif/solid_colours.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "app/export/gif/palette.h"

namespace simscope::exporting {

std::vector<std::uint32_t> solidColours(const std::uint8_t* rgb, int width, int height) {
  constexpr std::int64_t kArea = 8;
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  std::unordered_map<std::uint32_t, std::int64_t> areas;
  for (int y = 1; y + 1 < height; ++y) {
    const std::uint8_t* const above = rgb + static_cast<std::size_t>(y - 1) * row;
    const auto pixel = [&](int line, int x) { return above + static_cast<std::size_t>(line) * row + 3 * x; };
    const auto equal = [&](int x) {  // the three of a column
      return std::memcmp(pixel(1, x), pixel(0, x), 3) == 0 && std::memcmp(pixel(1, x), pixel(2, x), 3) == 0;
    };
    const auto count = [&](int begin, int end) {  // a run of columns of one colour
      if (end - begin < 3) return;
      const std::uint8_t* const p = pixel(1, begin);
      areas[std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2]] += end - begin - 2;
    };
    for (int x = 0; x < width;) {
      if (!equal(x)) {
        ++x;
        continue;
      }
      int end = x + 1;
      while (end < width && std::memcmp(pixel(1, end), pixel(1, x), 3) == 0 && equal(end)) ++end;
      count(x, end);
      x = end;
    }
  }
  std::vector<std::pair<std::uint32_t, std::int64_t>> found;
  for (const auto& each : areas) {
    if (each.second >= kArea) found.push_back(each);
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  if (found.size() > kMostSolid) found.resize(kMostSolid);
  std::vector<std::uint32_t> colours;
  for (const auto& each : found) colours.push_back(each.first);
  return colours;
}

std::vector<std::uint32_t> paletteColours(const std::uint8_t* rgb, int width, int height,
                                          const std::vector<std::uint32_t>& exact) {
  std::vector<std::uint32_t> colours = solidColours(rgb, width, height);
  std::unordered_set<std::uint32_t> known(colours.begin(), colours.end());
  for (const std::uint32_t each : exact) {
    if (colours.size() == Palette::kColours - 1) break;
    if (known.insert(each & 0xffffffu).second) colours.push_back(each & 0xffffffu);
  }
  return colours;
}

}  // namespace simscope::exporting
