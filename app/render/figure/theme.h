// Every colour of a figure, in one place: 0xRRGGBB, sRGB. The shaders, the drawing code, and the GIF's palette read it.
//
// Phase is shown by a wheel of kPhaseColours hues of equal lightness (Oklab), so that brightness adds no information;
// red is phase 0. Source: B. Ottosson, "A perceptual color space for image processing" (2020).
// Plain data; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"

namespace simscope::render {

constexpr std::size_t kPhaseColours = 96;
constexpr std::size_t kLineColours = 6;

using Colour = std::uint32_t;  // 0xRRGGBB

struct ThemeColours {
  Colour background;  // of the figure
  Colour plot;        // of the plot area
  Colour grid_minor, grid_major;
  Colour axis;                              // frame and tick marks
  Colour text;                              // title, legend
  Colour text_dim;                          // tick labels, parameters
  Colour outline;                           // of a filled density
  Colour ghost;                             // former values
  Colour area;                              // under a trace with a separate axis
  Colour area_outline;                      // its line, labels, and title
  Colour box;                               // behind the values at the marker
  Colour marker;                            // the marker's line
  Colour space;                             // behind points
  Colour cube, cube_label, cube_title;      // around them
  Colour reticle;                           // at the followed point
  std::array<Colour, kLineColours> lines;   // TraceInfo::colour is the index, modulo the size
  std::array<Colour, kPhaseColours> phase;  // entry k is phase 2πk/kPhaseColours
  bool subtractive = false;                 // points darken a bright background; otherwise they glow on a dark one
  double size = 1;                          // factor on everything: letters, lines, distances
  double line_width = 1;                    // a further factor on the widths of lines
};

const ThemeColours& themeColours(Theme theme);

Colour mixed(Colour a, Colour b, double share_of_b);
// The ratio of luminances, as WCAG 2 measures legibility, 1 to 21: 4.5 for text, 3 for graphics.
double contrast(Colour a, Colour b);
// The colour if it is legible in the theme's boxes, else a blend of it and the text's.
Colour legible(Colour colour, const ThemeColours& theme);

// A phase in radians, mapped to 0 to 2π, as in the keys.
double wholeTurn(double phase);
// The wheel's entry nearest to a phase in radians.
std::size_t phaseEntry(double phase);

// Of fields, in both themes: cells without a number (in no colormap), and contours on dark and on bright colours.
constexpr Colour kMissingColour = 0xff1fd0;
constexpr Colour kAbsentColour = 0x8b95a1;  // of cells that are empty on purpose (FieldView::absent)
constexpr Colour kLinesOnDark = 0xf4f6fb, kLinesOnBright = 0x10141c;

}  // namespace simscope::render
