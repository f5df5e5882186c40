// Oklab's lightness of a colour, 0 to 1. Source: the forward matrices of the page that app/render/figure/theme.h names.
#pragma once

#include <cmath>
#include <cstdint>

namespace simscope::render {

inline double linear(std::uint32_t byte) {
  const double v = byte / 255.0;
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

inline double lightness(std::uint32_t c) {
  const double r = linear(c >> 16), g = linear((c >> 8) & 0xff), b = linear(c & 0xff);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
}

}  // namespace simscope::render
