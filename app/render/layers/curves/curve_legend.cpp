#include "app/render/layers/curves/curve_legend.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;

// A strip of the phase wheel, one turn from 0 on.
void phaseStrip(Canvas& canvas, double left, double top, double width, double height, const ThemeColours& colours) {
  const double left_pixel = std::round(left), pixels = std::max(1.0, std::round(width));
  for (double x = 0; x < pixels; ++x) {
    const auto entry = static_cast<std::size_t>((x + 0.5) / pixels * kPhaseColours);
    canvas.rectangle(Layer::Over, left_pixel + x, top, left_pixel + x + 1, top + height,
                     colours.phase[std::min(entry, kPhaseColours - 1)]);
  }
}

void swatch(Canvas& canvas, const TraceInfo& info, double left, double middle, double width, double s,
            const ThemeColours& colours) {
  const double half = 5 * s;
  const Colour colour = traceColour(info, colours);
  switch (info.style) {
    case TraceStyle::PhaseFilled:
      phaseStrip(canvas, left, std::round(middle - half), width, std::round(2 * half), colours);
      horizontalLine(canvas, Layer::Over, std::round(left), std::round(left + width), middle - half, hairWidth(s, 1.6),
                     colour);
      break;
    case TraceStyle::OwnAxis:
      canvas.rectangle(Layer::Over, left, middle - half, left + width, middle + half, colours.area);
      horizontalLine(canvas, Layer::Over, std::round(left), std::round(left + width), middle - half, hairWidth(s, 1.6),
                     colour);
      break;
    case TraceStyle::Bars:
      canvas.rectangle(Layer::Over, left, middle - half, left + width, middle + half, barColour(info, colours));
      break;
    case TraceStyle::Ghost:
    case TraceStyle::Line:
      horizontalLine(canvas, Layer::Over, std::round(left), std::round(left + width), middle, hairWidth(s, 2), colour);
      break;
  }
}

void drawPhaseKey(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double left, double top,
                  double right) {
  const double s = panel.scale, strip = 96 * s, gap = 6 * s;
  const double zero = canvas.textWidth(Font::Small, "0"), turn = canvas.textWidth(Font::Small, "2π");
  const double name = canvas.textWidth(Font::Small, "phase");
  const double needed = name + 2 * gap + zero + gap + strip + gap + turn;
  if (right - needed < left) return;
  const double line = canvas.lineHeight(Font::Small);
  const double text_top = top + std::round((canvas.lineHeight(Font::Normal) - line) / 2);
  double x = right - needed;
  canvas.text(Layer::Over, Font::Small, x, text_top, colours.text_dim, "phase");
  x += name + 2 * gap;
  canvas.text(Layer::Over, Font::Small, x, text_top, colours.text_dim, "0");
  x += zero + gap;
  const double height = std::round(8 * s);
  phaseStrip(canvas, x, std::round(text_top + (line - height) / 2), strip, height, colours);
  x += strip + gap;
  canvas.text(Layer::Over, Font::Small, x, text_top, colours.text_dim, "2π");
}

// Where not all names have room at their usual distances, they stand closer.
struct Distances {
  double swatch, after_swatch, after;
};
constexpr Distances kUsual{22, 7, 18}, kClose{12, 4, 9};

// Of the longest form, so that nothing moves when the form changes during a run.
double titleWidth(const PlannedTrace& trace, const Canvas& canvas) {
  double width = canvas.textWidth(Font::Normal, traceTitle(trace));
  for (const Label& form : trace.info->forms) width = std::max(width, canvas.textWidth(Font::Normal, form.title));
  return width;
}

// One of several of the same name and look: they share an entry.
bool isNamed(const std::vector<PlannedTrace>& traces, const PlannedTrace& trace) {
  for (const PlannedTrace& each : traces) {
    if (&each == &trace) return false;
    if (each.info->style == trace.info->style && each.info->colour == trace.info->colour &&
        traceTitle(each) == traceTitle(trace)) {
      return true;
    }
  }
  return false;
}

double needed(const PanelPlan& panel, const Canvas& canvas, const Distances& d) {
  double width = -d.after * panel.scale;
  const std::vector<PlannedTrace>& traces = panel.contentAs<PlannedCurves>().traces;
  for (const PlannedTrace& trace : traces) {
    if (isNamed(traces, trace)) continue;
    width += (d.swatch + d.after_swatch + d.after) * panel.scale + titleWidth(trace, canvas);
  }
  return width;
}
double legendRight(const PanelPlan& panel) {
  return panel.room.right - Spacing(panel.scale).pad;
}

}  // namespace

Colour traceColour(const TraceInfo& info, const ThemeColours& colours) {
  switch (info.style) {
    case TraceStyle::PhaseFilled:
      return colours.outline;
    case TraceStyle::Ghost:
      return colours.ghost;
    case TraceStyle::OwnAxis:
      return colours.area_outline;
    case TraceStyle::Bars:
    case TraceStyle::Line:
      break;
  }
  return colours.lines[static_cast<std::size_t>(std::max(info.colour, 0)) % kLineColours];
}

Colour barColour(const TraceInfo& info, const ThemeColours& colours) {
  constexpr double kPart = 0.6;
  return mixed(colours.plot, traceColour(info, colours), kPart);
}

std::string traceTitle(const PlannedTrace& trace) {
  const std::string title = labelOf(*trace.info, trace.channel->form).title;
  return title.empty() ? trace.info->channel : title;
}

bool legendFits(const PanelPlan& panel, const Canvas& canvas) {
  return legendLeft(panel, canvas) + needed(panel, canvas, kClose) <= legendRight(panel);
}

void drawLegend(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  if (!panel.legend) return;
  const double s = panel.scale;
  const double top = legendTop(panel, canvas), right = legendRight(panel);
  const double middle = top + std::round(canvas.lineHeight(Font::Normal) / 2);
  const Colour colour = panel.caption.empty() ? colours.text : colours.text_dim;
  double x = legendLeft(panel, canvas);
  const Distances& d = x + needed(panel, canvas, kUsual) <= right ? kUsual : kClose;
  const double swatch_width = d.swatch * s;
  const std::vector<PlannedTrace>& traces = panel.contentAs<PlannedCurves>().traces;
  for (const PlannedTrace& trace : traces) {
    if (isNamed(traces, trace)) continue;
    // The last one for which there is room is cut, if it must be.
    const std::string title =
        canvas.elided(Font::Normal, traceTitle(trace), right - x - swatch_width - d.after_swatch * s);
    if (title.empty()) break;
    const double width = swatch_width + d.after_swatch * s + canvas.textWidth(Font::Normal, title);
    swatch(canvas, *trace.info, x, middle, swatch_width, s, colours);
    canvas.text(Layer::Over, Font::Normal, x + swatch_width + d.after_swatch * s, top, colour, title);
    x += width + d.after * s;
  }
  if (panel.contentAs<PlannedCurves>().has_phase) drawPhaseKey(canvas, panel, colours, x, top, right);
}

}  // namespace simscope::render
