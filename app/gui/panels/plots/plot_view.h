// A plot with mouse and keyboard (arrows move and zoom it, Enter opens the menu, Tab reaches each entry of the legend).
// The wheel zooms along x (with Ctrl along y), dragging moves it, a double click fits it, a click on the legend hides a
// series, and a menu has the rest: logarithmic axes, files, the clipboard, a separate window.
// Owner: of the plot's zoom. Thread: the UI's.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/gui/widgets/plot_drawing.h"
#include "app/session/session.h"

namespace simscope::gui {

class PlotView {
 public:
  struct Response {
    bool window = false;  // moves it to a separate window, or back
    bool hide = false;
    std::optional<double> pointed = {}, picked = {};  // x under the mouse, and x clicked
  };
  // `in_window`: whether it has a separate window. `more`: further entries of the menu.
  Response draw(Session& session, Ui& ui, const Plot& plot, const Rect& place, bool in_window,
                const std::function<void()>& more);
  // The axes that are logarithmic until the user chooses otherwise.
  void begin(bool log_x, bool log_y);
  // Its place is fixed: the menu offers neither a window nor to hide it.
  void pin() noexcept { pinned_ = true; }
  const PlotZoom& zoom() const noexcept { return zoom_; }

 private:
  Response drawMenu(Session& session, Ui& ui, const Plot& plot, bool in_window, const std::function<void()>& more);
  void drawLegendStops(Ui& ui, const Plot& plot, const PlotLayout& layout);
  void followKeys(const Ui& ui, const PlotLayout& layout);
  void followMouse(const Ui& ui, const PlotLayout& layout, bool hovered, bool active);

  PlotZoom zoom_;
  bool begun_ = false, pinned_ = false;
};

}  // namespace simscope::gui
