#include "app/render/layers/field/field_colours.h"

#include <cmath>
#include <string>

#include "app/render/figure/colormap.h"
#include "app/render/figure/colour_set.h"
#include "app/render/figure/exact_colours.h"
#include "app/render/layers/paths/path_plan.h"

namespace simscope::render {
namespace {

// Lines over a field, and the edge around them.
void addPathsOver(ColourSet& set, const std::vector<PathInfo>& paths, const ThemeColours& c) {
  for (const PathInfo& path : paths) set.add(pathColour(path, c));
  if (!paths.empty()) set.add(kLinesOnBright);
}

std::vector<std::uint32_t> scalarColours(Theme theme, const std::string& map, bool reversed, bool absent,
                                         const std::vector<PathInfo>& paths = {}) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  addAround(set, c);
  if (absent) set.add(kAbsentColour);
  addPathsOver(set, paths, c);
  set.addAll(colormap(map, reversed));
  addEdges(set, c);
  return set.take();
}

std::vector<std::uint32_t> complexColours(Theme theme, bool absent, const std::vector<PathInfo>& paths) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  addAround(set, c);
  if (absent) set.add(kAbsentColour);
  addPathsOver(set, paths, c);
  addEdges(set, c);
  constexpr int kSteps = 8;  // of brightness
  for (std::size_t k = 0; k < kPhaseColours; k += 4) {
    for (int i = 1; i <= kSteps; ++i) set.add(mixed(0, c.phase[k], static_cast<double>(i) / kSteps));
  }
  set.add(0);
  return set.take();
}

// A cube of colours, even in what is stored.
std::vector<std::uint32_t> colourCube(Theme theme, const std::vector<PathInfo>& paths) {
  const ThemeColours& c = themeColours(theme);
  ColourSet set;
  addAround(set, c);
  addPathsOver(set, paths, c);
  addEdges(set, c);
  constexpr std::uint32_t kSide = 6;
  for (std::uint32_t i = 0; i < kSide * kSide * kSide; ++i) {
    const std::uint32_t step = 255 / (kSide - 1);
    set.add((i / (kSide * kSide)) * step << 16 | (i / kSide % kSide) * step << 8 | (i % kSide) * step);
  }
  return set.take();
}

}  // namespace

std::vector<std::uint32_t> exactColours(Theme theme, const std::string& map, bool reversed) {
  return scalarColours(theme, map, reversed, false);
}

std::vector<std::uint32_t> fieldColours(const View& view, const FigureOptions& options) {
  const FieldView& field = *view.as<FieldView>();
  switch (field.style) {
    case FieldStyle::Complex:
      return complexColours(options.theme, !field.absent.empty(), field.paths);
    case FieldStyle::Colour:
      return colourCube(options.theme, field.paths);
    case FieldStyle::Scalar:
      break;
  }
  return scalarColours(options.theme, options.colormap.empty() ? field.colormap : options.colormap, options.reversed,
                       !field.absent.empty(), field.paths);
}

}  // namespace simscope::render
