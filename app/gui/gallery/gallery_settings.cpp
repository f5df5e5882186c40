#include "app/gui/gallery/gallery_settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/session/stored/stored_json.h"

namespace simscope::gallery {

namespace {

stored::Document documentIn(const std::filesystem::path& folder) {
  return {folder, "gallery.json", stored::Document::Form::Object};
}

}  // namespace

Settings readSettings(const std::filesystem::path& folder) {
  const nlohmann::json document = documentIn(folder).read();
  Settings settings;
  stored::take(document, "attract", settings.attract);
  stored::take(document, "attract_after", settings.attract_after);
  settings.attract_after = std::clamp(settings.attract_after, 1.0, 3600.0);
  return settings;
}

void writeSettings(const std::filesystem::path& folder, const Settings& settings) {
  documentIn(folder).write({{"attract", settings.attract}, {"attract_after", settings.attract_after}});
}

}  // namespace simscope::gallery
