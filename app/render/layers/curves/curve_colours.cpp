#include "app/render/layers/curves/curve_colours.h"

#include <initializer_list>

#include "app/render/figure/exact_colours.h"
#include "app/render/layers/curves/curve_legend.h"

namespace simscope::render {

std::vector<std::uint32_t> curveColours(const View& view, const FigureOptions& options) {
  const ThemeColours& c = themeColours(options.theme);
  ColourSet set;
  set.addAll(exactColours(options.theme));
  for (const TraceInfo& trace : view.as<CurveView>()->traces) {
    if (trace.style != TraceStyle::Bars) continue;
    set.add(barColour(trace, c));
    set.ramp(c.plot, barColour(trace, c), 5);
  }
  return set.take();
}

void addCurveColours(ColourSet& set, const ThemeColours& c) {
  set.addAll(std::initializer_list<Colour>{c.grid_minor, c.grid_major, c.outline, c.ghost, c.area, c.area_outline});
  set.addAll(c.lines);
}

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

}  // namespace simscope::render
