#include "app/render/layers/curves/curve_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/render/figure/plan_parts.h"
#include "app/render/layers/curves/curve_legend.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

const Channel& findChannel(const Frame& frame, const std::string& key, const std::string& view) {
  const Channel* channel = frame.find(key);
  const bool whole = channel && channel->width > 0 && channel->components > 0 &&
                     channel->data.size() >=
                         static_cast<std::size_t>(channel->width) * static_cast<std::size_t>(channel->components) &&
                     channel->x_max > channel->x_min;
  if (!whole) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\", which is missing or empty in the frame.", view, key));
  }
  return *channel;
}

std::vector<PlannedTrace> shownTraces(const View& shown, const CurveView& view, const Frame& frame,
                                      const FigureOptions& options) {
  std::vector<PlannedTrace> traces;
  for (const TraceInfo& info : view.traces) {
    const auto choice = options.shown.find(info.channel);
    if (!(choice == options.shown.end() ? info.shown : choice->second)) continue;
    PlannedTrace trace{&info, &findChannel(frame, info.channel, shown.key), nullptr};
    if (info.style == TraceStyle::PhaseFilled && !info.phase_channel.empty()) {
      trace.phase = &findChannel(frame, info.phase_channel, shown.key);
      if (trace.phase->width != trace.channel->width) {
        throw Error(
            fmt::format("The channels \"{}\" and \"{}\" differ in length ({} and {} samples), so one cannot "
                        "colour the other.",
                        info.channel, info.phase_channel, trace.channel->width, trace.phase->width));
      }
    }
    traces.push_back(trace);
  }
  return traces;
}

void widen(std::optional<Limits>& limits, const Channel& channel) {
  if (!std::isfinite(channel.low) || !std::isfinite(channel.high)) return;
  if (!limits) {
    limits = Limits{channel.low, channel.high};
  } else {
    limits = Limits{std::min(limits->low, channel.low), std::max(limits->high, channel.high)};
  }
}

void planAxes(PanelPlan& panel, const CurveView& view, const Frame& frame, const FigureOptions& options) {
  const PlannedCurves& curves = panel.contentAs<PlannedCurves>();
  std::optional<Limits> left, right, x;
  for (const PlannedTrace& trace : curves.traces) {
    widen(atRight(view, *trace.info) ? right : left, *trace.channel);
  }
  // Hidden traces still set the x axis, and the left one where nothing else does: the picture stays where it is.
  for (const TraceInfo& info : view.traces) {
    const Channel* channel = frame.find(info.channel);
    if (!channel) continue;
    if (!left && !atRight(view, info)) widen(left, *channel);
    x = x ? Limits{std::min(x->low, channel->x_min), std::max(x->high, channel->x_max)}
          : Limits{channel->x_min, channel->x_max};
  }
  panel.area.x = options.x.value_or(withExtent(x));
  const Limits fitted = withExtent(left);
  panel.area.y = options.y.value_or(fitted);
  panel.right.reset();
  if (!right) return;

  Limits at_right = withExtent(right);
  // Where only the left axis goes below zero, the right one follows, so that both share the line of zero.
  const double below = -fitted.low / (fitted.high - fitted.low);
  if (below > 0 && below < 1 && at_right.low >= 0) at_right.low = -at_right.high * below / (1 - below);
  // The right axis zooms along with the left one.
  const double span = at_right.high - at_right.low, unit = span / (fitted.high - fitted.low);
  panel.right = RightAxis{
      {at_right.low + (panel.area.y.low - fitted.low) * unit, at_right.low + (panel.area.y.high - fitted.low) * unit},
      {},
      {}};
}

void planLayout(PanelPlan& panel, const CurveView& view, const Canvas& canvas) {
  if (panel.texts == Texts::None) {
    fillRoom(panel);
    return;
  }
  const double s = panel.scale, normal = canvas.lineHeight(Font::Normal);
  const Spacing d(s);
  PlotArea& area = panel.area;
  const PlannedCurves& curves = panel.contentAs<PlannedCurves>();
  area.top = std::round(panel.room.top + headRoom(panel, canvas));
  area.height = std::round(panel.room.bottom - footRoom(panel, canvas)) - area.top;

  const int most = tickCount(panel, area.height, 44 * s, 10);
  panel.y_ticks = ticksOn(view.y, area.y, most);
  if (panel.right) panel.right->ticks = ticksOn(view.right, panel.right->limits, most);
  // The first trace of an axis tells what it shows.
  const auto formAt = [&](bool own_axis) {
    for (const PlannedTrace& trace : curves.traces) {
      if (atRight(view, *trace.info) == own_axis) return trace.channel->form;
    }
    return 0;
  };
  const Label y = labelOf(view.y, formAt(false));
  panel.y_title = axisTitle(y, panel.y_ticks);
  if (panel.right) panel.right->title = axisTitle(labelOf(view.right, formAt(true)), panel.right->ticks);

  const auto margin = [&](const AxisTicks& ticks, const std::string& title) {
    if (panel.texts == Texts::Caption) return d.pad * 0.6;
    const bool titled = panel.texts == Texts::All && !title.empty();
    return d.tick + d.gap + labelRoom(canvas, ticks, s) + (titled ? 6 * s + normal : 0) + d.pad * 0.6;
  };
  area.left = std::round(panel.room.left + std::max(panel.margin, margin(panel.y_ticks, panel.y_title)));
  panel.y_title_left = panel.room.left + d.pad * 0.6;
  panel.right_title_left = panel.room.right - d.pad * 0.6 - normal;
  const double otherwise = panel.texts == Texts::Caption ? d.pad * 0.6 : d.pad * 1.8;
  const double right = panel.right ? margin(panel.right->ticks, panel.right->title) : otherwise;
  area.width = std::round(panel.room.right - right) - area.left;

  panel.x_ticks = ticksBelow(panel, 68 * s, canvas);
  panel.x_title = axisTitle(labelOf(view.x), panel.x_ticks);
  captionUnits(panel, labelOf(view.x), y);
}

}  // namespace

bool atRight(const CurveView& view, const TraceInfo& trace) {
  if (trace.style == TraceStyle::OwnAxis) return true;
  return trace.style == TraceStyle::Line && !trace.unit.empty() && trace.unit == view.right.unit &&
         trace.unit != view.y.unit;
}

// Hidden traces set the axes, too.
std::vector<std::string> neededForCurves(const View& view, const FigureOptions&) {
  return channelsOf(view);
}

void planCurves(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas) {
  const CurveView& view = panel.viewAs<CurveView>();
  PlannedCurves& curves = panel.content.emplace<PlannedCurves>();
  curves.traces = shownTraces(*panel.view, view, frame, options);
  for (const PlannedTrace& trace : curves.traces) curves.has_phase = curves.has_phase || trace.phase;
  panel.legend = panel.texts == Texts::All;
  planAxes(panel, view, frame, options);
  planLayout(panel, view, canvas);
  if (panel.legend && !panel.caption.empty() && !legendFits(panel, canvas)) {
    panel.legend_below = true;
    planLayout(panel, view, canvas);
  }
}

}  // namespace simscope::render
