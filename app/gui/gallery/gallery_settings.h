// What the gallery remembers from one start to the next, in a small JSON file (gallery.json). Thread: one at a time.
// Errors: none; where it cannot be read or written, the defaults hold for as long as the program runs.
#pragma once

#include <filesystem>

namespace simscope::gallery {

struct Settings {
  bool attract = true;        // whether the slide show is on
  double attract_after = 60;  // seconds, 1 to 3600
  bool operator==(const Settings&) const = default;
};

// An empty folder: nothing is kept.
Settings readSettings(const std::filesystem::path& folder);
void writeSettings(const std::filesystem::path& folder, const Settings& settings);

}  // namespace simscope::gallery
