// The panel in the middle: the live figure in a texture of the panel's size, its controls above it, and the mouse on it
// (ViewMouse moves the view and reads values, MouseTools acts on the run).
//
// Owner: of the figure. Thread: the UI's, with its GL context current. The figure is redrawn only if something that it
// shows has changed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/panels/figure/measure_tools.h"
#include "app/gui/panels/figure/mouse_tools.h"
#include "app/gui/panels/figure/object_editor.h"
#include "app/gui/panels/figure/view_mouse.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/window_picture.h"
#include "app/render/figure/figure.h"
#include "app/session/readings/field_readings.h"
#include "app/session/readings/view_fit.h"
#include "app/session/session.h"

namespace simscope::gui {

class Clipboard;

struct FigureActions {
  bool toggle_theme = false;
};

class FigurePanel {
 public:
  FigurePanel();

  FigureActions draw(Session& session, Ui& ui);
  // Fits the view to its content (ViewFit); called again: the view's default limits.
  void fit(Session& session);
  // Whether the main panel is a view of points in space.
  bool showsSpace(const Session& session) const;
  // For keys: turns a camera by degrees, or magnifies; goes to the next standpoint. Nothing for views with axes.
  void turn(Session& session, double right, double down) const;
  void magnify(Session& session, double factor) const;
  void nextStandpoint(Session& session) const;
  // Writes the figure as shown, without the marker, to a new file in the working folder.
  void savePicture(Session& session);
  // Copies the same PNG to the clipboard.
  void copyPicture(Session& session, Clipboard& clipboard);

  void sendThroughHost(bool wanted);
  const render::Figure& figure() const noexcept { return figure_; }
  // The figure's texture in the window, and whether it was drawn since the last call.
  WindowPicture::Figure takePicture() { return {figure_.texture(), std::exchange(redrawn_, false)}; }
  MouseTools& tools() noexcept { return tools_; }
  const MouseTools& tools() const noexcept { return tools_; }
  MeasureTools& measure() noexcept { return measure_; }
  const MeasureTools& measure() const noexcept { return measure_; }
  ObjectEditor& objects() noexcept { return objects_; }
  const ObjectEditor& objects() const noexcept { return objects_; }
  // For keys: selects the next object for the tool that edits objects, or the previous one.
  void stepObject(const Session& session, int by) { objects_.step(session, tools_, figure_, by); }
  FieldReadings& readings() noexcept { return readings_; }
  const FieldReadings& readings() const noexcept { return readings_; }
  // True if probes or line cuts used the key.
  bool measureKey(Session& session, const Key& key) { return measure_.key(session, key, figure_.panels()); }
  // The body under the mouse; −1: none.
  std::int64_t bodyAtMouse() const noexcept { return mouse_.body(); }
  // The rectangles of the figure, its main plot, and the plots of all panels in window coordinates.
  const Rect& place() const noexcept { return place_; }
  Rect plotPlace() const;
  std::vector<std::pair<std::string, Rect>> panelPlaces() const;  // by the view's key

 private:
  // Everything that a drawn figure depends on.
  struct Drawn {
    std::uint64_t sequence = 0;
    const Description* description = nullptr;
    ParameterSet parameters;
    render::FigureOptions options;
  };
  FigureActions drawToolbar(Session& session, Ui& ui);
  void drawMessages(Session& session, Ui& ui, const Rect& place);
  void drawFollowed(Session& session, Ui& ui);
  void drawOverlays(const Session& session, Ui& ui, ImDrawList& list) const;
  void redraw(Session& session, const render::FigureOptions& options);
  void followMouse(Session& session, const Ui& ui);
  void readMarks(Session& session);
  bool followFit(Session& session);
  struct Shot {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;
    std::string scene;
  };
  Shot shoot(Session& session);
  Rect inWindow(const render::PlotArea& area) const;

  render::Figure figure_;
  MouseTools tools_;
  MeasureTools measure_;
  ObjectEditor objects_;
  FieldReadings readings_;
  ViewMouse mouse_;
  ViewFit fit_;
  std::optional<FittedView> fitted_;  // the result of the last fit, if it differs from the view's default
  ViewMouse::Pointer pointer_;
  std::optional<Drawn> drawn_;
  bool redrawn_ = false;
  bool through_host_ = false;
  Rect place_;
  float pixel_ratio_ = 1;
  std::string failure_;
};

}  // namespace simscope::gui
