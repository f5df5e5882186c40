// The mouse that moves the view and reads values. On axes: the wheel zooms x about the mouse (with Ctrl: y; both axes
// of a field), dragging pans, a double click fits. If parameters describe the computed part of the plane
// (Description::navigate), these change instead. In space: dragging turns the camera, the wheel moves nearer, with
// Shift or the right button the target moves, a double click follows a body. In a linked view these act on the main
// panel; values are read in any panel.
//
// Owner: the figure's panel owns it. Thread: the UI's, with its GL context current (bodies are found on the device).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "app/gui/panels/figure/pixel_places.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class MouseTools;

class ViewMouse {
 public:
  // The mouse position: on the figure's item, which is the last one, and in which panel (−1: none).
  struct Pointer {
    PixelPlace at;
    bool hovered = false;
    int panel = -1;
  };
  struct Marker {
    double x = 0, y = 0;
    bool field = false;
    int panel = 0;
  };

  // Called after the tools have had the mouse. `figure` has been drawn.
  void follow(Session& session, const Ui& ui, render::Figure& figure, MouseTools& tools, const Pointer& pointer);
  // Nothing is drawn, so nothing is under the mouse.
  void forget();

  // True once after a double click requested a fit of the view.
  bool takeFit() noexcept { return std::exchange(wants_fit_, false); }
  // The place where values are read.
  const std::optional<Marker>& marker() const noexcept { return marker_; }
  // The body under the mouse; −1: none.
  std::int64_t body() const noexcept { return body_; }
  // The body's name, or its kind; may be empty.
  const std::string& bodyName() const noexcept { return body_name_; }

 private:
  void moveAxes(Session& session, const Ui& ui, const render::PlotArea& area, const Pointer& pointer, bool with_tool);
  bool moveWindow(Session& session, const Ui& ui, const PanelArea& panel, const Pointer& pointer, bool with_tool);
  void moveCamera(Session& session, const Ui& ui, render::Figure& figure, const PanelArea& panel,
                  const Pointer& pointer, bool with_tool);
  std::optional<std::size_t> panelMeant(std::size_t count, const Pointer& pointer);
  void lookForBody(render::Figure& figure, const Session& session, const Pointer& pointer);

  bool wants_fit_ = false;
  std::optional<Marker> marker_;
  std::int64_t body_ = -1;
  std::string body_name_;
  int held_panel_ = -1;           // where a button was pressed: it keeps the mouse until the release
  PixelPlace looked_at_{-1, -1};  // the last search for a body: from where, in which frame, and its duration
  std::optional<Camera> looked_from_;
  std::uint64_t looked_in_ = 0;
  double look_seconds_ = 0;
};

// Restores the default limits, or the preset's camera; no body is followed.
void usualView(Session& session);
// Keeps the body in the middle of the picture; −1: the camera stays where it is.
void followBody(Session& session, const render::Figure& figure, std::int64_t body);
// The camera of the last picture: its target may have been a body.
Camera shownCamera(const Session& session, const render::Figure& figure);

}  // namespace simscope::gui
