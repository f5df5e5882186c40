// Keeps the user's settings: reads them from the window as they change, and writes them at intervals and at the end.
// Owner: gui::run. Thread: the UI's. Errors: none (SettingsFile).
#pragma once

#include "app/gui/window/shell.h"
#include "app/gui/window/window.h"
#include "app/session/stored/settings.h"

namespace simscope::gui {

class Remembered {
 public:
  explicit Remembered(const std::filesystem::path& state_folder)
      : file_(state_folder), settings_(file_.read()), written_(settings_) {}
  ~Remembered() { write(); }
  Remembered(const Remembered&) = delete;
  Remembered& operator=(const Remembered&) = delete;

  Window::Opening opening() const { return {settings_.width, settings_.height, settings_.maximised}; }
  // Restores the user's scale, unless the environment sets one, and the open panels.
  void restore(Window& window, Shell& shell) const;
  // Called for the user's choice, not for a scene that was opened.
  void chooseTheme(render::Theme theme) { settings_.theme = theme; }
  void chooseScale(Window& window, double scale);
  // Reads the settings from the window.
  void follow(const Window& window, const Shell& shell, const Session& session);

 private:
  static constexpr double kInterval = 2;  // seconds
  void write();

  SettingsFile file_;
  Settings settings_, written_;
  double written_at_ = 0;
};

}  // namespace simscope::gui
