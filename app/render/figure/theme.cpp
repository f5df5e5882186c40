#include "app/render/figure/theme.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/render/figure/srgb.h"

namespace simscope::render {
namespace {

struct Rgb {
  double r, g, b;  // linear light
};

// Oklab with chroma and hue to linear sRGB (matrices of the source named in the header).
Rgb fromOklch(double lightness, double chroma, double hue) {
  const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
          -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
          -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s};
}

bool displayable(const Rgb& c) {
  const auto within = [](double v) { return v >= -1e-6 && v <= 1 + 1e-6; };
  return within(c.r) && within(c.g) && within(c.b);
}

std::uint32_t byteOf(double linear) {
  return static_cast<std::uint32_t>(std::lround(255 * encoded(linear)));
}

// The most colour, up to `most`, that a screen can show at this lightness and hue.
double displayableChroma(double lightness, double most, double hue) {
  if (displayable(fromOklch(lightness, most, hue))) return most;
  double low = 0, high = most;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (displayable(fromOklch(lightness, middle, hue)) ? low : high) = middle;
  }
  return low;
}

// Hues at equal distances of what the eye tells apart: equal angles would crowd where little colour can be shown.
std::array<Colour, kPhaseColours> wheel(double lightness, double chroma) {
  constexpr double kRed = 25 * std::numbers::pi / 180;
  constexpr int kFine = 1440;
  const auto angle = [](int i) { return kRed + 2 * std::numbers::pi * i / kFine; };
  std::array<double, kFine + 1> length{};
  double chroma_before = displayableChroma(lightness, chroma, angle(0));
  for (int i = 1; i <= kFine; ++i) {
    const double c = displayableChroma(lightness, chroma, angle(i));
    const double da = c * std::cos(angle(i)) - chroma_before * std::cos(angle(i - 1));
    const double db = c * std::sin(angle(i)) - chroma_before * std::sin(angle(i - 1));
    length[static_cast<std::size_t>(i)] = length[static_cast<std::size_t>(i - 1)] + std::hypot(da, db);
    chroma_before = c;
  }
  std::array<Colour, kPhaseColours> colours;
  for (std::size_t k = 0; k < colours.size(); ++k) {
    const double wanted = length.back() * static_cast<double>(k) / kPhaseColours;
    const auto at = std::lower_bound(length.begin(), length.end(), wanted) - length.begin();
    const double hue = angle(static_cast<int>(at));
    const Rgb c = fromOklch(lightness, displayableChroma(lightness, chroma, hue), hue);
    colours[k] = byteOf(c.r) << 16 | byteOf(c.g) << 8 | byteOf(c.b);
  }
  return colours;
}

}  // namespace

const ThemeColours& themeColours(Theme theme) {
  static const ThemeColours dark = {
      .background = 0x0d1017,
      .plot = 0x11151e,
      .grid_minor = 0x171c27,
      .grid_major = 0x222937,
      .axis = 0x4a566b,
      .text = 0xe8ecf4,
      .text_dim = 0x98a4b8,
      .outline = 0xf6f8fc,
      .ghost = 0x77839a,
      .area = 0x232c3f,
      .area_outline = 0x9db4dc,
      .box = 0x1b212d,
      .marker = 0xc9d2e2,
      .space = 0x080a10,
      .cube = 0x2b3445,
      .cube_label = 0x76829a,
      .cube_title = 0x98a4b8,
      .reticle = 0xc9d2e2,
      .lines = {0x5cc8ff, 0xffb454, 0x8be28b, 0xff7a9c, 0xc79bff, 0xf2e36b},
      .phase = wheel(0.75, 0.145),
  };
  static const ThemeColours light = {
      .background = 0xffffff,
      .plot = 0xffffff,
      .grid_minor = 0xf2f4f8,
      .grid_major = 0xe1e6ee,
      .axis = 0x8490a3,
      .text = 0x161c27,
      .text_dim = 0x55617a,
      .outline = 0x1b2230,
      .ghost = 0x8f99aa,
      .area = 0xe4eaf5,
      .area_outline = 0x4c6391,
      .box = 0xf7f9fc,
      .marker = 0x3a4558,
      .space = 0xffffff,
      .cube = 0xc3cad5,
      .cube_label = 0x55617a,
      .cube_title = 0x55617a,
      .reticle = 0x3a4558,
      .lines = {0x0b6fc2, 0xb85c00, 0x217a2b, 0xb8234f, 0x6b3fb8, 0x7a6a00},
      .phase = wheel(0.76, 0.135),
      .subtractive = true,
  };
  static const ThemeColours slides = {
      .background = 0xffffff,
      .plot = 0xffffff,
      .grid_minor = 0xf2f4f8,
      .grid_major = 0xd9dfe9,
      .axis = 0x4d586b,
      .text = 0x05080d,
      .text_dim = 0x333d4e,
      .outline = 0x05080d,
      .ghost = 0x7b8698,
      .area = 0xdbe4f3,
      .area_outline = 0x2f4a80,
      .box = 0xf7f9fc,
      .marker = 0x1f2937,
      .space = 0xffffff,
      .cube = 0xa3adbd,
      .cube_label = 0x333d4e,
      .cube_title = 0x333d4e,
      .reticle = 0x1f2937,
      .lines = {0x0057b8, 0xc24400, 0x0f6e1e, 0xa8123f, 0x5a28ad, 0x6b5c00},
      .phase = wheel(0.76, 0.135),
      .subtractive = true,
      .size = 1.25,
      .line_width = 1.6,
  };
  static const ThemeColours print = {
      .background = 0xffffff,
      .plot = 0xffffff,
      .grid_minor = 0xf7f7f7,
      .grid_major = 0xe8e8e8,
      .axis = 0x000000,
      .text = 0x000000,
      .text_dim = 0x2b2b2b,
      .outline = 0x000000,
      .ghost = 0x8a8a8a,
      .area = 0xededed,
      .area_outline = 0x555555,
      .box = 0xffffff,
      .marker = 0x000000,
      .space = 0xffffff,
      .cube = 0xa0a0a0,
      .cube_label = 0x2b2b2b,
      .cube_title = 0x2b2b2b,
      .reticle = 0x000000,
      .lines = {0x004f9e, 0xb04a00, 0x1b6b2a, 0x9e1b45, 0x56319e, 0x665800},
      .phase = wheel(0.76, 0.135),
      .subtractive = true,
      .line_width = 0.7,
  };
  switch (theme) {
    case Theme::Dark:
      return dark;
    case Theme::Light:
      return light;
    case Theme::Slides:
      return slides;
    case Theme::Print:
      break;
  }
  return print;
}

Colour mixed(Colour a, Colour b, double share_of_b) {
  Colour result = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const double from = (a >> shift) & 0xff, to = (b >> shift) & 0xff;
    result |= static_cast<Colour>(std::lround(from + (to - from) * share_of_b)) << shift;
  }
  return result;
}

double contrast(Colour a, Colour b) {
  const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
  return std::max(x, y) / std::min(x, y);
}

Colour legible(Colour colour, const ThemeColours& theme) {
  constexpr double kText = 4.5, kStep = 0.05;
  Colour result = colour;
  for (double share = kStep; contrast(result, theme.box) < kText && share <= 1; share += kStep) {
    result = mixed(colour, theme.text, share);
  }
  return result;
}

namespace {

// From 0 to 1.
double partOfTurn(double phase) {
  const double turns = phase / (2 * std::numbers::pi);
  return turns - std::floor(turns);
}

}  // namespace

double wholeTurn(double phase) {
  return 2 * std::numbers::pi * partOfTurn(phase);
}

std::size_t phaseEntry(double phase) {
  const auto entry = static_cast<std::size_t>(partOfTurn(phase) * kPhaseColours + 0.5);
  return entry % kPhaseColours;
}

}  // namespace simscope::render
