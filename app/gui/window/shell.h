// The whole window's content: panels in their places, dialogs, and the keys. Thread: the UI's, between Dear ImGui's
// NewFrame and Render, with the GL context current.
#pragma once

#include <vector>

#include "app/gui/dialogs/device_window.h"
#include "app/gui/dialogs/explanation_window.h"
#include "app/gui/dialogs/file_menu.h"
#include "app/gui/dialogs/help_window.h"
#include "app/gui/dialogs/record_dialog.h"
#include "app/gui/panels/figure_panel.h"
#include "app/gui/panels/parameters_panel.h"
#include "app/gui/panels/plots_panel.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/layout.h"
#include "app/gui/window/window.h"
#include "app/session/autosave.h"
#include "app/session/hints.h"
#include "app/session/session.h"

namespace simscope::gui {

struct ShellActions {
  bool quit = false;
  bool toggle_theme = false;
};

class Shell {
 public:
  // `autosave` must outlive the shell.
  Shell(const std::filesystem::path& state_folder, const Autosave& autosave)
      : files_(state_folder, autosave), hints_(state_folder) {}

  ShellActions draw(Session& session, Ui& ui, const std::vector<Key>& keys);
  // What goes by itself, at this time in seconds. True where the window is to be drawn.
  bool expire(double now) { return files_.expire(now); }

  WindowPicture::Figure takePicture() { return figure_.takePicture(); }
  const FigurePanel& figurePanel() const noexcept { return figure_; }
  const RecordDialog& recordDialog() const noexcept { return record_; }
  const FileDialog& fileDialog() const noexcept { return files_.dialog(); }
  const ParametersPanel& parametersPanel() const noexcept { return parameters_; }

 private:
  void handleControlKey(Session& session, const Key& key);
  void handleKeys(Session& session, Ui& ui, const std::vector<Key>& keys, ShellActions& actions);
  void drawHints(const Session& session, Ui& ui, const Layout& layout);
  void moveCamera(Session& session, const Key& key) const;

  Splitters splitters_;
  FigurePanel figure_;
  ParametersPanel parameters_;
  PlotsPanel plots_;
  RecordDialog record_;
  FileMenu files_;
  HelpWindow help_;
  ExplanationWindow explanation_;
  DeviceWindow device_;
  Hints hints_;
};

}  // namespace simscope::gui
