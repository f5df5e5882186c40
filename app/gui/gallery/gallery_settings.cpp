#include "app/gui/gallery/gallery_settings.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "app/export/files.h"
#include "app/session/stored/stored_json.h"
#include "sims/foreign/nesting.h"

namespace simscope::gallery {

namespace {

constexpr std::uint64_t kMostSettingsBytes = 1 << 16;
constexpr const char* kSettingsFile = "gallery.json";

}  // namespace

Settings readSettings(const std::filesystem::path& folder) {
  Settings settings;
  if (folder.empty()) return settings;
  const auto text = stored::readText(folder / kSettingsFile, kMostSettingsBytes, stored::Form::Object);
  if (!text) return settings;
  const auto document = foreign::parsedJson<nlohmann::json>(*text);
  if (!document.is_object()) return settings;
  if (const auto found = document.find("attract"); found != document.end() && found->is_boolean()) {
    settings.attract = found->get<bool>();
  }
  if (const auto found = document.find("attract_after"); found != document.end() && found->is_number()) {
    settings.attract_after = std::clamp(found->get<double>(), 1.0, 3600.0);
  }
  return settings;
}

void writeSettings(const std::filesystem::path& folder, const Settings& settings) {
  if (folder.empty()) return;
  const nlohmann::json document = {{"attract", settings.attract}, {"attract_after", settings.attract_after}};
  try {
    exporting::writeText(folder / kSettingsFile, document.dump(1) + "\n", true);
  } catch (const std::exception&) {
    // It lasts as long as the program.
  }
}

}  // namespace simscope::gallery
