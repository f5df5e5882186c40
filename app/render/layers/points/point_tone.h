// From light to the colours of a screen: what points of a value glow in, and how much light shows as which colour.
// On a bright background points are ink, the negative of light: it takes away what is not its colour, and where much of
// it lies the background turns black.
//
// The same formulas stand in shaders/point.frag; a test holds them together. Plain functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/render/figure/theme.h"

namespace simscope::render {

using LinearLight = std::array<double, 3>;  // r, g, b; 1 is bright, but anything above 0 can be shown

// Of points whose view names no values.
constexpr Colour kPlainPoint = 0xbfd4ff;

// The light of a colour. Its hue and saturation are kept; dark colours are lifted, so that nothing is invisible.
LinearLight emission(Colour colour);

// The colour as ink: bright colours are dimmed to a contrast of 3 at least with white (WCAG 2).
Colour subtractiveColour(Colour colour);
// What ink of this colour takes away: the light of its complement.
LinearLight absorption(Colour ink);

// The colours of points in a theme, and of the bar beside them.
std::vector<Colour> pointTable(std::span<const Colour> table, const ThemeColours& theme);

// Keeps the hue as far as a screen can: the brightest component approaches 1, and what is far brighter turns white.
struct Toned {
  LinearLight colour;  // sRGB, 0 to 1
  double cover = 0;    // how much of what lies behind is outshone, 0 to 1
};
Toned toned(const LinearLight& light);
// What shows in front of `behind`, or of it through ink.
Colour shown(const Toned& tone, Colour behind);
Colour shownThrough(const Toned& taken, Colour behind);

// At most `most` colours of points in a theme's space: every hue of the table (of inks, where the theme has them) from
// faint to blinding.
std::vector<Colour> glowColours(std::span<const Colour> table, std::size_t most, const ThemeColours& theme);

}  // namespace simscope::render
