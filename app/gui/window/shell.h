// The whole content of the window: panels, dialogs, and the keys. Thread: the UI's, between Dear ImGui's NewFrame and
// Render, with the GL context current.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "app/gui/commands/command.h"
#include "app/gui/commands/palette.h"
#include "app/gui/dialogs/device_window.h"
#include "app/gui/dialogs/doctor_window.h"
#include "app/gui/dialogs/explanation_window.h"
#include "app/gui/dialogs/file_menu.h"
#include "app/gui/dialogs/help_window.h"
#include "app/gui/dialogs/record_dialog.h"
#include "app/gui/dialogs/recorded_card.h"
#include "app/gui/gallery/gallery_page.h"
#include "app/gui/lab/lab_page.h"
#include "app/gui/panels/figure/figure_panel.h"
#include "app/gui/panels/parameters/parameters_panel.h"
#include "app/gui/panels/plots/plots_panel.h"
#include "app/gui/panels/transport/transport_panel.h"
#include "app/gui/sweep/sweep_window.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/clipboard.h"
#include "app/gui/window/layout.h"
#include "app/gui/window/panel_folds.h"
#include "app/gui/window/window.h"
#include "app/session/processor_share.h"
#include "app/session/session.h"
#include "app/session/stored/autosave.h"
#include "app/session/stored/hints.h"

namespace simscope::gui {

struct ShellActions {
  bool quit = false;
  bool toggle_theme = false;
  bool toggle_full_screen = false;
  std::optional<double> scale = {};  // of letters and controls; 0: the monitor's
};

// The window's state that the commands need.
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
        lab_(gallery.device, gallery.threads),
        gallery_(std::move(gallery)),
        last_session_(autosave.lastSession()),
        hints_(state_folder),
        commands_(makeCommands()) {}
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;

  ShellActions draw(Session& session, Ui& ui, const std::vector<Key>& keys, const ShellPlace& place);
  // Called at this time in seconds for what happens without input. True if the window must be drawn.
  bool expire(double now) {
    const bool gallery = gallery_.poll(now), lab = lab_.poll(now), sweep = sweep_.poll();
    const bool copied = clipboard_.answered(), recorded = recorded_.expire(now), examined = doctor_.poll();
    const bool compared = device_.poll();
    return files_.expire(now) || gallery || lab || sweep || copied || recorded || examined || compared;
  }
  // Something other than the session's run moves.
  bool animating() const { return gallery_.animating() || sweep_.running(); }
  // Over the window, until a simulation is started or the gallery is left; does nothing while recording.
  void openGallery(Session& session);
  const GalleryPage& gallery() const noexcept { return gallery_; }
  const LabPage& lab() const noexcept { return lab_; }

  WindowPicture::Figure takePicture() {
    if (lab_.shown()) return lab_.takePicture();
    return gallery_.shown() ? gallery_.takePicture() : figure_.takePicture();
  }
  const FigurePanel& figurePanel() const noexcept { return figure_; }
  const RecordDialog& recordDialog() const noexcept { return record_; }
  const FileDialog& fileDialog() const noexcept { return lab_.shown() ? lab_.dialog() : files_.dialog(); }
  const PlotsPanel& plotsPanel() const noexcept { return plots_; }
  const ParametersPanel& parametersPanel() const noexcept { return parameters_; }
  const DeviceWindow& device() const noexcept { return device_; }
  const SweepWindow& sweep() const noexcept { return sweep_; }
  const CommandPalette& palette() const noexcept { return palette_; }
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
  void addObjectCommands(std::vector<Command>& all);
  void addShapeCommands(std::vector<Command>& all);
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
  // shell_lab.cpp
  void openLab(Session& session);
  void closeLab(Session& session);
  void handleLabKeys(Ui& ui, const std::vector<Key>& keys);
  void drawLab(Session& session, Ui& ui);
  // A page covers the whole window.
  bool covered() const noexcept { return gallery_.shown() || lab_.shown(); }

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
  LabPage lab_;
  GalleryPage gallery_;
  std::filesystem::path last_session_;
  bool lab_live_ = false;            // the lab showed the run's field in the last picture
  bool resume_ = false;              // the run was playing when the gallery or the lab opened
  std::uint64_t gallery_state_ = 0;  // of the session when it opened
  const Description* gallery_scene_ = nullptr;
  ExplanationWindow explanation_;
  DeviceWindow device_;
  DoctorWindow doctor_;
  SweepWindow sweep_;
  ProcessorShare processor_;
  Hints hints_;
  CommandPalette palette_;
  PanelFolds folds_;
  bool full_screen_ = false;
  float window_scale_ = 1;
  // The objects that the commands act on, in the frame being made.
  struct Now {
    Session* session = nullptr;
    Ui* ui = nullptr;
    ShellActions* actions = nullptr;
  };
  Now now_;
  std::vector<Command> commands_;
};

}  // namespace simscope::gui
