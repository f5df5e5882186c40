#include "app/verify/comparison.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace simscope::verify {
namespace {

bool explained(std::span<const std::uint8_t> expected, const std::uint8_t* found, int x, int y, int width, int height,
               int tolerance) {
  if (tolerance == 0) return false;
  for (int c = 0; c < 3; ++c) {
    int low = 255, high = 0;
    for (int v = std::max(y - 1, 0); v <= std::min(y + 1, height - 1); ++v) {
      for (int u = std::max(x - 1, 0); u <= std::min(x + 1, width - 1); ++u) {
        const int level = expected[3 * (static_cast<std::size_t>(v) * static_cast<std::size_t>(width) + u) + c];
        low = std::min(low, level);
        high = std::max(high, level);
      }
    }
    if (found[c] < low - tolerance || found[c] > high + tolerance) return false;
  }
  return true;
}

}  // namespace

Comparison compare(std::span<const std::uint8_t> expected, std::span<const std::uint8_t> found, int width, int height,
                   int tolerance, std::vector<Mark>* marks) {
  if (marks) marks->assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), Mark::Same);
  Comparison result;
  const std::size_t row = 3 * static_cast<std::size_t>(width);
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* a = expected.data() + static_cast<std::size_t>(y) * row;
    const std::uint8_t* b = found.data() + static_cast<std::size_t>(y) * row;
    if (std::memcmp(a, b, row) == 0) continue;
    for (int x = 0; x < width; ++x, a += 3, b += 3) {
      if (std::memcmp(a, b, 3) == 0) continue;
      const bool within = explained(expected, b, x, y, width, height, tolerance);
      for (int c = 0; c < 3; ++c) result.largest = std::max(result.largest, std::abs(a[c] - b[c]));
      if (result.x < 0 || (!within && result.beyond == 0)) {
        result.x = x;
        result.y = y;
      }
      ++(within ? result.within : result.beyond);
      if (marks) {
        (*marks)[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x] =
            within ? Mark::Within : Mark::Beyond;
      }
    }
  }
  return result;
}

}  // namespace simscope::verify
