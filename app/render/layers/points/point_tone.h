// Converts light to display colours: the light emitted by points of a value, and the colour for an amount of light. On
// a bright background points are ink, the negative of light: it absorbs all but its own colour, and much of it turns
// the background black.
//
// shaders/point.frag contains the same formulas; a test checks that they agree. Plain functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "app/render/figure/theme.h"

namespace simscope::render {

using LinearLight = std::array<double, 3>;  // r, g, b; 1 is bright, but anything above 0 can be shown

// For points whose view names no values.
constexpr Colour kPlainPoint = 0xbfd4ff;

// The light of a colour. Its hue and saturation are kept; dark colours are brightened, so that every point is visible.
LinearLight emission(Colour colour);

// The colour as ink: bright colours are darkened to a contrast of at least 3 with white (WCAG 2).
Colour subtractiveColour(Colour colour);
// The light that ink of this colour absorbs: that of its complement.
LinearLight absorption(Colour ink);

// The colours of points in a theme, and of the bar beside them.
std::vector<Colour> pointTable(std::span<const Colour> table, const ThemeColours& theme);

// Keeps the hue as far as a display can: the brightest component approaches 1, and far brighter light turns white.
struct Toned {
  LinearLight colour;  // sRGB, 0 to 1
  double cover = 0;    // how much of the background is hidden, 0 to 1
};
Toned toned(const LinearLight& light);
// The colour in front of `behind`, or of `behind` through ink.
Colour shown(const Toned& tone, Colour behind);
Colour shownThrough(const Toned& taken, Colour behind);

// At most `most` colours of points in a theme's space: every hue of the table (of inks, if the theme uses them) from
// faint to brightest.
std::vector<Colour> glowColours(std::span<const Colour> table, std::size_t most, const ThemeColours& theme);

}  // namespace simscope::render
