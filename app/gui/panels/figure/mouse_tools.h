// The simulation's tools for the mouse: the bar that offers them, the chosen tool, its size and strength, and the
// strokes made with it on the figure's panels; strokes can be cleared there. Without a tool the mouse moves the view
// ("Pan").
//
// Owner: the figure's panel owns it. Thread: the UI's. A tool's radius is a fraction of the plot's side, by default the
// description's (ToolInfo::size): when zoomed in, the tool is finer. It is never narrower than a cell. Radius and
// strength are kept for each tool; the drawn shape is common to all tools that have it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/panels/figure/pixel_places.h"
#include "app/gui/panels/figure/tool_cursor.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/mouse_stroke.h"
#include "app/session/session.h"

namespace simscope::gui {

class MouseTools {
 public:
  // One row below the figure's other controls (two if it does not fit); nothing without tools.
  void drawBar(Session& session, Ui& ui);

  // The tools that matter, in the order of their numbers from 1. Tools that edit the same objects are listed once, as
  // the first.
  static std::vector<const ToolInfo*> offered(const Session& session);
  // Its title in the bar and in the commands.
  static const std::string& titleOf(const ToolInfo& tool);
  // 0 is Pan, then the simulation's tools in order; other numbers are ignored.
  void choose(const Session& session, int number);
  // Esc: cancels a launch being aimed, or a shape; else puts the tool down.
  void escape();
  // Key of the chosen tool; empty: Pan.
  const std::string& taken() const noexcept { return tool_; }
  // The tool that the mouse uses on this panel of the figure; null if it does not act there, or not now.
  const ToolInfo* actingOn(const Session& session, const std::string& view) const;
  // The chosen tool, if it edits objects (ObjectEditor) and may do so now; else null.
  const ToolInfo* editing(const Session& session) const;
  bool stroking() const noexcept { return stroke_.has_value(); }
  // True during a stroke, and after a cancelled one until the buttons are released.
  bool holdsMouse() const noexcept { return stroke_ || called_off_; }
  const MouseStroke* stroke() const noexcept { return stroke_ ? &*stroke_ : nullptr; }
  float radius(const Session& session) const;  // window coordinates; 0: the chosen tool has none
  // True if the chosen tool has a radius that the wheel can change.
  bool hasRadius(const Session& session) const;
  void resize(const Session& session, float notches);
  // The shapes that the chosen tool can draw in the present view; empty: none. And the shape chosen now.
  std::vector<DrawnShape> shapesAtHand(const Session& session) const;
  DrawnShape shape(const Session& session) const;
  void chooseShape(DrawnShape shape) { shape_ = shape; }
  void nextShape(const Session& session);

  // The mouse on the figure, whose item is the last one. `panel`: the panel under the mouse, −1: none.
  void followMouse(Session& session, const Ui& ui, std::span<const PanelArea> panels, PixelPlace mouse, int panel);
  // Draws what the tool would affect under the mouse, or affects now. `place`: the figure's, in window coordinates.
  void drawCursor(const Session& session, const Ui& ui, ImDrawList& list, std::span<const PanelArea> panels,
                  const Rect& place, int panel) const;

 private:
  struct Offer {
    std::string key, title, help;  // no key: Pan
    bool fits = true;              // it acts in the present view
  };
  const ToolInfo* info(const Session& session) const;
  std::vector<Offer> offers(const Session& session) const;
  float drawOffers(Ui& ui, const std::vector<Offer>& offers, float room);
  static std::vector<DrawnShape> offeredShapes(const Session& session);
  bool drawShapes(Session& session, Ui& ui, bool as_list);
  void drawTips(const Session& session, Ui& ui, const ToolInfo& tool);
  static void drawStrokes(Session& session, Ui& ui, float right);

  struct Settings {
    double share = 0;  // the radius as a fraction of reference_; 0: the description's
    double strength = 1;
  };
  Settings& settingsOf(const Session& session, const ToolInfo& tool) const;
  void measure(const Session& session, const Ui& ui, const PanelArea& panel);
  double radiusOf(const Session& session, const ToolInfo& tool) const;  // window coordinates
  double least() const;
  double most() const;
  MouseStroke::Tip tipOf(const Session& session) const;
  std::string launchText(const Session& session, const ToolInfo& tool) const;

  std::string tool_;
  DrawnShape shape_ = DrawnShape::Freehand;
  mutable std::map<std::string, Settings> settings_;  // by "simulation.tool"
  double units_per_point_ = 0;                        // side of the plot for share, in window coordinates
  double reference_ = 600;                            // side of the plot that radii are shares of, window coordinates
  double half_cell_ = 0;                              // window coordinates; 0: there are none
  std::optional<MouseStroke> stroke_;
  std::uint64_t pokes_before_ = 0;  // Session::pokes when it began
  std::string stroke_view_;         // key of the panel's view that the stroke is made on
  bool called_off_ = false;
};

}  // namespace simscope::gui
