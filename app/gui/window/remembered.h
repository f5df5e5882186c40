// Keeps the user's settings: takes them over from the window as they change, and writes them now and then, and at the
// end. Owner: gui::run. Thread: the UI's. Errors: none (SettingsFile).
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
  // The user's scale, unless the environment says one; and the panels that are open.
  void restore(Window& window, Shell& shell) const;
  // Chosen by the user, not by a scene that was opened.
  void chooseTheme(render::Theme theme) { settings_.theme = theme; }
  void chooseScale(Window& window, double scale);
  // As the window is now.
  void follow(const Window& window, const Shell& shell, const Session& session);

 private:
  static constexpr double kInterval = 2;  // seconds
  void write();

  SettingsFile file_;
  Settings settings_, written_;
  double written_at_ = 0;
};

}  // namespace simscope::gui
