#include "app/render/layers/scatter/scatter_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/figure/colormap.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/layers/points/point_channels.h"
#include "app/render/layers/points/point_colours.h"
#include "app/render/layers/points/point_tone.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

// The widths beside a plot [pixels]: the axis at its left, and the bar of colours with its labels at the right.
struct Margins {
  double left = 0, right = 0;
};

Margins marginsOf(PanelPlan& panel, const ScatterView& view, const Channel* values, const Canvas& canvas) {
  const double s = panel.scale, normal = canvas.lineHeight(Font::Normal), height = panel.area.height;
  const Spacing d(s);
  if (panel.texts == Texts::Caption) return {d.pad * 0.6, d.pad * 0.6};
  const double title = panel.texts == Texts::All ? 6 * s + normal : 0;
  panel.y_ticks = axisTicks(panel.area.y.low, panel.area.y.high, tickCount(panel, height, 44 * s));
  panel.y_title = axisTitle(labelOf(view.y), panel.y_ticks);
  const double left = d.tick + d.gap + labelRoom(canvas, panel.y_ticks, s) + title + d.pad * 0.6;
  if (!values) return {std::max(panel.margin, left), d.pad * 1.8};
  ColourKey& key = panel.key;
  const int most = tickCount(panel, height, 40 * s);
  key.ticks = pointKeyTicks(panel, *values, most, canvas);
  key.title = axisTitle(labelOf(view.value, values->form), key.ticks);
  const double bar = 2 * std::round(16 * s);
  return {std::max(panel.margin, left), bar + d.tick + d.gap + labelRoom(canvas, key.ticks, s) + title + d.pad * 0.6};
}

// As large as the same length on both axes permits, in the middle of its room.
void keepLengths(PlotArea& area) {
  const double wide = (area.x.high - area.x.low) / (area.y.high - area.y.low);
  const double width = std::max(8.0, std::round(std::min(area.width, area.height * wide)));
  const double height = std::clamp(std::round(width / wide), 8.0, std::max(8.0, area.height));
  area.left = std::round(area.left + (area.width - width) / 2);
  area.top = std::round(area.top + (area.height - height) / 2);
  area.width = width;
  area.height = height;
}

void layOut(PanelPlan& panel, const ScatterView& view, const Channel* values, const Canvas& canvas) {
  PlotArea& area = panel.area;
  if (panel.texts == Texts::None) {
    fillRoom(panel);
    if (view.equal_lengths) keepLengths(area);
    return;
  }
  const double s = panel.scale, normal = canvas.lineHeight(Font::Normal);
  const Spacing d(s);
  area.top = std::round(panel.room.top + headRoom(panel, canvas));
  area.height = std::max(8.0, std::round(panel.room.bottom - footRoom(panel, canvas)) - area.top);
  const Margins margins = marginsOf(panel, view, values, canvas);
  area.left = std::round(panel.room.left + margins.left);
  area.width = std::max(8.0, std::round(panel.room.right - margins.right) - area.left);
  if (view.equal_lengths) keepLengths(area);
  panel.x_ticks = ticksBelow(panel, 68 * s, canvas);
  panel.y_ticks = axisTicks(area.y.low, area.y.high, tickCount(panel, area.height, 44 * s));
  leaveRoom(panel.y_ticks, area.y, area.height, canvas);
  panel.x_title = axisTitle(labelOf(view.x), panel.x_ticks);
  panel.y_title = axisTitle(labelOf(view.y), panel.y_ticks);
  panel.y_title_left = area.left - margins.left + d.pad * 0.6;
  captionUnits(panel, labelOf(view.x), labelOf(view.y));
  if (!values || panel.texts < Texts::Labels) return;
  const double bar = std::round(16 * s), right = area.left + area.width;
  panel.key.left = right + bar;
  panel.key.top = area.top;
  panel.key.width = bar;
  panel.key.height = area.height;
  leaveRoom(panel.key.ticks, area.height, canvas, [&](double value) { return panel.key.position(value); });
  panel.right_title_left = right + margins.right - d.pad * 0.6 - normal;
}

}  // namespace

std::vector<std::string> neededForScatter(const View& view, const FigureOptions& options) {
  const ScatterView& scatter = *view.as<ScatterView>();
  std::vector<std::string> keys = {scatter.channel};
  if (!scatter.value_channel.empty()) keys.push_back(scatter.value_channel);
  addNeededPaths(keys, scatter.paths, options);
  return keys;
}

void planScatter(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas) {
  const auto& view = panel.viewAs<ScatterView>();
  const std::string& key = panel.view->key;
  PlannedScatter& planned = panel.content.emplace<PlannedScatter>();
  const Channel& points = pointChannel(frame, view.channel, 4, key);
  if (!(points.x_max > points.x_min && points.y_max > points.y_min)) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\", whose axes have zero extent.", key, view.channel));
  }
  planned.channel = &points;
  planned.values = pointValues(frame, points, view.value_channel, key);
  planPointColours(panel, planned.values, view.colormap, view.scale, options);
  panel.area.x = options.x.value_or(Limits{points.x_min, points.x_max});
  panel.area.y = options.y.value_or(Limits{points.y_min, points.y_max});
  planned.paths = planPaths(*panel.view, frame, options);
  panel.legend = panel.texts == Texts::All && !planned.paths.empty();
  layOut(panel, view, planned.values, canvas);
  if (panel.legend && !panel.caption.empty() && !pathLegendFits(panel, planned.paths, canvas)) {
    panel.legend_below = true;
    layOut(panel, view, planned.values, canvas);
  }
}

std::vector<std::uint32_t> scatterColours(const View& view, const FigureOptions& options) {
  const ScatterView& points = *view.as<ScatterView>();
  if (points.value_channel.empty()) return glowingColours(options.theme, std::array{kPlainPoint}, points.paths);
  const std::string& map = options.colormap.empty() ? points.colormap : options.colormap;
  return glowingColours(options.theme, colormap(map, options.reversed), points.paths);
}

}  // namespace simscope::render
