#include "app/render/layers/scatter/scatter_painter.h"

#include <algorithm>

#include "app/render/figure/colour_key.h"
#include "app/render/figure/decoration.h"
#include "app/render/layers/scatter/scatter_plan.h"

namespace simscope::render {

void ScatterPainter::prepare(PanelPlan& panel, const Drawing& drawing) {
  const auto& planned = panel.contentAs<PlannedScatter>();
  PointSource& source = layerOf(shown_, panel.index, programs_).source;
  source = {};
  source.points = drawing.transfer.buffer(drawing.frame, planned.channel->key);
  source.count = planned.channel->width;
  if (planned.values) source.values = drawing.transfer.buffer(drawing.frame, planned.values->key);
}

void ScatterPainter::reduce(const PanelPlan& panel, const Drawing& drawing) {
  Shown& shown = *shown_[panel.index];
  const PlotArea area = drawing.drawn(panel.area);
  const Projection flat = Projection::ofPlane(area.x.low, area.x.high, area.y.low, area.y.high, area.left, area.top,
                                              area.width, area.height);
  // Sizes are those of points in a cube that fills the plot; however far one zooms, a point is as large.
  const PointLook look{.table = panel.key.table,
                       .subtractive = drawing.colours.subtractive,
                       .range = panel.key.range,
                       .half_edge = std::min(area.width, area.height) / 2,
                       .point_size = drawing.options.point_size,
                       .exposure = drawing.options.exposure,
                       .scale = panel.scale * drawing.supersampling()};
  shown.layer.gather(shown.source, flat, look, area, drawing.tile);
}

void ScatterPainter::decorate(const PanelPlan& panel, const Drawing& drawing) {
  drawAxes(drawing.canvas, panel, drawing.colours);
  drawPathLegend(drawing.canvas, panel, panel.contentAs<PlannedScatter>().paths, drawing.colours);
  if (panel.key.width > 0) drawColourBar(drawing.canvas, panel, drawing.colours);
}

void ScatterPainter::mark(const PanelPlan& panel, const Drawing& drawing) {
  if (!drawing.options.marker_x || !drawing.options.marker_y) return;
  const double x = *drawing.options.marker_x, y = *drawing.options.marker_y;
  const PlotArea& a = panel.area;
  if (!(x >= a.x.low && x <= a.x.high && y >= a.y.low && y <= a.y.high)) return;
  const auto& view = panel.viewAs<ScatterView>();
  const auto named = [](const AxisInfo& axis, const char* otherwise) {
    return axis.title.empty() ? std::string(otherwise) : axis.title;
  };
  drawMarker(drawing.canvas, panel, drawing.colours, x, y,
             {{named(view.x, "x"), numberText(x, 4), drawing.colours.text},
              {named(view.y, "y"), numberText(y, 4), drawing.colours.text}});
}

void ScatterPainter::paint(const PanelPlan& panel, const Drawing& drawing) {
  shown_[panel.index]->layer.draw();
  drawPaths(path_layer_, panel, panel.contentAs<PlannedScatter>().paths, drawing, drawing.colours.space);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

}  // namespace simscope::render
