// The colours of a figure as a palette.
#include <cmath>
#include <set>

#include "app/render/colormap.h"
#include "app/render/plan.h"
#include "app/render/theme.h"

namespace simscope::render {
namespace {

constexpr std::size_t kMost = 255;

Colour mixed(Colour a, Colour b, double t) {
  Colour result = 0;
  for (int shift = 16; shift >= 0; shift -= 8) {
    const double from = (a >> shift) & 0xff, to = (b >> shift) & 0xff;
    result |= static_cast<Colour>(std::lround(from + (to - from) * t)) << shift;
  }
  return result;
}

class Palette {
 public:
  // Once, and as long as there is room.
  void add(Colour colour) {
    if (colours_.size() < kMost && known_.insert(colour).second) colours_.push_back(colour);
  }
  template <class Colours>
  void addAll(const Colours& colours) {
    for (const Colour colour : colours) add(colour);
  }
  void ramp(Colour from, Colour to, int steps) {
    for (int i = 1; i < steps; ++i) add(mixed(from, to, static_cast<double>(i) / steps));
  }
  std::vector<std::uint32_t> take() { return std::move(colours_); }

 private:
  std::vector<std::uint32_t> colours_;
  std::set<std::uint32_t> known_;
};

// What surrounds a field: solid colours, then the edges of text.
void addAround(Palette& palette, const ThemeColours& c) {
  palette.addAll(std::initializer_list<Colour>{c.background, c.plot, c.axis, c.text, c.text_dim, c.marker, c.box,
                                               kMissingColour, kInkOnDark, kInkOnBright});
}
void addEdges(Palette& palette, const ThemeColours& c) {
  palette.ramp(c.background, c.text, 9);
  palette.ramp(c.background, c.text_dim, 8);
}

std::vector<std::uint32_t> complexColours(Theme theme) {
  const ThemeColours& c = themeColours(theme);
  Palette palette;
  addAround(palette, c);
  addEdges(palette, c);
  constexpr int kSteps = 8;  // of brightness
  for (std::size_t k = 0; k < kPhaseColours; k += 4) {
    for (int i = 1; i <= kSteps; ++i) palette.add(mixed(0, c.phase[k], static_cast<double>(i) / kSteps));
  }
  palette.add(0);
  return palette.take();
}

// A cube of colours, even in what is stored.
std::vector<std::uint32_t> colourCube(Theme theme) {
  const ThemeColours& c = themeColours(theme);
  Palette palette;
  addAround(palette, c);
  addEdges(palette, c);
  constexpr std::uint32_t kSide = 6;
  for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
    const std::uint32_t step = 255 / (kSide - 1);
    palette.add((i / (kSide * kSide)) * step << 16 | (i / kSide % kSide) * step << 8 | (i % kSide) * step);
  }
  return palette.take();
}

}  // namespace

std::vector<std::uint32_t> exactColours(Theme theme) {
  const ThemeColours& c = themeColours(theme);
  Palette palette;
  palette.addAll(std::initializer_list<Colour>{c.background, c.plot, c.grid_minor, c.grid_major, c.axis, c.text,
                                               c.text_dim, c.outline, c.ghost, c.area, c.area_outline, c.box,
                                               c.marker});
  palette.addAll(c.lines);
  palette.addAll(c.phase);
  palette.ramp(c.background, c.text, 8);
  palette.ramp(c.background, c.text_dim, 8);
  palette.ramp(c.plot, c.outline, 6);
  palette.ramp(c.plot, c.area_outline, 5);
  palette.ramp(c.area, c.area_outline, 5);
  palette.ramp(c.background, c.area_outline, 5);
  palette.ramp(c.plot, c.ghost, 4);
  return palette.take();
}

std::vector<std::uint32_t> exactColours(Theme theme, const std::string& map, bool reversed) {
  const ThemeColours& c = themeColours(theme);
  Palette palette;
  addAround(palette, c);
  palette.addAll(colormap(map, reversed));
  addEdges(palette, c);
  return palette.take();
}

std::vector<std::uint32_t> exactColours(const Description& description, const FigureOptions& options) {
  const ChosenView chosen = chooseView(description, options.view);
  if (!chosen.field) return exactColours(options.theme);
  switch (chosen.field->style) {
    case FieldStyle::Complex:
      return complexColours(options.theme);
    case FieldStyle::Colour:
      return colourCube(options.theme);
    case FieldStyle::Scalar:
      break;
  }
  return exactColours(options.theme, options.colormap.empty() ? chosen.field->colormap : options.colormap,
                      options.reversed);
}

}  // namespace simscope::render
