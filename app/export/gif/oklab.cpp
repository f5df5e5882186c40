#include "app/export/gif/oklab.h"

#include <cmath>

namespace simscope::exporting {

float linearLight(double level) {
  constexpr double kFlare = 0.01;
  const double v = level / 255;
  const double light = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  return static_cast<float>((light + kFlare) / (1 + kFlare));
}

Light linearLight(std::uint32_t colour) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (int i = 0; i < 256; ++i) {
      values[i] = linearLight(static_cast<double>(i));
    }
    return values;
  }();
  return {table[colour >> 16 & 0xff], table[colour >> 8 & 0xff], table[colour & 0xff]};
}

Lab oklab(const Light& light) {
  const auto [r, g, b] = light;
  const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s,
          1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s,
          0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s};
}

}  // namespace simscope::exporting
