#include "app/render/layers/points/point_painter.h"

#include <cmath>

#include "app/render/figure/colour_key.h"
#include "app/render/figure/decoration.h"
#include "app/render/layers/points/point_cube.h"
#include "app/render/layers/points/point_plan.h"

namespace simscope::render {
namespace {

// `count` floats of a GL buffer, from the element `first` on.
template <std::size_t count>
std::array<float, count> elements(unsigned buffer, std::int64_t first) {
  std::array<float, count> values{};
  glGetNamedBufferSubData(buffer, first * static_cast<GLintptr>(sizeof(float)), sizeof values, values.data());
  return values;
}

}  // namespace

void PointPainter::follow(PanelPlan& panel, const Drawing& drawing, Shown& shown) {
  shown.followed.reset();
  // Where not every point is drawn, the one before it stands for it.
  const std::int64_t every = panel.contentAs<PlannedPoints>().channel->every;
  const std::int64_t index = drawing.options.follow / every;
  if (drawing.options.follow < 0 || index >= shown.source.count) return;
  const auto point = elements<4>(shown.source.points, 4 * index);
  if (!(std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]))) return;
  Followed followed{index * every, {point[0], point[1], point[2]}, {}};
  if (shown.source.values != 0) followed.value = elements<1>(shown.source.values, index)[0];
  Camera camera = panel.projection->camera();
  camera.x = point[0], camera.y = point[1], camera.z = point[2];
  const PlotArea& a = panel.area;
  panel.projection.emplace(camera, panel.contentAs<PlannedPoints>().half_edge, a.left, a.top, a.width, a.height);
  shown.followed = followed;
}

// Kinds that are not shown are taken along where there are few points: all systems whose bodies have names are small.
void PointPainter::learnKinds(const PanelPlan& panel, const Drawing& drawing, Shown& shown) {
  constexpr int kFewPoints = 4096;
  shown.kinds = 0;
  const auto& planned = panel.contentAs<PlannedPoints>();
  const Channel* channel = drawing.frame.find(panel.viewAs<PointView>().kind_channel);
  if (!channel || channel->kind_names.empty() || channel->components != 1 || channel->height != 1 ||
      channel->width != planned.channel->width || (channel != planned.values && channel->width > kFewPoints)) {
    return;
  }
  shown.kinds = drawing.transfer.buffer(drawing.frame, channel->key);
  shown.kind_names = channel->kind_names;
}

std::string PointPainter::kindName(std::size_t panel, std::int64_t point) {
  if (panel >= shown_.size() || !shown_[panel]) return {};
  const Shown& shown = *shown_[panel];
  if (shown.kinds == 0 || point < 0 || point / shown.every >= shown.source.count) return {};
  const float kind = elements<1>(shown.kinds, point / shown.every)[0];
  const bool named = kind >= 0 && kind < static_cast<float>(shown.kind_names.size());
  return named ? shown.kind_names[static_cast<std::size_t>(kind)] : std::string();
}

void PointPainter::prepare(PanelPlan& panel, const Drawing& drawing) {
  const PlannedPoints& planned = panel.contentAs<PlannedPoints>();
  const auto buffer = [&](const Channel* channel) {
    return channel ? drawing.transfer.buffer(drawing.frame, channel->key) : 0;
  };
  Shown& shown = layerOf(shown_, panel.index, programs_);
  PointSource& source = shown.source;
  source = {};
  source.points = buffer(planned.channel);
  source.count = planned.channel->width;
  shown.every = planned.channel->every;
  source.values = buffer(planned.values);
  source.trails = buffer(planned.trails);
  if (planned.trails) {
    source.trail_samples = planned.trails->width;
    source.trails_count = planned.trails->height;
  }
  learnKinds(panel, drawing, shown);
  follow(panel, drawing, shown);
}

void PointPainter::reduce(const PanelPlan& panel, const Drawing& drawing) {
  Shown& shown = *shown_[panel.index];
  const FigureOptions& options = drawing.options;
  const PlotArea area = drawing.drawn(panel.area);
  const Projection projection(panel.projection->camera(), panel.contentAs<PlannedPoints>().half_edge, area.left,
                              area.top, area.width, area.height);
  const PointLook look{.table = panel.key.table,
                       .subtractive = drawing.colours.subtractive,
                       .range = panel.key.range,
                       .half_edge = panel.contentAs<PlannedPoints>().half_edge,
                       .point_size = options.point_size,
                       .exposure = options.exposure,
                       .scale = panel.scale * drawing.supersampling()};
  shown.layer.gather(shown.source, projection, look, area, drawing.tile);
}

void PointPainter::decorate(const PanelPlan& panel, const Drawing& drawing) {
  Canvas& canvas = drawing.canvas;
  const ThemeColours& colours = drawing.colours;
  drawCube(canvas, panel, colours);
  drawAxes(canvas, panel, colours);
  drawScaleBar(canvas, panel, colours);
  if (panel.key.width > 0) drawColourBar(canvas, panel, colours);
  drawShare(canvas, panel, colours);

  const auto& followed = shown_[panel.index]->followed;
  if (!followed) return;
  const auto& [index, place, value] = *followed;
  std::vector<Reading> readings = {{"body", std::to_string(index), colours.text}};
  for (std::size_t k = 0; k < 3; ++k) {
    readings.push_back({std::string(1, "xyz"[k]), numberText(place[k], 4), colours.text});
  }
  if (value) {
    const std::string title =
        labelOf(panel.viewAs<PointView>().value, panel.contentAs<PlannedPoints>().values->form).title;
    const std::string name = panel.key.kinds > 0 ? kindName(panel.index, index) : std::string();
    readings.push_back({title.empty() ? "value" : title, name.empty() ? numberText(*value, 4) : name, colours.text});
  }
  const double x = panel.projection->centreX(), y = panel.projection->centreY();
  drawReticle(canvas, panel, colours, x, y);
  drawReadings(canvas, panel, colours, x + 8 * panel.scale, y - 8 * panel.scale, readings);
}

void PointPainter::paint(const PanelPlan& panel, const Drawing&) {
  shown_[panel.index]->layer.draw();
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

std::int64_t PointPainter::pick(std::size_t panel, const Projection& projection, double x, double y, double reach) {
  Shown& shown = *shown_[panel];
  const std::int64_t found = shown.layer.nearest(shown.source, projection, x, y, reach);
  return found < 0 ? found : found * shown.every;
}

}  // namespace simscope::render
