#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/mandelbrot/plane.h"

namespace simscope::mandelbrot {
namespace {

using Colours = float[kPaletteColours][3];

const Colours& coloursOf(Palette palette) {
  static constexpr Colours kDusk{{0.004f, 0.006f, 0.045f}, {0.012f, 0.060f, 0.300f}, {0.170f, 0.480f, 0.780f},
                                 {0.930f, 0.900f, 0.720f}, {0.900f, 0.330f, 0.030f}, {0.160f, 0.018f, 0.050f}};
  static constexpr Colours kEmber{{0.006f, 0.002f, 0.004f}, {0.130f, 0.008f, 0.020f}, {0.620f, 0.060f, 0.008f},
                                  {0.960f, 0.420f, 0.030f}, {0.980f, 0.880f, 0.480f}, {0.180f, 0.060f, 0.090f}};
  static constexpr Colours kIce{{0.003f, 0.010f, 0.020f}, {0.006f, 0.090f, 0.150f}, {0.050f, 0.400f, 0.420f},
                                {0.620f, 0.880f, 0.820f}, {0.900f, 0.900f, 0.960f}, {0.120f, 0.140f, 0.420f}};
  switch (palette) {
    case Palette::Ember:
      return kEmber;
    case Palette::Ice:
      return kIce;
    case Palette::Dusk:
      break;
  }
  return kDusk;
}

}  // namespace

Shading shadingOf(const Parameters& p) {
  const double angle = p.light_angle * std::numbers::pi / 180;
  Shading shading{p.colouring,
                  {},
                  static_cast<float>(p.colour_density),
                  static_cast<float>(p.colour_shift),
                  static_cast<float>(std::cos(angle)),
                  static_cast<float>(std::sin(angle))};
  std::copy_n(&coloursOf(p.palette)[0][0], kPaletteColours * 3, &shading.colours[0][0]);
  return shading;
}

}  // namespace simscope::mandelbrot
