// The panel in the middle: the live figure in a texture of the panel's size, its controls above it, and the mouse on it
// (ViewMouse moves the view and reads values, MouseTools acts on the run).
//
// Owner: the figure. Thread: the UI's, with its GL context current. The figure is drawn anew only where something
// that it shows has changed.
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
  // Shows what is there (ViewFit); once more: the view's own limits.
  void fit(Session& session);
  // Whether the main panel is a view of points in space.
  bool showsSpace(const Session& session) const;
  // By keys: turns a camera by degrees, or magnifies; goes to the next standpoint. Nothing on axes.
  void turn(Session& session, double right, double down) const;
  void magnify(Session& session, double factor) const;
  void nextStandpoint(Session& session) const;
  // Writes the figure as the panel shows it, without the marker, to a new file in the working folder.
  void savePicture(Session& session);
  // The same PNG onto the clipboard.
  void copyPicture(Session& session, Clipboard& clipboard);

  void sendThroughHost(bool wanted);
  const render::Figure& figure() const noexcept { return figure_; }
  // What lies in the window, and whether it was drawn since the last call.
  WindowPicture::Figure takePicture() { return {figure_.texture(), std::exchange(redrawn_, false)}; }
  MouseTools& tools() noexcept { return tools_; }
  const MouseTools& tools() const noexcept { return tools_; }
  MeasureTools& measure() noexcept { return measure_; }
  const MeasureTools& measure() const noexcept { return measure_; }
  ObjectEditor& objects() noexcept { return objects_; }
  const ObjectEditor& objects() const noexcept { return objects_; }
  // By keys: the next object for the tool that edits them, or the one before.
  void stepObject(const Session& session, int by) { objects_.step(session, tools_, figure_, by); }
  FieldReadings& readings() noexcept { return readings_; }
  const FieldReadings& readings() const noexcept { return readings_; }
  // True where probes or line cuts took the key.
  bool measureKey(Session& session, const Key& key) { return measure_.key(session, key, figure_.panels()); }
  // The body under the mouse; −1: none.
  std::int64_t bodyAtMouse() const noexcept { return mouse_.body(); }
  // Where the figure, its main plot, and the plots of all panels lie in the window's coordinates.
  const Rect& place() const noexcept { return place_; }
  Rect plotPlace() const;
  std::vector<std::pair<std::string, Rect>> panelPlaces() const;  // by the key of the view

 private:
  // What a drawn figure depends on.
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
  std::optional<FittedView> fitted_;  // what the last fit has made, where that is not the view's own
  ViewMouse::Pointer pointer_;
  std::optional<Drawn> drawn_;
  bool redrawn_ = false;
  bool through_host_ = false;
  Rect place_;
  float pixel_ratio_ = 1;
  std::string failure_;
};

}  // namespace simscope::gui
