#include "app/render/layers/points/point_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/figure/plan_parts.h"
#include "app/render/layers/points/point_channels.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

void planLayout(PanelPlan& panel, const PointView& view, const Canvas& canvas) {
  PlotArea& area = panel.area;
  if (panel.texts == Texts::None) {
    fillRoom(panel);
    return;
  }
  const double s = panel.scale;
  const Spacing d(s);
  const Room& room = panel.room;
  // The axes are within the plot: nothing is written below it.
  area.left = std::round(room.left + d.pad);
  area.top = std::round(room.top + headRoom(panel, canvas));
  area.width = std::max(8.0, std::round(room.right - d.pad) - area.left);
  area.height = std::max(8.0, std::round(room.bottom - d.gap) - area.top);
  if (!panel.contentAs<PlannedPoints>().values || panel.texts < Texts::Labels) return;

  ColourKey& key = panel.key;
  const int most = std::clamp(static_cast<int>(area.height / (40 * s)), 2, 12);
  key.ticks = pointKeyTicks(panel, *panel.contentAs<PlannedPoints>().values, most, canvas);
  key.title = axisTitle(labelOf(view.value, panel.contentAs<PlannedPoints>().values->form), key.ticks);
  const double title = panel.texts == Texts::All ? 6 * s + canvas.lineHeight(Font::Normal) : 0;
  const double bar = std::round(16 * s), right = room.right - d.pad * 0.6;
  key.left = std::round(right - title - labelRoom(canvas, key.ticks, s) - d.tick - d.gap) - bar;
  key.top = area.top;
  key.width = bar;
  key.height = area.height;
  panel.right_title_left = right - canvas.lineHeight(Font::Normal);
  area.width = std::max(8.0, key.left - bar - area.left);
}

bool trailsShown(const PointView& view, const FigureOptions& options) {
  const auto choice = options.shown.find(view.trail_channel);
  return !view.trail_channel.empty() && (choice == options.shown.end() || choice->second);
}

}  // namespace

std::vector<std::string> neededForPoints(const View& view, const FigureOptions& options) {
  const auto& points = *view.as<PointView>();
  std::vector<std::string> keys = {points.channel};
  if (!points.value_channel.empty()) keys.push_back(points.value_channel);
  if (!points.kind_channel.empty()) keys.push_back(points.kind_channel);
  if (trailsShown(points, options)) keys.push_back(points.trail_channel);
  return keys;
}

void planPoints(PanelPlan& panel, const Frame& frame, const FigureOptions& options, const Canvas& canvas) {
  const PointView& view = panel.viewAs<PointView>();
  PlannedPoints& points = panel.content.emplace<PlannedPoints>();
  points.channel = &pointChannel(frame, view.channel, 4, panel.view->key);
  points.half_edge = std::max(std::abs(points.channel->x_min), std::abs(points.channel->x_max));
  if (!(points.half_edge > 0) || !std::isfinite(points.half_edge)) points.half_edge = 1;
  points.values = pointValues(frame, *points.channel, view.value_channel, panel.view->key);
  if (trailsShown(view, options) && frame.find(view.trail_channel)) {
    points.trails = &pointChannel(frame, view.trail_channel, 3, panel.view->key);
    if (points.trails->height > points.channel->width) {
      throw Error(fmt::format("The channel \"{}\" has {} trails of {} points.", view.trail_channel,
                              points.trails->height, points.channel->width));
    }
  }
  planPointColours(panel, points.values, view.colormap, view.scale, options);
  planLayout(panel, view, canvas);
  const PlotArea& a = panel.area;
  panel.projection.emplace(options.camera.value_or(Camera{}), points.half_edge, a.left, a.top, a.width, a.height);
}

}  // namespace simscope::render
