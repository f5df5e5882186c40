// The panels of points. See painter.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/render/figure/painter.h"
#include "app/render/layers/point_layer.h"

namespace simscope::render {

class PointPainter final : public Painter {
 public:
  Colour ground(const ThemeColours& colours) const override { return colours.space; }
  void settle(PanelPlan& panel, const Drawing& drawing) override;
  void reduce(const PanelPlan& panel, const Drawing& drawing) override;
  void decorate(const PanelPlan& panel, const Drawing& drawing) override;
  void mark(const PanelPlan&, const Drawing&) override {}
  void paint(const PanelPlan& panel, const Drawing& drawing) override;

  // The point of a panel of the last picture that is nearest to a pixel, within `reach` pixels; −1: none. Waits.
  std::int64_t pick(std::size_t panel, const Projection& projection, double x, double y, double reach);

 private:
  struct Followed {
    std::int64_t index = 0;
    std::array<double, 3> place{};
    std::optional<double> value;
  };
  struct Shown {
    explicit Shown(PointPrograms& programs) : layer(programs) {}
    PointLayer layer;
    PointSource source;
    std::optional<Followed> followed;
  };
  void follow(PanelPlan& panel, const Drawing& drawing, Shown& shown);

  PointPrograms programs_;
  std::vector<std::unique_ptr<Shown>> shown_;
};

}  // namespace simscope::render
