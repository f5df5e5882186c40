// The panels of points. See painter.h.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/painter.h"
#include "app/render/layers/points/point_layer.h"

namespace simscope::render {

class PointPainter final : public Painter {
 public:
  explicit PointPainter(bool) {}  // always drawn by shaders

  Colour background(const ThemeColours& colours) const override { return colours.space; }
  void prepare(PanelPlan& panel, const Drawing& drawing) override;
  void reduce(const PanelPlan& panel, const Drawing& drawing) override;
  void decorate(const PanelPlan& panel, const Drawing& drawing) override;
  void mark(const PanelPlan&, const Drawing&) override {}
  void paint(const PanelPlan& panel, const Drawing& drawing) override;

  std::int64_t pick(std::size_t panel, const Projection& projection, double x, double y, double reach) override;
  std::string kindName(std::size_t panel, std::int64_t point) override;

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
    int every = 1;  // Channel::every
    std::optional<Followed> followed;
    unsigned kinds = 0;                   // a GL buffer with each point's kind; 0: kinds have no names
    std::vector<std::string> kind_names;  // names of the kinds
  };
  static void learnKinds(const PanelPlan& panel, const Drawing& drawing, Shown& shown);
  void follow(PanelPlan& panel, const Drawing& drawing, Shown& shown);

  PointPrograms programs_;
  std::vector<std::unique_ptr<Shown>> shown_;
};

}  // namespace simscope::render
