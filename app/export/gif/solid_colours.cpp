#include "app/export/gif/solid_colours.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "app/export/gif/palette.h"

namespace simscope::exporting {

namespace {

std::uint32_t colourAt(const std::uint8_t* p) {
  return std::uint32_t{p[0]} << 16 | std::uint32_t{p[1]} << 8 | p[2];
}

// The larger areas first. `row_counts`: of a row, whether its pixels are to be counted; `counts`: of one of its pixels.
template <class RowCounts, class Counts>
std::vector<std::uint32_t> areasOf(const std::uint8_t* rgb, int width, int height, std::size_t most,
                                   const RowCounts& row_counts, const Counts& counts) {
  constexpr std::int64_t kArea = 8;
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  std::unordered_map<std::uint32_t, std::int64_t> areas;
  for (int y = 1; y + 1 < height; ++y) {
    if (!row_counts(y)) continue;
    const std::uint8_t* const above = rgb + static_cast<std::size_t>(y - 1) * row;
    const auto pixel = [&](int line, int x) { return above + static_cast<std::size_t>(line) * row + 3 * x; };
    const auto equal = [&](int x) {  // the three of a column
      return std::memcmp(pixel(1, x), pixel(0, x), 3) == 0 && std::memcmp(pixel(1, x), pixel(2, x), 3) == 0;
    };
    for (int x = 0; x < width;) {
      if (!equal(x)) {
        ++x;
        continue;
      }
      int end = x + 1;  // of a run of columns of one colour
      while (end < width && std::memcmp(pixel(1, end), pixel(1, x), 3) == 0 && equal(end)) ++end;
      if (end - x > 2 && counts(x, y)) areas[colourAt(pixel(1, x))] += end - x - 2;
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
  if (found.size() > most) found.resize(most);
  std::vector<std::uint32_t> colours;
  for (const auto& each : found) colours.push_back(each.first);
  return colours;
}

}  // namespace

std::vector<std::uint32_t> solidColours(const std::uint8_t* rgb, int width, int height) {
  return areasOf(
      rgb, width, height, kMostSolid, [](int) { return true; }, [](int, int) { return true; });
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

std::shared_ptr<const OwnTable> ownTable(const Palette& palette, const std::uint8_t* rgb, int width, int height,
                                         const std::uint8_t* indices) {
  const auto w = static_cast<std::size_t>(width);
  const auto differs = [&](std::size_t i) { return palette.colours()[indices[i]] != colourAt(rgb + 3 * i); };
  std::vector<std::uint32_t> areas = areasOf(
      rgb, width, height, Palette::kColours - 1,
      [&](int y) {
        const std::size_t begin = static_cast<std::size_t>(y) * w;
        bool any = false;
        for (std::size_t i = begin; i < begin + w; ++i) any |= differs(i);
        return any;
      },
      [&](int x, int y) { return differs(static_cast<std::size_t>(y) * w + static_cast<std::size_t>(x)); });
  if (areas.empty()) return nullptr;

  // An area that finds no entry needs those of the palette that it is mixed of, and others may then find fewer.
  std::unordered_map<std::uint32_t, std::uint8_t> entries;
  std::vector<std::uint8_t> free;
  const std::size_t pixels = w * static_cast<std::size_t>(height);
  do {
    if (!free.empty()) areas.resize(free.size());
    entries.clear();
    for (const std::uint32_t each : areas) entries.emplace(each, Palette::kTransparent);
    std::array<bool, Palette::kColours> used{};
    used[Palette::kTransparent] = true;
    for (std::size_t i = 0; i < pixels; ++i) {
      if (!used[indices[i]] && !(differs(i) && entries.contains(colourAt(rgb + 3 * i)))) used[indices[i]] = true;
    }
    free.clear();
    for (int i = 0; i < Palette::kColours; ++i) {
      if (!used[i]) free.push_back(static_cast<std::uint8_t>(i));
    }
    if (free.empty()) return nullptr;
  } while (free.size() < areas.size());

  auto table = std::make_shared<OwnTable>(OwnTable{palette.colours(), {}, {indices, indices + pixels}});
  for (std::size_t i = 0; i < areas.size(); ++i) {
    entries[areas[i]] = free[i];
    table->colours[free[i]] = areas[i];
    table->own.push_back(free[i]);
  }
  for (std::size_t i = 0; i < pixels; ++i) {
    if (!differs(i)) continue;
    if (const auto own = entries.find(colourAt(rgb + 3 * i)); own != entries.end()) table->indices[i] = own->second;
  }
  return table;
}

}  // namespace simscope::exporting
