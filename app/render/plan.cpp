#include "app/render/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "app/render/colormap.h"
#include "app/render/plan_parts.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

void checkLimits(const std::optional<Limits>& limits, const char* what) {
  if (!limits) return;
  if (!(limits->high > limits->low) || !std::isfinite(limits->high - limits->low)) {
    throw UsageError(
        fmt::format("The limits of the {} are {} to {}: they must be two finite numbers, the lower "
                    "first",
                    what, limits->low, limits->high));
  }
}

const Channel& findChannel(const Frame& frame, const std::string& key, const std::string& view) {
  const Channel* channel = frame.find(key);
  const bool whole = channel && channel->width > 0 && channel->components > 0 &&
                     channel->data.size() >=
                         static_cast<std::size_t>(channel->width) * static_cast<std::size_t>(channel->components) &&
                     channel->x_max > channel->x_min;
  if (!whole) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\", which the frame lacks or has left empty.", view, key));
  }
  return *channel;
}

std::vector<PlannedTrace> shownTraces(const CurveView& view, const Frame& frame, const FigureOptions& options) {
  std::vector<PlannedTrace> traces;
  for (const TraceInfo& info : view.traces) {
    const auto choice = options.shown.find(info.channel);
    if (!(choice == options.shown.end() ? info.shown : choice->second)) continue;
    PlannedTrace trace{&info, &findChannel(frame, info.channel, view.key), nullptr};
    if (info.style == TraceStyle::PhaseFilled && !info.phase_channel.empty()) {
      trace.phase = &findChannel(frame, info.phase_channel, view.key);
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

double timeStepOf(const ParameterSet& parameters, const Frame& frame) {
  const auto infos = parameters.infos();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].key == "time_step" && infos[i].kind == Kind::Real) return std::get<double>(parameters[i]);
  }
  return frame.steps > 0 ? std::abs(frame.time) / static_cast<double>(frame.steps) : 0;
}

void planTexts(FigurePlan& plan, const Description& description, const ParameterSet& parameters, const Frame& frame,
               const std::string& view_title) {
  plan.title = description.title;
  plan.subtitle = view_title;
  for (const Preset& preset : description.presets) {
    if (description.preset(preset.key) == parameters) {
      plan.subtitle = preset.title;
      break;
    }
  }
  plan.time = "t = " + timeText(frame.time, timeStepOf(parameters, frame));
  for (const std::size_t i : parameters.changed()) {
    const ParameterInfo& info = parameters.infos()[i];
    if (!plan.parameters.empty()) plan.parameters += "   ·   ";
    std::string value = toText(parameters[i]);
    if ((info.kind == Kind::Integer || info.kind == Kind::Real) && value.starts_with('-')) value.replace(0, 1, "−");
    plan.parameters += info.title + " = " + value;
  }
  if (plan.parameters.empty()) plan.parameters = "all parameters at their defaults";
  plan.equation = description.equation;
}

void planAxes(FigurePlan& plan, const Frame& frame, const FigureOptions& options) {
  std::optional<Limits> left, right, x;
  for (const PlannedTrace& trace : plan.traces) {
    widen(trace.info->style == TraceStyle::OwnAxis ? right : left, *trace.channel);
  }
  // Hidden traces still set the x axis, and the left one where nothing else does: the picture stays where it is.
  for (const TraceInfo& info : plan.view->traces) {
    const Channel* channel = frame.find(info.channel);
    if (!channel) continue;
    if (!left && info.style != TraceStyle::OwnAxis) widen(left, *channel);
    x = x ? Limits{std::min(x->low, channel->x_min), std::max(x->high, channel->x_max)}
          : Limits{channel->x_min, channel->x_max};
  }
  plan.area.x = options.x.value_or(withExtent(x));
  const Limits fitted = withExtent(left);
  plan.area.y = options.y.value_or(fitted);
  plan.has_right = right.has_value();
  if (!plan.has_right) return;

  plan.right = withExtent(right);
  // Where only the left axis goes below zero, the right one follows, so that both share the line of zero.
  const double below = -fitted.low / (fitted.high - fitted.low);
  if (below > 0 && below < 1 && plan.right.low >= 0) plan.right.low = -plan.right.high * below / (1 - below);
  // The right axis zooms along with the left one.
  const double span = plan.right.high - plan.right.low, unit = span / (fitted.high - fitted.low);
  plan.right = {plan.right.low + (plan.area.y.low - fitted.low) * unit,
                plan.right.low + (plan.area.y.high - fitted.low) * unit};
}

void planLayout(FigurePlan& plan, const CurveView& view, const FigureOptions& options, const Canvas& canvas) {
  const double s = plan.scale, w = options.width, h = options.height;
  const double small = canvas.lineHeight(Font::Small), normal = canvas.lineHeight(Font::Normal);
  const double title = canvas.lineHeight(Font::Title);

  plan.texts = w >= 240 * s && h >= 180 * s;
  PlotArea& area = plan.area;
  if (!plan.texts) {
    const double margin = std::round(std::min(6 * s, std::min(w, h) / 8));
    area.left = area.top = margin;
    area.width = w - 2 * margin;
    area.height = h - 2 * margin;
    return;
  }

  const double pad = 14 * s, tick = 5 * s, gap = 4 * s;
  area.top = std::round(pad * 0.75 + title + 6 * s + normal + 10 * s);
  area.height = std::round(h - (tick + gap + small + gap + normal + 6 * s + small + pad * 0.65)) - area.top;

  plan.y_ticks = axisTicks(area.y.low, area.y.high, std::clamp(static_cast<int>(area.height / (44 * s)), 2, 10));
  if (plan.has_right) {
    const int most = std::clamp(static_cast<int>(area.height / (44 * s)), 2, 10);
    plan.right_ticks = axisTicks(plan.right.low, plan.right.high, most);
  }
  plan.y_title = axisTitle(view.y, plan.y_ticks);
  plan.right_title = plan.has_right ? axisTitle(view.right, plan.right_ticks) : "";

  // In coarse steps, so that the plot does not jump about while an axis is zoomed.
  const auto margin = [&](const AxisTicks& ticks, const std::string& axis_title) {
    const double labels = std::ceil(std::max(widest(canvas, ticks), 18 * s) / (8 * s)) * 8 * s;
    return tick + gap + labels + (axis_title.empty() ? 0 : 6 * s + normal) + pad * 0.6;
  };
  area.left = std::round(margin(plan.y_ticks, plan.y_title));
  plan.y_title_left = pad * 0.6;
  plan.right_title_left = w - pad * 0.6 - normal;
  const double right = plan.has_right ? margin(plan.right_ticks, plan.right_title) : pad * 1.8;
  area.width = std::round(w - right) - area.left;

  plan.x_ticks = axisTicks(area.x.low, area.x.high, std::clamp(static_cast<int>(area.width / (68 * s)), 2, 12));
  plan.x_title = axisTitle(view.x, plan.x_ticks);
}

}  // namespace

Limits withExtent(std::optional<Limits> limits) {
  Limits l = limits.value_or(Limits{0, 1});
  if (!(l.high > l.low)) {
    const double margin = l.low == 0 ? 1 : std::abs(l.low) / 2;
    l = {l.low - margin, l.low + margin};
  }
  return l;
}

std::string axisTitle(const AxisInfo& axis, const AxisTicks& ticks) {
  std::string bracket = ticks.exponent == 0 ? "" : powerOfTen(ticks.exponent);
  if (!axis.unit.empty()) bracket += (bracket.empty() ? "" : " ") + axis.unit;
  if (axis.title.empty()) return bracket;
  return bracket.empty() ? axis.title : axis.title + "  [" + bracket + "]";
}

double widest(const Canvas& canvas, const AxisTicks& ticks) {
  double width = 0;
  for (const std::string& label : ticks.labels) width = std::max(width, canvas.textWidth(Font::Small, label));
  return width;
}

ChosenView chooseView(const Description& description, const std::string& key) {
  if (description.views.empty() && description.fields.empty()) {
    throw Error(fmt::format("The simulation \"{}\" describes no view, so there is nothing to draw.", description.id));
  }
  if (key.empty()) {
    if (!description.fields.empty()) return {nullptr, &description.fields.front()};
    return {&description.views.front(), nullptr};
  }
  std::vector<std::string> keys;
  for (const CurveView& view : description.views) {
    if (view.key == key) return {&view, nullptr};
    keys.push_back(view.key);
  }
  for (const FieldView& view : description.fields) {
    if (view.key == key) return {nullptr, &view};
    keys.push_back(view.key);
  }
  const std::string near = closestName(key, keys);
  throw UsageError(fmt::format("view: \"{}\" is unknown; {}{}", key,
                               near.empty() ? "" : fmt::format("did you mean \"{}\"? ", near),
                               fmt::format("The views are: {}", fmt::join(keys, ", "))));
}

void checkOptions(const FigureOptions& options, int largest) {
  const int most = std::min(kLargestFigure, largest);
  const auto within = [&](int side) { return side >= kSmallestFigure && side <= most; };
  if (!within(options.width) || !within(options.height)) {
    throw UsageError(fmt::format("size: {}x{} is out of range; {} to {} pixels each way are possible (nearest: {}x{})",
                                 options.width, options.height, kSmallestFigure, most,
                                 std::clamp(options.width, kSmallestFigure, most),
                                 std::clamp(options.height, kSmallestFigure, most)));
  }
  if (!(options.scale >= 0.5 && options.scale <= 8)) {
    throw UsageError(fmt::format("scale: {} is out of range; 0.5 to 8 are possible", options.scale));
  }
  checkLimits(options.x, "x axis");
  checkLimits(options.y, "y axis");
  checkLimits(options.range, "colour range");
  if (!options.colormap.empty()) colormap(options.colormap);
}

FigurePlan planFigure(const Description& description, const ParameterSet& parameters, const Frame& frame,
                      const FigureOptions& options, const Canvas& canvas) {
  FigurePlan plan;
  const ChosenView chosen = chooseView(description, options.view);
  plan.scale = options.scale;
  if (chosen.field) {
    planField(plan, *chosen.field, frame, options, canvas);
    planTexts(plan, description, parameters, frame, chosen.field->title);
    return plan;
  }
  plan.view = chosen.curves;
  plan.traces = shownTraces(*plan.view, frame, options);
  for (const PlannedTrace& trace : plan.traces) plan.has_phase = plan.has_phase || trace.phase;
  planAxes(plan, frame, options);
  planTexts(plan, description, parameters, frame, plan.view->title);
  planLayout(plan, *plan.view, options, canvas);
  return plan;
}

}  // namespace simscope::render
