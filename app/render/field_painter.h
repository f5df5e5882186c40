// The panels of fields. See painter.h.
#pragma once

#include "app/render/arrow_layer.h"
#include "app/render/field_layer.h"
#include "app/render/painter.h"

namespace simscope::render {

class FieldPainter final : public Painter {
 public:
  void settle(PanelPlan& panel, const Drawing& drawing) override;
  void reduce(const PanelPlan& panel, const Drawing& drawing) override;
  void decorate(const PanelPlan& panel, const Drawing& drawing) override;
  void mark(const PanelPlan& panel, const Drawing& drawing) override;
  void paint(const PanelPlan& panel, const Drawing& drawing) override;
  void paintKey(const PanelPlan& panel, const Drawing& drawing) override;

 private:
  static FieldLayer::Contours contoursOf(const PanelPlan& panel, const Drawing& drawing);

  FieldPrograms programs_;
  ArrowPrograms arrow_programs_;
  std::vector<std::unique_ptr<FieldLayer>> layers_;
  std::vector<std::unique_ptr<ArrowLayer>> arrows_;
};

}  // namespace simscope::render
