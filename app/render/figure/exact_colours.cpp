#include "app/render/figure/exact_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>
#include <span>
#include <vector>

#include "app/render/figure/colormap.h"
#include "app/render/figure/plan.h"
#include "app/render/figure/theme.h"
#include "app/render/layers/point_tone.h"

namespace simscope::render {
namespace {

constexpr std::size_t kMost = 255;

class ColourSet {
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
  std::size_t room() const { return kMost - colours_.size(); }
  bool knows(Colour colour) const { return known_.count(colour) > 0; }
  std::vector<std::uint32_t> take() { return std::move(colours_); }

 private:
  std::vector<std::uint32_t> colours_;
  std::set<std::uint32_t> known_;
};

// What surrounds a field: solid colours, then the edges of text.
void addAround(ColourSet& set, const ThemeColours& c) {
  set.addAll(std::initializer_list<Colour>{c.background, c.plot, c.axis, c.text, c.text_dim, c.marker, c.box,
                                           kMissingColour, kInkOnDark, kInkOnBright});
}
void addEdges(ColourSet& set, const ThemeColours& c) {
  set.ramp(c.background, c.text, 9);
  set.ramp(c.background, c.text_dim, 8);
}

std::vector<std::uint32_t> scalarColours(Theme theme, const std::string& map, bool reversed, bool absent) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  addAround(set, c);
  if (absent) set.add(kAbsentColour);
  set.addAll(colormap(map, reversed));
  addEdges(set, c);
  return set.take();
}

std::vector<std::uint32_t> complexColours(Theme theme, bool absent) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  addAround(set, c);
  if (absent) set.add(kAbsentColour);
  addEdges(set, c);
  constexpr int kSteps = 8;  // of brightness
  for (std::size_t k = 0; k < kPhaseColours; k += 4) {
    for (int i = 1; i <= kSteps; ++i) set.add(mixed(0, c.phase[k], static_cast<double>(i) / kSteps));
  }
  set.add(0);
  return set.take();
}

// A cube of colours, even in what is stored.
std::vector<std::uint32_t> colourCube(Theme theme) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  addAround(set, c);
  addEdges(set, c);
  constexpr std::uint32_t kSide = 6;
  for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
    const std::uint32_t step = 255 / (kSide - 1);
    set.add((i / (kSide * kSide)) * step << 16 | (i / kSide % kSide) * step << 8 | (i % kSide) * step);
  }
  return set.take();
}

// Points: their light or ink from faint to blinding, and what surrounds them.
std::vector<std::uint32_t> pointColours(Theme theme, std::span<const Colour> colours) {
  const ThemeColours& c = themeColours(theme);
  const std::vector<Colour> table = pointTable(colours, c);
  ColourSet set;
  addAround(set, c);
  set.addAll(std::initializer_list<Colour>{c.space, c.cube, c.cube_label, c.cube_title, c.reticle});
  set.ramp(c.background, c.text, 7);
  set.ramp(c.background, c.text_dim, 5);
  set.ramp(c.space, c.cube_title, 4);
  constexpr std::size_t kBarColours = 48;  // of the colour bar, which shows the table as it is
  for (std::size_t i = 0; i < kBarColours; ++i) set.add(table[i * (table.size() - 1) / (kBarColours - 1)]);
  set.addAll(glowColours(table, set.room(), c));
  return set.take();
}

// `count` of the colours or all there are, spread evenly, first and last among them.
std::vector<Colour> spread(const std::vector<Colour>& colours, std::size_t count) {
  if (colours.size() <= count) return colours;
  std::vector<Colour> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(colours[count == 1 ? 0 : i * (colours.size() - 1) / (count - 1)]);
  }
  return some;
}

// What all panels have around them; then a share of each panel's own colours, the main one's twice as large.
std::vector<std::uint32_t> linkedColours(const Description& description, const ChosenFigure& figure,
                                         const FigureOptions& options) {
  const ThemeColours& c = themeColours(options.theme);
  ColourSet set;
  addAround(set, c);
  addEdges(set, c);
  std::vector<std::vector<Colour>> tables;
  for (std::size_t i = 0; i < figure.panels.size(); ++i) {
    const ChosenView& view = figure.panels[i].view;
    if (view.curves) {
      set.addAll(std::initializer_list<Colour>{c.grid_minor, c.grid_major, c.outline, c.ghost, c.area, c.area_outline});
      set.addAll(c.lines);
    }
    FigureOptions own = panelOptions(options, i);
    own.view = view.key();
    const std::vector<Colour> colours = exactColours(description, own);
    if (std::find(tables.begin(), tables.end(), colours) == tables.end()) tables.push_back(colours);
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    std::erase_if(tables[i], [&](Colour colour) { return set.knows(colour); });
    const std::size_t weight = i == 0 ? 2 : 1, all = tables.size() - i + (i == 0 ? 1 : 0);
    set.addAll(spread(tables[i], set.room() * weight / all));
  }
  return set.take();
}

}  // namespace

std::vector<std::uint32_t> exactColours(Theme theme) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  set.addAll(std::initializer_list<Colour>{c.background, c.plot, c.grid_minor, c.grid_major, c.axis, c.text, c.text_dim,
                                           c.outline, c.ghost, c.area, c.area_outline, c.box, c.marker});
  set.addAll(c.lines);
  set.addAll(c.phase);
  set.ramp(c.background, c.text, 8);
  set.ramp(c.background, c.text_dim, 8);
  set.ramp(c.plot, c.outline, 6);
  set.ramp(c.plot, c.area_outline, 5);
  set.ramp(c.area, c.area_outline, 5);
  set.ramp(c.background, c.area_outline, 5);
  set.ramp(c.plot, c.ghost, 4);
  return set.take();
}

std::vector<std::uint32_t> exactColours(Theme theme, const std::string& map, bool reversed) {
  return scalarColours(theme, map, reversed, false);
}

std::vector<std::uint32_t> exactColours(const Description& description, const FigureOptions& options) {
  const ChosenFigure figure = chooseFigure(description, options.view);
  if (figure.panels.size() > 1) return linkedColours(description, figure, options);
  const ChosenView chosen = figure.panels.front().view;
  if (const PointView* points = chosen.points) {
    if (points->value_channel.empty()) return pointColours(options.theme, std::array{kPlainPoint});
    const std::string& map = options.colormap.empty() ? points->colormap : options.colormap;
    return pointColours(options.theme, colormap(map, options.reversed));
  }
  if (!chosen.field) return exactColours(options.theme);
  switch (chosen.field->style) {
    case FieldStyle::Complex:
      return complexColours(options.theme, !chosen.field->absent.empty());
    case FieldStyle::Colour:
      return colourCube(options.theme);
    case FieldStyle::Scalar:
      break;
  }
  return scalarColours(options.theme, options.colormap.empty() ? chosen.field->colormap : options.colormap,
                       options.reversed, !chosen.field->absent.empty());
}

}  // namespace simscope::render
