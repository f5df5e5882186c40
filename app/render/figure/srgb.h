// Display colours, 0xRRGGBB, and their linear light. Plain functions; any thread. Source: IEC 61966-2-1 (sRGB);
// luminance as in WCAG 2.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace simscope::render {

// Argument and result from 0 to 1.
inline double linear(double encoded) {
  return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
inline double encoded(double linear) {
  const double v = std::clamp(linear, 0.0, 1.0);
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

// Red, green, or blue (k = 0, 1, 2) as encoded, from 0 to 1.
inline double component(std::uint32_t colour, std::size_t k) {
  return static_cast<double>((colour >> (16 - 8 * k)) & 0xff) / 255;
}

// 0 for black, 1 for white.
inline double luminance(std::uint32_t colour) {
  return 0.2126 * linear(component(colour, 0)) + 0.7152 * linear(component(colour, 1)) +
         0.0722 * linear(component(colour, 2));
}

}  // namespace simscope::render
