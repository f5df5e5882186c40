// The whole window's content: panels in their places, dialogs, and the keys. Thread: the UI's, between Dear ImGui's
// NewFrame and Render, with the GL context current.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/commands/palette.h"
#include "app/gui/dialogs/device_window.h"
#include "app/gui/dialogs/explanation_window.h"
#include "app/gui/dialogs/file_menu.h"
#include "app/gui/dialogs/help_window.h"
#include "app/gui/dialogs/record_dialog.h"
#include "app/gui/dialogs/recorded_card.h"
#include "app/gui/gallery/gallery_page.h"
#include "app/gui/panels/figure/figure_panel.h"
#include "app/gui/panels/parameters/parameters_panel.h"
#include "app/gui/panels/plots/plots_panel.h"
#include "app/gui/panels/transport/transport_panel.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/clipboard.h"
#include "app/gui/window/layout.h"
#include "app/gui/window/panel_folds.h"
#include "app/gui/window/window.h"
#include "app/session/session.h"
#include "app/session/stored/autosave.h"
#include "app/session/stored/hints.h"

namespace simscope::gui {

struct ShellActions {
  bool quit = false;
  bool toggle_theme = false;
  bool toggle_full_screen = false;
  std::optional<double> scale = {};  // of letters and controls; 0: as the monitor says
};

// What the window is like, which the commands ask for.
struct ShellPlace {
  bool full_screen = false;
  float scale = 1;  // of the window, not enlarged for a presentation
};

class Shell {
 public:
  // `autosave` must outlive the shell.
  Shell(const std::filesystem::path& state_folder, const Autosave& autosave, GalleryOptions gallery = {})
      : transport_(state_folder),
        files_(state_folder, autosave),
        gallery_(std::move(gallery)),
        last_session_(autosave.lastSession()),
        hints_(state_folder),
        commands_(makeCommands()) {}
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  ShellActions draw(Session& session, Ui& ui, const std::vector<Key>& keys, const ShellPlace& place);
  // What goes by itself, at this time in seconds. True where the window is to be drawn.
  bool expire(double now) {
    const bool gallery = gallery_.poll(now);
    const bool copied = clipboard_.answered(), recorded = recorded_.expire(now);
    return files_.expire(now) || gallery || copied || recorded;
  }
  // Something moves that is not the session's run.
  bool animating() const { return gallery_.animating(); }
  // Over the window, until a simulation is started or it is left; nothing while recording.
  void openGallery(Session& session);
  const GalleryPage& gallery() const noexcept { return gallery_; }

  WindowPicture::Figure takePicture() { return gallery_.shown() ? gallery_.takePicture() : figure_.takePicture(); }
  const FigurePanel& figurePanel() const noexcept { return figure_; }
  const RecordDialog& recordDialog() const noexcept { return record_; }
  const FileDialog& fileDialog() const noexcept { return files_.dialog(); }
  const PlotsPanel& plotsPanel() const noexcept { return plots_; }
  const ParametersPanel& parametersPanel() const noexcept { return parameters_; }
  const Palette& palette() const noexcept { return palette_; }
  PanelFolds& folds() noexcept { return folds_; }
  const PanelFolds& folds() const noexcept { return folds_; }

 private:
  // shell_commands.cpp
  std::vector<Command> makeCommands();
  void addRunCommands(std::vector<Command>& all);
  void addSceneCommands(std::vector<Command>& all);
  void addViewCommands(std::vector<Command>& all);
  void addCameraCommands(std::vector<Command>& all);
  void addToolCommands(std::vector<Command>& all);
  void nameTools();

  void handleKeys(Session& session, Ui& ui, const std::vector<Key>& keys);
  void escape(Ui& ui);
  void drawPanels(Session& session, Ui& ui, const Layout& layout);
  void drawHints(const Session& session, Ui& ui, const Layout& layout);
  void drawPalette(Session& session, Ui& ui);
  void present(bool on);
  // shell_gallery.cpp
  void closeGallery(Session& session);
  void start(Session& session, const gallery::Subject& subject);
  void handleGalleryKeys(Session& session, Ui& ui, const std::vector<Key>& keys);
  void drawGallery(Session& session, Ui& ui);

  Splitters splitters_;
  FigurePanel figure_;
  ParametersPanel parameters_;
  PlotsPanel plots_;
  TransportPanel transport_;
  RecordDialog record_;
  Clipboard clipboard_;
  RecordedCard recorded_;
  FileMenu files_;
  HelpWindow help_;
  GalleryPage gallery_;
  std::filesystem::path last_session_;
  bool resume_ = false;              // the run played when the gallery opened
  std::uint64_t gallery_state_ = 0;  // of the session when it opened
  const Description* gallery_scene_ = nullptr;
  ExplanationWindow explanation_;
  DeviceWindow device_;
  Hints hints_;
  Palette palette_;
  PanelFolds folds_;
  bool full_screen_ = false;
  float window_scale_ = 1;
  // Of the frame being made: what the commands act on.
  struct Now {
    Session* session = nullptr;
    Ui* ui = nullptr;
    ShellActions* actions = nullptr;
  };
  Now now_;
  std::vector<Command> commands_;
};

}  // namespace simscope::gui
