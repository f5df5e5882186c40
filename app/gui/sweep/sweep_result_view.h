// A sweep's result: the curve with the exact one, the phase diagram, or the runs' figures. The mouse reads values, a
// click opens the run; two buttons and a line below do the same for the keyboard.
//
// Owner: of the displayed result. Thread: the UI's, with the GL context current.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panels/plots/plot_view.h"
#include "app/gui/sweep/pixels_texture.h"
#include "app/gui/widgets/widgets.h"
#include "app/sweep/multiples.h"
#include "app/sweep/reading.h"

namespace simscope::gui {

class SweepResultView {
 public:
  // Shows a finished sweep. `plan`: its figure size is that of saved pictures.
  void show(sweep::Plan plan, std::shared_ptr<const sweep::Result> result, bool figures);
  // The runs' figures during the sweep: RGB, top row first, of that size.
  void showFigures(const std::vector<std::uint8_t>& picture, int width, int height);
  void forgetFigures() { figures_.clear(); }
  // Shows another diagnostic of the same runs.
  void measure(std::size_t diagnostic);
  bool empty() const noexcept { return !result_; }
  // Must not be empty.
  const sweep::Plan& plan() const noexcept { return *plan_; }
  const std::shared_ptr<const sweep::Result>& result() const noexcept { return result_; }
  // Whether the figures are shown; their picture, and its size.
  std::size_t chosen() const noexcept { return chosen_; }
  bool showsFigures() const noexcept { return by_figures_ && !figures_.empty(); }
  const std::vector<std::uint8_t>& figurePixels() const noexcept { return pixels_; }
  int figuresWidth() const noexcept { return figures_.width(); }
  int figuresHeight() const noexcept { return figures_.height(); }

  // Uses all the space. `running`: the plan whose figures are shown while there is no result. Returns the ending of the
  // file to be saved, if a button was pressed.
  std::string draw(Session& session, Ui& ui, const sweep::Plan* running, bool busy);

 private:
  struct Cursor {
    std::optional<std::size_t> pointed, picked;
  };
  std::string drawHeader(Session& session, Ui& ui, bool busy);
  void drawReading(Session& session, Ui& ui);
  Cursor drawCurve(Session& session, Ui& ui, const Rect& place);
  Cursor drawDiagram(const Session& session, Ui& ui, const Rect& place);
  Cursor drawFigures(Ui& ui, const sweep::Plan& plan, const Rect& place);
  void makeDiagram(const Session& session, const Ui& ui, const Rect& place);
  void outline(const Ui& ui, const Rect& place, std::size_t run) const;
  void tell(Ui& ui, const sweep::Plan& plan, const sweep::Result* result, std::size_t run) const;

  std::optional<sweep::Plan> plan_;
  std::shared_ptr<const sweep::Result> result_;
  sweep::Curve curve_;
  std::size_t chosen_ = 0;  // the run in the line below
  std::optional<std::size_t> pointed_;
  bool by_figures_ = false;
  std::optional<PlotView> plot_;
  PixelsTexture diagram_, figures_;
  std::vector<std::uint8_t> pixels_;  // of the figures
  std::unique_ptr<render::Figure> figure_;
  std::vector<render::Figure::PanelArea> panels_;
  struct DiagramLook {
    std::size_t measure = 0;
    render::FigureOptions options;
    bool operator==(const DiagramLook&) const = default;
  };
  std::optional<DiagramLook> drawn_, wanted_;
};

}  // namespace simscope::gui
