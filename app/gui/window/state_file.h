// The window's state as a JSON file, for tests that drive it: renewed up to twenty times a second, each time under a
// temporary name and renamed, so that a reader never sees a partial file. Thread: the UI's.
//
// Rectangles are [x, y, width, height] on the screen. Errors, such as a full disk, are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/gallery/gallery_page.h"
#include "app/gui/lab/lab_page.h"
#include "app/gui/panels/figure/object_editor.h"
#include "app/gui/panels/plots/plots_panel.h"
#include "app/gui/sweep/sweep_window.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/device_comparison.h"
#include "app/session/session.h"

namespace simscope::gui {

struct WindowState {
  int x = 0, y = 0, width = 0, height = 0;  // of the window, on the screen
  bool focused = false;
  Rect figure, plot;                        // in the window's coordinates
  int figure_width = 0, figure_height = 0;  // pixels
  std::string typing;                       // key of the parameter being typed
  bool typing_anywhere = false;             // into any field
  bool asking = false;                      // whether a file is to be replaced
  std::string tool;                         // the chosen tool; empty: Pan
  double tool_radius = 0;                   // in window coordinates; 0: it has none
  std::string shape;                        // the tool's shape
  bool awaits_stroke = false;
  bool pressed = false;  // any button of the mouse
  bool stroking = false;
  std::string gesture;                               // of the present stroke: paint, launch, or place
  std::int64_t body = -1;                            // under the mouse
  const ObjectEditor* edited = nullptr;              // the object that a tool edits
  std::vector<std::pair<std::string, Rect>> panels;  // plots, by the view's key
  GalleryState gallery;
  LabState lab;
  std::vector<std::string> refused;         // values refused by fields
  const FieldReadings* readings = nullptr;  // of probes and line cuts
  std::vector<PlotsPanel::Report> plots;
  std::string measuring;                       // the mark to be placed next; empty: none
  std::map<std::string, std::string> numbers;  // of parameters, as shown: "633 nm"
  std::size_t waiting = 0;                     // number of changes that wait to be applied together
  bool full_screen = false, minimised = false;
  SweepReport sweep;
  DeviceComparison::State comparison;  // of devices
  std::vector<std::string> hits;       // of the palette, the best first
};

class StateFile {
 public:
  explicit StateFile(std::string path) : path_(std::move(path)) {}
  bool due(double now) const { return !path_.empty() && now - written_ >= 0.02; }
  void write(double now, const Session& session, const Ui& ui, const WindowState& window);

 private:
  std::string path_;
  double written_ = -1;
};

}  // namespace simscope::gui
