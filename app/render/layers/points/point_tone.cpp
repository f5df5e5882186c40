#include "app/render/layers/points/point_tone.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/srgb.h"

namespace simscope::render {
namespace {

// As in shaders/point.frag.
constexpr double kWhiteFrom = 1.5, kWhiteTo = 9;  // log2 of the light that begins to turn white, and that has
constexpr double kWhitest = 0.9;

constexpr double kLift = 0.6;      // 1: every colour as bright as the brightest; 0: dark ones stay dark
constexpr double kDarkest = 1e-3;  // below, a colour is taken as black

double smooth(double from, double to, double x) {
  const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

Colour colourOf(const LinearLight& encoded) {
  Colour colour = 0;
  for (const double c : encoded) colour = colour << 8 | static_cast<Colour>(std::lround(255 * std::min(1.0, c)));
  return colour;
}

}  // namespace

LinearLight emission(Colour colour) {
  LinearLight light;
  for (std::size_t k = 0; k < 3; ++k) light[k] = linear(component(colour, k));
  const double brightest = std::max({light[0], light[1], light[2]});
  if (brightest < kDarkest) return {kDarkest, kDarkest, kDarkest};
  for (double& c : light) c *= std::pow(brightest, -kLift);
  return light;
}

Colour subtractiveColour(Colour colour) {
  constexpr double kBrightest = 0.299;  // luminance that white becomes; what is dark stays nearly as it is
  const double dimmed = 1 + luminance(colour) * (1 / kBrightest - 1);
  LinearLight ink;
  for (std::size_t k = 0; k < 3; ++k) ink[k] = encoded(linear(component(colour, k)) / dimmed);
  return colourOf(ink);
}

LinearLight absorption(Colour ink) {
  return emission(~ink & 0xffffff);
}

std::vector<Colour> pointTable(std::span<const Colour> table, const ThemeColours& theme) {
  std::vector<Colour> colours(table.begin(), table.end());
  if (theme.subtractive) std::transform(colours.begin(), colours.end(), colours.begin(), subtractiveColour);
  return colours;
}

Toned toned(const LinearLight& light) {
  const double most = std::max({light[0], light[1], light[2]});
  if (!(most > 0)) return {};
  const double bright = most / (1 + most), white = kWhitest * smooth(kWhiteFrom, kWhiteTo, std::log2(most));
  Toned tone;
  for (std::size_t k = 0; k < 3; ++k) {
    const double hue = light[k] / most;
    tone.colour[k] = encoded(bright * (hue + (1 - hue) * white));
  }
  tone.cover = encoded(bright);
  return tone;
}

Colour shown(const Toned& tone, Colour behind) {
  LinearLight seen;
  for (std::size_t k = 0; k < 3; ++k) seen[k] = tone.colour[k] + (1 - tone.cover) * component(behind, k);
  return colourOf(seen);
}

Colour shownThrough(const Toned& taken, Colour behind) {
  LinearLight seen;
  for (std::size_t k = 0; k < 3; ++k) seen[k] = (1 - taken.colour[k]) * component(behind, k);
  return colourOf(seen);
}

std::vector<Colour> glowColours(std::span<const Colour> table, std::size_t most, const ThemeColours& theme) {
  // In equal steps of what the eye sees up to bright light; then turning white, where the hues grow alike.
  constexpr std::size_t kSteps = 12, kMostSteps = 64;
  constexpr std::array<double, 3> kBlinding = {12, 45, 160};
  const std::size_t hues = std::clamp<std::size_t>(most / (kSteps + 2), 1, table.size());
  const std::size_t steps = std::clamp<std::size_t>(most / hues, 3, kMostSteps) - 2;
  std::vector<Colour> colours;
  const auto add = [&](std::size_t hue, double amount) {
    const Colour own = table[hues == 1 ? 0 : hue * (table.size() - 1) / (hues - 1)];
    LinearLight light = theme.subtractive ? absorption(own) : emission(own);
    const double brightest = std::max({light[0], light[1], light[2]});
    for (double& c : light) c *= amount / brightest;
    const Toned tone = toned(light);
    if (colours.size() < most) {
      colours.push_back(theme.subtractive ? shownThrough(tone, theme.space) : shown(tone, theme.space));
    }
  };
  for (std::size_t i = 1; i <= steps; ++i) {
    const double bright = linear(0.92 * static_cast<double>(i) / static_cast<double>(steps));
    for (std::size_t hue = 0; hue < hues; ++hue) add(hue, bright / (1 - bright));
  }
  for (const double amount : kBlinding) {
    for (std::size_t hue = 0; hue < hues; hue += 2) add(hue, amount);
  }
  return colours;
}

}  // namespace simscope::render
