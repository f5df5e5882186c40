// The user's settings, kept from one run of the program to the next, beside recent scenes and the last session: the
// window's look, its size, and what was open (settings.json in the state folder).
//
// Thread: one at a time. Errors: none, also where the file is missing, damaged, or not writable: an unreadable entry
// has its default, and an unreadable file is put aside (stored_json.h). Entries of other parts of the program, or of
// newer versions, are kept.
#pragma once

#include <filesystem>
#include <string>

#include "app/render/figure/figure.h"
#include "app/session/stored/stored_json.h"

namespace simscope {

struct Settings {
  render::Theme theme = render::Theme::Dark;  // the user's last choice
  double scale = 0;                           // of letters and controls, 0.5 to 4; 0: the monitor's
  int width = 0, height = 0;                  // of the window when neither maximised nor full screen; 0: none yet
  bool maximised = false;
  std::string simulation = {};  // id of the simulation that was open; empty: none yet
  bool simulations_folded = false, parameters_folded = false, plots_folded = false;
  bool operator==(const Settings&) const = default;
};

class SettingsFile {
 public:
  // Empty folder: nothing is stored.
  explicit SettingsFile(const std::filesystem::path& folder)
      : file_(folder, "settings.json", stored::Document::Form::Object) {}
  Settings read() const;
  void write(const Settings& settings) const;

 private:
  stored::Document file_;
};

}  // namespace simscope
