// The panels of curves. See painter.h.
#pragma once

#include "app/render/figure/painter.h"
#include "app/render/layers/curves/curve_layer.h"

namespace simscope::render {

class CurvePainter final : public Painter {
 public:
  // Whether the CPU reduces data in its memory.
  explicit CurvePainter(bool by_processor) : by_processor_(by_processor) {}

  void prepare(PanelPlan& panel, const Drawing& drawing) override;
  void decorate(const PanelPlan& panel, const Drawing& drawing) override;
  void mark(const PanelPlan& panel, const Drawing& drawing) override;
  void paint(const PanelPlan& panel, const Drawing& drawing) override;

 private:
  const bool by_processor_;
  CurvePrograms programs_;
  std::vector<std::unique_ptr<CurveLayer>> layers_;
};

}  // namespace simscope::render
