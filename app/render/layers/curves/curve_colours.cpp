#include "app/render/layers/curves/curve_colours.h"

#include <algorithm>
#include <initializer_list>

#include "app/render/figure/exact_colours.h"
#include "app/render/layers/curves/curve_legend.h"

namespace simscope::render {

namespace {

void addCurves(ColourSet& set, const ThemeColours& c, bool phase) {
  set.addAll(std::initializer_list<Colour>{c.background, c.plot, c.grid_minor, c.grid_major, c.axis, c.text, c.text_dim,
                                           c.outline, c.ghost, c.area, c.area_outline, c.box, c.marker});
  set.addAll(c.lines);
  if (phase) set.addAll(c.phase);
  set.ramp(c.background, c.text, 8);
  set.ramp(c.background, c.text_dim, 8);
  set.ramp(c.plot, c.outline, 6);
  set.ramp(c.plot, c.area_outline, 5);
  set.ramp(c.area, c.area_outline, 5);
  set.ramp(c.background, c.area_outline, 5);
  set.ramp(c.plot, c.ghost, 4);
}

}  // namespace

// The wheel only where a curve is filled by its phase: the colours of other panels need the room.
std::vector<std::uint32_t> curveColours(const View& view, const FigureOptions& options) {
  const ThemeColours& c = themeColours(options.theme);
  const std::vector<TraceInfo>& traces = view.as<CurveView>()->traces;
  ColourSet set;
  addCurves(set, c, std::any_of(traces.begin(), traces.end(), [](const TraceInfo& trace) {
              return trace.style == TraceStyle::PhaseFilled;
            }));
  for (const TraceInfo& trace : traces) {
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
  ColourSet set;
  addCurves(set, themeColours(theme), true);
  return set.take();
}

}  // namespace simscope::render
