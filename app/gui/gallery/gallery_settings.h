// The gallery's settings, kept from one start to the next in a small JSON file (gallery.json). Thread: one at a time.
// Errors: none; if the file cannot be read or written, the defaults apply until the program ends.
#pragma once

#include <filesystem>

namespace simscope::gallery {

struct Settings {
  bool attract = true;        // whether the slide show is on
  double attract_after = 60;  // seconds, 1 to 3600
  bool operator==(const Settings&) const = default;
};

// Empty folder: nothing is stored.
Settings readSettings(const std::filesystem::path& folder);
void writeSettings(const std::filesystem::path& folder, const Settings& settings);

}  // namespace simscope::gallery
