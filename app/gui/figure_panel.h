// The panel in the middle: the live figure in a texture of the panel's size, its view and its traces above it, and
// the mouse on it: wheel zooms x about the mouse (with Ctrl: y; both axes of a field), drag pans, double click fits,
// hover reads values. With a tool of the simulation the left button pokes the run instead; the others pan.
//
// Owner: the figure. Thread: the UI's, with its GL context current. The figure is drawn anew only where something
// that it shows has changed.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/gui/mouse_tools.h"
#include "app/gui/session.h"
#include "app/gui/widgets.h"
#include "app/render/figure.h"

namespace simscope::gui {

struct FigureActions {
  bool toggle_theme = false;
};

class FigurePanel {
 public:
  FigurePanel();

  FigureActions draw(Session& session, Ui& ui);
  void fit(Session& session);
  // Writes the figure as the panel shows it, without the marker, to a new file in the working folder.
  void savePicture(Session& session);

  const render::Figure& figure() const noexcept { return figure_; }
  MouseTools& tools() noexcept { return tools_; }
  const MouseTools& tools() const noexcept { return tools_; }
  // Where the figure and its plot area lie in the window's coordinates.
  const Rect& place() const noexcept { return place_; }
  Rect plotPlace() const;

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
  void redraw(Session& session, const render::FigureOptions& options);
  void followMouse(Session& session, const Ui& ui);

  render::Figure figure_;
  MouseTools tools_;
  std::optional<Drawn> drawn_;
  Rect place_;
  float pixel_ratio_ = 1;
  struct Marker {
    double x = 0, y = 0;
    bool field = false;
  };
  std::optional<Marker> marker_;  // where the mouse reads values
  bool tool_over_plot_ = false;   // the mouse would act with the tool, or does
  std::string failure_;
};

}  // namespace simscope::gui
