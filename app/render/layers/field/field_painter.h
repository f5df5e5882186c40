// The panels of fields. See painter.h.
#pragma once

#include "app/render/figure/painter.h"
#include "app/render/layers/field/arrow_layer.h"
#include "app/render/layers/field/field_bitmap.h"
#include "app/render/layers/field/field_layer.h"
#include "app/render/layers/paths/path_layer.h"

namespace simscope::render {

class FieldPainter final : public Painter {
 public:
  // `by_processor`: the CPU's threads draw fields in host memory, for software OpenGL.
  explicit FieldPainter(bool by_processor) : by_processor_(by_processor) {}

  void prepare(PanelPlan& panel, const Drawing& drawing) override;
  void reduce(const PanelPlan& panel, const Drawing& drawing) override;
  void decorate(const PanelPlan& panel, const Drawing& drawing) override;
  void mark(const PanelPlan& panel, const Drawing& drawing) override;
  void paint(const PanelPlan& panel, const Drawing& drawing) override;
  void paintKey(const PanelPlan& panel, const Drawing& drawing) override;

 private:
  static FieldLayer::Contours contoursOf(const PanelPlan& panel, const Drawing& drawing);

  bool takes(const PanelPlan& panel, const Drawing& drawing) const;
  template <class Layer>
  static void reduceInto(Layer& layer, const PanelPlan& panel, const Drawing& drawing);

  const bool by_processor_;
  FieldPrograms programs_;
  FieldBitmapPrograms bitmap_programs_;
  ArrowPrograms arrow_programs_;
  std::vector<std::unique_ptr<FieldLayer>> layers_;
  std::vector<std::unique_ptr<FieldBitmap>> bitmaps_;
  std::vector<std::unique_ptr<ArrowLayer>> arrows_;
  PathLayer path_layer_;
};

}  // namespace simscope::render
