// Where the parts of the window lie, in window coordinates, and the splitters between them.
//
//   simulations | figure      | parameters       The side panels keep their width, the time plots their height; the
//   ------------+-------------|                  figure takes what is left. Small windows shrink the rest first.
//   transport, time plots     |
//   ----------------------------------------
//   status line
// Plain data; thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

struct Layout {
  Rect simulations, figure, parameters, transport, plots, status;
};

class Splitters {
 public:
  // The layout for a window of this size, in its coordinates.
  Layout arrange(const Ui& ui, float width, float height) const;
  // Draws the handles between the parts and moves them; double click restores. Called inside the root window.
  void handle(const Ui& ui, const Layout& layout);

 private:
  // At a scale of 1.
  static constexpr float kLeft = 212, kRight = 332, kPlots = 168;
  float left_ = kLeft, right_ = kRight, plots_ = kPlots;
};

}  // namespace simscope::gui
