// The plan of a field: its range of colours, axes of equal lengths, and where the plot and its key lie.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/render/colormap.h"
#include "app/render/plan_parts.h"
#include "app/render/theme.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

constexpr double kMostElongated = 8;  // sides of the plot; beyond, the axes give up their equal lengths
constexpr double kWorthSnapping = 0.9;

const Channel& fieldChannel(const Frame& frame, const std::string& key, int components, const std::string& view) {
  const Channel* c = frame.find(key);
  if (!c || c->data.empty()) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\", which the frame lacks or has left empty.", view, key));
  }
  const bool whole = c->width > 0 && c->height > 0 && c->x_max > c->x_min && c->y_max > c->y_min &&
                     c->data.size() >= static_cast<std::size_t>(c->width) * static_cast<std::size_t>(c->height) *
                                           static_cast<std::size_t>(std::max(c->components, 1));
  if (!whole || c->components < components) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\", which is {}x{} with {} components; it needs {} "
                    "and two axes of some extent.",
                    view, key, c->width, c->height, c->components, components));
  }
  return *c;
}

// The same share of an axis as `other_shown` is of `other`, around the middle.
Limits sameShare(const Limits& all, const Limits& other_shown, const Limits& other) {
  const double middle = (all.low + all.high) / 2;
  const double half = (all.high - all.low) / 2 * (other_shown.high - other_shown.low) / (other.high - other.low);
  return {middle - half, middle + half};
}

void planLimits(PlotArea& area, const Channel& c, const FigureOptions& options) {
  const Limits x{c.x_min, c.x_max}, y{c.y_min, c.y_max};
  area.x = options.x ? *options.x : options.y ? sameShare(x, *options.y, y) : x;
  area.y = options.y ? *options.y : options.x ? sameShare(y, *options.x, x) : y;
}

// Puts the plot, as large as its shape permits, in the middle of the room that `area` gives.
void fitPlot(PlotArea& area, const Channel& c, bool whole) {
  const double room_w = area.width, room_h = area.height;
  const double wide =
      std::clamp((area.x.high - area.x.low) / (area.y.high - area.y.low), 1 / kMostElongated, kMostElongated);
  area.width = std::min(room_w, room_h * wide);
  area.height = area.width / wide;
  // A whole number of pixels a cell, or of cells a pixel, where that costs little: each cell looks like the next.
  const double per_cell = area.width / c.width;
  const double snapped = per_cell >= 1 ? std::floor(per_cell) / per_cell : 1 / (std::ceil(1 / per_cell) * per_cell);
  if (whole && snapped >= kWorthSnapping) {
    area.width *= snapped;
    area.height *= snapped;
  }
  area.width = std::max(8.0, std::round(area.width));
  area.height = std::max(8.0, std::round(area.height));
  area.left = std::round(area.left + (room_w - area.width) / 2);
  area.top = std::round(area.top + (room_h - area.height) / 2);
}

int mostTicks(double pixels, double each) {
  return std::clamp(static_cast<int>(pixels / each), 2, 12);
}

std::string keyTitle(const FieldView& view, const AxisTicks& ticks) {
  return view.style == FieldStyle::Colour ? "" : axisTitle(view.value, ticks);
}

// The widths of a wheel's labels at its sides.
double wheelLabels(const Canvas& canvas) {
  return std::max(canvas.textWidth(Font::Small, "π"), canvas.textWidth(Font::Small, "0"));
}

void planLayout(FigurePlan& plan, const FigureOptions& options, const Canvas& canvas) {
  const double s = plan.scale, w = options.width, h = options.height;
  const double small = canvas.lineHeight(Font::Small), normal = canvas.lineHeight(Font::Normal);
  PlannedField& field = plan.field;
  const FieldView& view = *field.view;
  PlotArea& area = plan.area;
  const bool whole = !options.x && !options.y;

  plan.texts = w >= 240 * s && h >= 180 * s;
  if (!plan.texts) {
    const double margin = std::round(std::min(6 * s, std::min(w, h) / 8));
    area.left = area.top = margin;
    area.width = w - 2 * margin;
    area.height = h - 2 * margin;
    fitPlot(area, *field.channel, whole);
    return;
  }

  const double pad = 14 * s, tick = 5 * s, gap = 4 * s;
  area.top = std::round(pad * 0.75 + canvas.lineHeight(Font::Title) + 14 * s);
  area.height = std::round(h - (tick + gap + small + gap + normal + 6 * s + small + pad * 0.65)) - area.top;

  // The labels' widths for a plot of the full height; a smaller one has no more of them.
  plan.y_ticks = axisTicks(area.y.low, area.y.high, mostTicks(area.height, 44 * s));
  field.ticks = rangeTicks(field.range, mostTicks(area.height, 40 * s));
  // In coarse steps, so that the plot does not jump about while it is zoomed.
  const auto room = [&](const AxisTicks& ticks) {
    return tick + gap + std::ceil(std::max(widest(canvas, ticks), 18 * s) / (8 * s)) * 8 * s;
  };
  const double left = room(plan.y_ticks) + 6 * s + normal + pad * 0.6;
  const double bar_gap = std::round(16 * s), bar = std::round(16 * s);
  const double wheel = std::round(std::min({92 * s, 0.16 * w, 0.4 * area.height})),
               wheel_side = wheelLabels(canvas) + gap;
  double right = pad * 1.2;
  if (view.style == FieldStyle::Scalar) right = bar_gap + bar + room(field.ticks) + 6 * s + normal + pad * 0.6;
  if (view.style == FieldStyle::Complex) {
    field.title = canvas.elided(Font::Normal, keyTitle(view, field.ticks), 150 * s);
    right = bar_gap + std::max(wheel + 2 * wheel_side, canvas.textWidth(Font::Normal, field.title)) + pad;
  }
  area.left = left;
  area.width = std::max(w - right - left, 8.0);
  fitPlot(area, *field.channel, whole);

  plan.x_ticks = axisTicks(area.x.low, area.x.high, mostTicks(area.width, 62 * s));
  plan.y_ticks = axisTicks(area.y.low, area.y.high, mostTicks(area.height, 44 * s));
  field.ticks = rangeTicks(field.range, mostTicks(area.height, 40 * s));
  plan.x_title = axisTitle(view.x, plan.x_ticks);
  plan.y_title = axisTitle(view.y, plan.y_ticks);
  plan.y_title_left = area.left - left + pad * 0.6;

  if (view.style == FieldStyle::Scalar) {
    field.title = keyTitle(view, field.ticks);
    field.key_left = area.left + area.width + bar_gap;
    field.key_top = area.top;
    field.key_width = bar;
    field.key_height = area.height;
    plan.right_title_left = area.left + area.width + right - pad * 0.6 - normal;
  } else if (view.style == FieldStyle::Complex) {
    field.key_width = field.key_height = wheel;
    field.key_left = std::round(area.left + area.width + bar_gap + (right - bar_gap - pad - wheel) / 2);
    field.key_top = std::round(area.top + normal + 8 * s + small + gap);
  }
}

}  // namespace

void planField(FigurePlan& plan, const FieldView& view, const Frame& frame, const FigureOptions& options,
               const Canvas& canvas) {
  PlannedField& field = plan.field;
  field.view = &view;
  const int components = view.style == FieldStyle::Scalar ? 1 : view.style == FieldStyle::Complex ? 2 : 3;
  field.channel = &fieldChannel(frame, view.channel, components, view.key);
  if (!view.overlay_channel.empty()) field.overlay = &fieldChannel(frame, view.overlay_channel, 1, view.key);
  field.range = colourRange(view, *field.channel, options.range);
  field.isolines = options.isolines && view.style == FieldStyle::Scalar;
  if (view.style == FieldStyle::Scalar) {
    const auto entries = colormap(options.colormap.empty() ? view.colormap : options.colormap, options.reversed);
    field.table.assign(entries.begin(), entries.end());
  } else if (view.style == FieldStyle::Complex) {
    const auto& phase = themeColours(options.theme).phase;
    field.table.assign(phase.begin(), phase.end());
  }
  planLimits(plan.area, *field.channel, options);
  planLayout(plan, options, canvas);
  // Isolines lie at the ticks, also where the figure is too small for a colour bar.
  if (field.ticks.major.empty()) field.ticks = rangeTicks(field.range, 5);
}

}  // namespace simscope::render
