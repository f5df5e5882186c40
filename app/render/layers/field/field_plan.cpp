// The plan of a field: its range of colours, axes of equal scale, and the places of the plot and its key.
#include "app/render/layers/field/field_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/render/figure/colormap.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/figure/theme.h"
#include "app/render/layers/paths/path_plan.h"
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
        fmt::format("The view \"{}\" draws the channel \"{}\", which is missing or empty in the frame.", view, key));
  }
  const bool whole = c->width > 0 && c->height > 0 && c->x_max > c->x_min && c->y_max > c->y_min &&
                     c->data.size() >= static_cast<std::size_t>(c->width) * static_cast<std::size_t>(c->height) *
                                           static_cast<std::size_t>(std::max(c->components, 1));
  if (!whole || c->components < components) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\", which is {}x{} with {} components; it needs {}, and two "
                    "axes of nonzero extent.",
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

// Puts the plot, as large as its shape permits, in the middle of the room that `area` gives, or in its upper left
// corner, so that it lines up with its neighbours.
void fitPlot(PlotArea& area, const FieldView& view, const Channel& c, bool whole, bool in_corner) {
  if (!view.equal_lengths) {
    const double right = std::round(area.left + area.width), bottom = std::round(area.top + area.height);
    area.left = std::round(area.left);
    area.top = std::round(area.top);
    area.width = std::max(8.0, right - area.left);
    area.height = std::max(8.0, bottom - area.top);
    return;
  }
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
  area.left = std::round(in_corner ? area.left : area.left + (room_w - area.width) / 2);
  area.top = std::round(in_corner ? area.top : area.top + (room_h - area.height) / 2);
}

std::string keyTitle(const PanelPlan& panel, const FieldView& view) {
  if (view.style == FieldStyle::Colour) return "";
  return axisTitle(labelOf(view.value, panel.contentAs<PlannedField>().channel->form), panel.key.ticks);
}

// The widths of a wheel's labels at its sides.
double wheelLabels(const Canvas& canvas) {
  return std::max(canvas.textWidth(Font::Small, "π"), canvas.textWidth(Font::Small, "0"));
}

// The widths beside a plot [pixels]: the axis at its left; its key at the right and, within that, the wheel.
struct Sides {
  double left = 0, right = 0, wheel = 0;
};

Sides planSides(PanelPlan& panel, const FieldView& view, const Canvas& canvas) {
  const double s = panel.scale, normal = canvas.lineHeight(Font::Normal);
  const Spacing d(s);
  ColourKey& key = panel.key;
  if (panel.texts == Texts::Caption) return {d.pad * 0.6, d.pad * 0.6};
  // The labels' widths for a plot of the full height; a smaller one has no more of them.
  const double height = panel.area.height;
  panel.y_ticks = ticksOn(view.y, panel.area.y, tickCount(panel, height, 44 * s));
  key.ticks = rangeTicks(key.range, tickCount(panel, height, 40 * s));
  const bool titled = panel.texts == Texts::All;
  const auto labels = [&](const AxisTicks& ticks) {
    return d.tick + d.gap + labelRoom(canvas, ticks, s) + (titled ? 6 * s + normal : 0) + d.pad * 0.6;
  };
  Sides sides{std::max(panel.margin, labels(panel.y_ticks)), d.pad * 1.2};
  if (view.style == FieldStyle::Scalar) sides.right = std::round(16 * s) + std::round(16 * s) + labels(key.ticks);
  if (view.style == FieldStyle::Complex && titled) {
    const double most = panel.caption.empty() ? 92 * s : 68 * s;
    sides.wheel = std::round(std::min({most, 0.16 * panel.room.width(), 0.4 * height}));
    key.title = canvas.elided(Font::Normal, keyTitle(panel, view), 150 * s);
    const double labelled = sides.wheel + 2 * (wheelLabels(canvas) + d.gap);
    sides.right = std::round(16 * s) + std::max(labelled, canvas.textWidth(Font::Normal, key.title)) + d.pad;
  }
  return sides;
}

void planKey(PanelPlan& panel, const FieldView& view, const Sides& sides, const Canvas& canvas) {
  const double s = panel.scale, normal = canvas.lineHeight(Font::Normal);
  const Spacing d(s);
  const double right = panel.area.left + panel.area.width, bar = std::round(16 * s);
  ColourKey& key = panel.key;
  if (view.style == FieldStyle::Scalar && panel.texts >= Texts::Labels) {
    key.title = keyTitle(panel, view);
    key.left = right + bar;
    key.top = panel.area.top;
    key.width = bar;
    key.height = panel.area.height;
    panel.right_title_left = right + sides.right - d.pad * 0.6 - normal;
  } else if (sides.wheel > 0) {
    key.width = key.height = sides.wheel;
    key.left = std::round(right + bar + (sides.right - bar - d.pad - sides.wheel) / 2);
    key.top = std::round(panel.area.top + normal + 8 * s + canvas.lineHeight(Font::Small) + d.gap);
  }
}

void planLayout(PanelPlan& panel, const FieldView& view, const FigureOptions& options, const Canvas& canvas) {
  const Channel& channel = *panel.contentAs<PlannedField>().channel;
  const bool whole = !options.x && !options.y, in_corner = !panel.caption.empty();
  PlotArea& area = panel.area;
  if (panel.texts == Texts::None) {
    fillRoom(panel);
    fitPlot(area, view, channel, whole, in_corner);
    return;
  }
  const double s = panel.scale;
  area.top = std::round(panel.room.top + headRoom(panel, canvas));
  area.height = std::round(panel.room.bottom - footRoom(panel, canvas)) - area.top;
  const Sides sides = planSides(panel, view, canvas);
  area.left = panel.room.left + sides.left;
  area.width = std::max(panel.room.right - sides.right - area.left, 8.0);
  fitPlot(area, view, channel, whole, in_corner);

  panel.x_ticks = ticksBelow(panel, 62 * s, canvas);
  panel.y_ticks = ticksOn(view.y, area.y, tickCount(panel, area.height, 44 * s));
  panel.key.ticks = rangeTicks(panel.key.range, tickCount(panel, area.height, 40 * s));
  leaveRoom(panel.y_ticks, area.y, area.height, canvas);
  leaveRoom(panel.key.ticks, area.height, canvas, [&](double value) { return panel.key.position(value); });
  const Label x = labelOf(view.x, channel.form), y = labelOf(view.y, channel.form);
  panel.x_title = axisTitle(x, panel.x_ticks);
  panel.y_title = axisTitle(y, panel.y_ticks);
  captionUnits(panel, x, y);
  panel.y_title_left = area.left - sides.left + Spacing(s).pad * 0.6;
  planKey(panel, view, sides, canvas);
}

bool outlined(const FieldView& view, const FigureOptions& options) {
  const auto choice = options.shown.find(view.overlay_channel);
  return !view.overlay_channel.empty() && (choice == options.shown.end() || choice->second);
}

}  // namespace

std::vector<std::string> neededForField(const View& view, const FigureOptions& options) {
  const auto& field = *view.as<FieldView>();
  std::vector<std::string> keys = {field.channel};
  if (outlined(field, options)) keys.push_back(field.overlay_channel);
  if (options.arrows && !field.arrow_channel.empty()) keys.push_back(field.arrow_channel);
  addNeededPaths(keys, field.paths, options);
  return keys;
}

void planField(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas) {
  const FieldView& view = panel.viewAs<FieldView>();
  PlannedField& field = panel.content.emplace<PlannedField>();
  ColourKey& key = panel.key;
  const int components = view.style == FieldStyle::Scalar ? 1 : view.style == FieldStyle::Complex ? 2 : 3;
  field.channel = &fieldChannel(frame, view.channel, components, panel.view->key);
  if (outlined(view, options)) field.overlay = &fieldChannel(frame, view.overlay_channel, 1, panel.view->key);
  key.contours = options.isolines && view.style == FieldStyle::Scalar;
  key.range = colourRange(valueScale(view, options), *field.channel, options.range);
  if (view.style == FieldStyle::Scalar) {
    const auto entries = colormap(options.colormap.empty() ? view.colormap : options.colormap, options.reversed);
    key.table.assign(entries.begin(), entries.end());
  } else if (view.style == FieldStyle::Complex) {
    const auto& phase = themeColours(options.theme).phase;
    key.table.assign(phase.begin(), phase.end());
  }
  planLimits(panel.area, *field.channel, options);
  if (options.arrows && !view.arrow_channel.empty()) {
    field.arrows.channel = &fieldChannel(frame, view.arrow_channel, 2, panel.view->key);
    panel.legend = panel.texts == Texts::All;
  }
  field.paths = planPaths(*panel.view, frame, options);
  if (!field.paths.empty()) panel.legend = panel.texts == Texts::All;
  if (field.arrows.channel) planArrows(panel);
  planLayout(panel, view, options, canvas);
  const auto fits = [&] {
    return field.arrows.key_length > 0 ? arrowKeyFits(panel, canvas) : pathLegendFits(panel, field.paths, canvas);
  };
  if (panel.legend && !panel.caption.empty() && !fits()) {
    panel.legend_below = true;
    planLayout(panel, view, options, canvas);
  }
  if (field.arrows.channel) placeArrowKey(panel, canvas);
  // Isolines lie at the ticks, also where the figure is too small for a colour bar.
  if (key.ticks.major.empty()) key.ticks = rangeTicks(key.range, 5);
}

}  // namespace simscope::render
