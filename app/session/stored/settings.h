// What the program remembers of its user from one run to the next, beside recent scenes and the last session: the look
// of the window, its size, and what was open (settings.json of the state folder).
//
// Thread: one at a time. Errors: none. A file that is missing, damaged, or cannot be written is no reason to stop: what
// cannot be read has its default. What other parts of the program, or newer ones, keep in the file is left as it is.
#pragma once

#include <filesystem>
#include <string>

#include "app/render/figure/figure.h"

namespace simscope {

struct Settings {
  render::Theme theme = render::Theme::Dark;  // chosen last, by the user
  double scale = 0;                           // of letters and controls, 0.5 to 4; 0: as the monitor says
  int width = 0, height = 0;                  // of the window, neither maximised nor full screen; 0: none yet
  bool maximised = false;
  std::string simulation = {};  // id of the one that was open; empty: none yet
  bool simulations_folded = false, parameters_folded = false, plots_folded = false;
  bool operator==(const Settings&) const = default;
};

class SettingsFile {
 public:
  // An empty folder: nothing is kept on the disk.
  explicit SettingsFile(const std::filesystem::path& folder);
  Settings read() const;
  void write(const Settings& settings) const;

 private:
  std::filesystem::path path_;  // empty: none
};

}  // namespace simscope
