// From light to the colours of a screen: what points of a value glow in, and how much light shows as which colour.
//
// The same formulas stand in shaders/point.frag; a test holds them together. Plain functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/render/theme.h"

namespace simscope::render {

using LinearLight = std::array<double, 3>;  // r, g, b; 1 is bright, but anything above 0 can be shown

// The plot behind points, in both themes: light needs the dark.
constexpr Colour kSpaceColour = 0x080a10;
// Of points whose view names no values.
constexpr Colour kPlainPoint = 0xbfd4ff;

// The light of a colour. Its hue and saturation are kept; dark colours are lifted, so that nothing is invisible.
LinearLight emission(Colour colour);

// Keeps the hue as far as a screen can: the brightest component approaches 1, and what is far brighter turns white.
struct Toned {
  LinearLight colour;  // sRGB, 0 to 1
  double cover = 0;    // how much of what lies behind is outshone, 0 to 1
};
Toned toned(const LinearLight& light);
// What shows in front of `behind`.
Colour shown(const Toned& tone, Colour behind);

// At most `most` colours of points before kSpaceColour: every hue of the table from faint to white.
std::vector<Colour> glowColours(std::span<const Colour> table, std::size_t most);

}  // namespace simscope::render
