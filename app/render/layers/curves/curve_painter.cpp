#include "app/render/layers/curves/curve_painter.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/layers/curves/curve_legend.h"

namespace simscope::render {
namespace {

// The range of the axis that a trace is drawn against.
const Limits& rangeOf(const PanelPlan& panel, const PlannedTrace& trace) {
  return panel.right && atRight(panel.viewAs<CurveView>(), *trace.info) ? panel.right->limits : panel.area.y;
}

template <class Draw>
void forStyle(const PanelPlan& panel, TraceStyle style, const Draw& draw) {
  const std::vector<PlannedTrace>& traces = panel.contentAs<PlannedCurves>().traces;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    if (traces[i].info->style == style) draw(i, *traces[i].info);
  }
}

// One element of a channel's GL buffer.
float element(const Drawing& drawing, const Channel& channel, int index) {
  float value = 0;
  const auto offset = static_cast<GLintptr>(index) * channel.components * static_cast<GLintptr>(sizeof(float));
  glGetNamedBufferSubData(drawing.transfer.buffer(drawing.frame, channel.key), offset, sizeof value, &value);
  return value;
}

std::vector<Reading> readings(const PanelPlan& panel, const Drawing& drawing, double x) {
  const CurveView& view = panel.viewAs<CurveView>();
  const std::string& name = view.x.title;
  std::vector<Reading> all = {{name.empty() ? "x" : name, readingOn(view.x, x), drawing.colours.text}};
  for (const PlannedTrace& trace : panel.contentAs<PlannedCurves>().traces) {
    const Channel& c = *trace.channel;
    const double position = (x - c.x_min) / (c.x_max - c.x_min) * c.width;
    if (!(position >= -0.5 && position < c.width)) continue;
    const bool bars = trace.info->style == TraceStyle::Bars;
    const int index = std::clamp(static_cast<int>(bars ? std::floor(position) : std::lround(position)), 0, c.width - 1);
    const double value = element(drawing, c, index);
    const AxisInfo& axis = panel.right && atRight(view, *trace.info) ? view.right : view.y;
    all.push_back({traceTitle(trace), readingOn(axis, value), traceColour(*trace.info, drawing.colours),
                   pixelY(panel.area, rangeOf(panel, trace), value), std::isfinite(value)});
    if (trace.phase) {
      const double phase = element(drawing, *trace.phase, index);
      all.push_back({"phase", numberText(wholeTurn(phase), 3), drawing.colours.phase[phaseEntry(phase)]});
    }
  }
  return all;
}

}  // namespace

void CurvePainter::prepare(PanelPlan& panel, const Drawing& drawing) {
  CurveLayer& layer = layerOf(layers_, panel.index, programs_);
  layer.begin(drawing.drawn(panel.area), drawing.colours);
  for (std::size_t i = 0; i < panel.contentAs<PlannedCurves>().traces.size(); ++i) {
    const PlannedTrace& trace = panel.contentAs<PlannedCurves>().traces[i];
    const Channel& channel = *trace.channel;
    CurveSource source;
    source.stride = channel.components;
    if (trace.phase) source.phase_stride = trace.phase->components;
    const auto onHost = [&](const Channel* c) { return !c || drawing.transfer.host(drawing.frame, c->key); };
    if (by_processor_ && onHost(&channel) && onHost(trace.phase)) {
      source.host_values = drawing.transfer.host(drawing.frame, channel.key);
      if (trace.phase) source.host_phases = drawing.transfer.host(drawing.frame, trace.phase->key);
    } else {
      source.values = drawing.transfer.buffer(drawing.frame, channel.key);
      if (trace.phase) source.phases = drawing.transfer.buffer(drawing.frame, trace.phase->key);
    }
    source.count = channel.width;
    source.x_min = channel.x_min;
    source.x_max = channel.x_max;
    source.bars = trace.info->style == TraceStyle::Bars;
    layer.reduce(i, source, rangeOf(panel, trace));
  }
}

void CurvePainter::decorate(const PanelPlan& panel, const Drawing& drawing) {
  drawGrid(drawing.canvas, panel, drawing.colours);
  drawAxes(drawing.canvas, panel, drawing.colours);
  drawLegend(drawing.canvas, panel, drawing.colours);
}

void CurvePainter::mark(const PanelPlan& panel, const Drawing& drawing) {
  if (!drawing.options.marker_x) return;
  const double x = *drawing.options.marker_x;
  if (!(x >= panel.area.x.low && x <= panel.area.x.high)) return;
  drawMarker(drawing.canvas, panel, drawing.colours, x, std::nullopt, readings(panel, drawing, x));
}

// Nothing but edges is translucent, so that the colours in the file are those of the theme.
void CurvePainter::paint(const PanelPlan& panel, const Drawing& drawing) {
  using LineFade = CurveLayer::LineFade;
  CurveLayer& layer = layerOf(layers_, panel.index, programs_);
  layer.show(drawing.tile);
  const ThemeColours& colours = drawing.colours;
  const double s = panel.scale * panel.lines * drawing.supersampling();
  forStyle(panel, TraceStyle::OwnAxis, [&](std::size_t i, const TraceInfo&) { layer.fill(i, colours.area); });
  forStyle(panel, TraceStyle::Bars,
           [&](std::size_t i, const TraceInfo& info) { layer.fill(i, barColour(info, colours)); });
  forStyle(panel, TraceStyle::PhaseFilled, [&](std::size_t i, const TraceInfo&) {
    layer.fill(i, panel.contentAs<PlannedCurves>().traces[i].phase ? std::nullopt
                                                                   : std::optional<Colour>(colours.area_outline));
  });
  forStyle(panel, TraceStyle::Ghost,
           [&](std::size_t i, const TraceInfo&) { layer.line(i, 1.3 * s, colours.ghost, LineFade::Outline); });
  forStyle(panel, TraceStyle::OwnAxis,
           [&](std::size_t i, const TraceInfo&) { layer.line(i, 1.4 * s, colours.area_outline, LineFade::Outline); });
  forStyle(panel, TraceStyle::PhaseFilled,
           [&](std::size_t i, const TraceInfo&) { layer.line(i, 1.6 * s, colours.outline, LineFade::Fringes); });
  forStyle(panel, TraceStyle::Line, [&](std::size_t i, const TraceInfo& info) {
    layer.line(i, 4 * s, colours.plot, LineFade::Plain, 0.55);  // sets the line off from the filled area beneath
    layer.line(i, 1.6 * s, traceColour(info, colours));
  });
}

}  // namespace simscope::render
