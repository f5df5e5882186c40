#include "app/session/stored/state_folder.h"

#include <cstdlib>
#include <system_error>

namespace simscope {

namespace {

// The XDG specification passes over relative paths; so must the others be, or they would follow the working folder.
std::filesystem::path folderIn(const char* variable) {
  const char* value = std::getenv(variable);
  const std::filesystem::path path = value ? value : "";
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

std::filesystem::path stateFolder() {
  std::filesystem::path folder = folderIn("SIMSCOPE_STATE_DIR");
  if (folder.empty()) {
    folder = folderIn("XDG_STATE_HOME");
    if (folder.empty() && !folderIn("HOME").empty()) folder = folderIn("HOME") / ".local/state";
    if (!folder.empty()) folder /= "simscope";
  }
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  return failed ? std::filesystem::path() : folder;
}

}  // namespace simscope
