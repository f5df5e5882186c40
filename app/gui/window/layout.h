// The rectangles of the window's parts, in window coordinates, and the splitters between them.
//
//   bar
//   simulations | figure      | parameters       The side panels keep their width, the time plots their height; the
//   ------------+-------------|                  figure takes what is left. Small windows shrink the rest first. Panels
//   transport, time plots     |                  that are folded have no room, and a presentation has the figure and
//   ----------------------------------------     the transport alone.
//   status line
// Plain data; thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/gui/window/panel_folds.h"

namespace simscope::gui {

// A part without width is not drawn.
struct Layout {
  Rect bar, simulations, figure, parameters, transport, plots, status;
};

// The size of a presentation's letters relative to the window's, whose size is given in units: 1.6, or less if the
// picture would get too small, but at least 1.
float presenterLetters(float width, float height);

class Splitters {
 public:
  // The layout for a window of this size, in its coordinates.
  Layout arrange(float scale, float width, float height, const PanelFolds& folds) const;
  static Layout present(float scale, float width, float height);
  // Draws the handles between the parts and moves them, by the mouse or, for the focused handle, by arrows; a double
  // click or Home restores. Called inside the root window.
  void handle(Ui& ui, const Layout& layout);

 private:
  // At a scale of 1.
  static constexpr float kLeft = 224, kRight = 332, kPlots = 168;
  float left_ = kLeft, right_ = kRight, plots_ = kPlots;
};

}  // namespace simscope::gui
