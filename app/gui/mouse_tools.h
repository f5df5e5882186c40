// The simulation's tools for the mouse: the bar that offers them, which one is taken, how large and strong it is, and
// the strokes that are made with it on the figure. Without a tool the mouse moves the axes ("Pan").
//
// Owner: the figure's panel. Thread: the UI's. The radius is a length on the screen: zoomed in, the tool is finer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/gui/session.h"
#include "app/gui/stroke.h"
#include "app/gui/widgets.h"
#include "app/render/figure.h"

namespace simscope::gui {

class MouseTools {
 public:
  // A row below the figure's other controls (two where it does not fit); nothing without tools.
  void drawBar(Session& session, Ui& ui);

  // 0 is Pan, then the simulation's tools in order; others change nothing.
  void choose(const Session& session, int number);
  void drop() { tool_.clear(); }  // Pan
  // Key of the tool that was taken; empty: Pan.
  const std::string& taken() const noexcept { return tool_; }
  // Whether the mouse acts with it now: the view must show places of the simulation, and no recording be under way.
  bool active(const Session& session) const;
  bool stroking() const noexcept { return stroke_.has_value(); }
  float radius() const noexcept { return radius_; }  // at a scale of 1
  void resize(float notches);

  // The mouse on the figure, whose item is the last one; `place` is the figure's in window coordinates.
  void followMouse(Session& session, const Ui& ui, const render::PlotArea& area, const Rect& place, bool over_plot);
  // What the tool would touch under the mouse.
  void drawCursor(const Session& session, const Ui& ui, ImDrawList& list, const Rect& plot) const;

 private:
  struct Offer {
    std::string key, title, help;  // no key: Pan
  };
  float drawOffers(Ui& ui, const std::vector<Offer>& offers, float room);
  void drawTips(Ui& ui);
  void forgetStranger(const Session& session);

  std::string tool_;
  float radius_ = 36;
  double strength_ = 1;
  double units_per_point_ = 0;  // of the simulation, per window coordinate; 0: not known yet
  std::optional<Stroke> stroke_;
};

}  // namespace simscope::gui
