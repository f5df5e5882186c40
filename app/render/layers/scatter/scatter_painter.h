// The panels of points in the plane. See painter.h.
#pragma once

#include <memory>
#include <vector>

#include "app/render/figure/painter.h"
#include "app/render/layers/paths/path_layer.h"
#include "app/render/layers/points/point_layer.h"

namespace simscope::render {

class ScatterPainter final : public Painter {
 public:
  explicit ScatterPainter(bool) {}  // always drawn by shaders

  Colour background(const ThemeColours& colours) const override { return colours.space; }
  void prepare(PanelPlan& panel, const Drawing& drawing) override;
  void reduce(const PanelPlan& panel, const Drawing& drawing) override;
  void decorate(const PanelPlan& panel, const Drawing& drawing) override;
  void mark(const PanelPlan& panel, const Drawing& drawing) override;
  void paint(const PanelPlan& panel, const Drawing& drawing) override;

 private:
  struct Shown {
    explicit Shown(PointPrograms& programs) : layer(programs) {}
    PointLayer layer;
    PointSource source;
  };
  PointPrograms programs_;
  std::vector<std::unique_ptr<Shown>> shown_;
  PathLayer path_layer_;
};

}  // namespace simscope::render
