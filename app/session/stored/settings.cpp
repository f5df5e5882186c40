#include "app/session/stored/settings.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/export/files.h"
#include "app/scene/scene.h"
#include "app/session/stored/stored_json.h"
#include "sims/foreign/nesting.h"

namespace simscope {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMostSettings = 1 << 20;  // bytes
constexpr int kMostSide = 1 << 15;
constexpr double kLeastScale = 0.5, kMostScale = 4;

json readObject(const std::filesystem::path& path) {
  const auto text = path.empty() ? std::nullopt : stored::readText(path, kMostSettings, stored::Form::Object);
  if (!text) return json::object();
  json document = foreign::parsedJson<json>(*text);
  return document.is_object() ? document : json::object();
}

template <class Type>
void take(const json& document, const char* key, Type& value) {
  const auto found = document.find(key);
  if (found == document.end()) return;
  if constexpr (std::is_same_v<Type, bool>) {
    if (found->is_boolean()) value = found->get<bool>();
  } else if constexpr (std::is_same_v<Type, std::string>) {
    if (found->is_string()) value = found->get<std::string>();
  } else {
    if (found->is_number()) value = found->get<Type>();
  }
}

void takeSide(const json& document, const char* key, int& side) {
  double wanted = 0;
  take(document, key, wanted);
  if (wanted >= 1 && wanted <= kMostSide) side = static_cast<int>(wanted);
}

}  // namespace

SettingsFile::SettingsFile(const std::filesystem::path& folder)
    : path_(folder.empty() ? folder : folder / "settings.json") {}

Settings SettingsFile::read() const {
  const json document = readObject(path_);
  Settings settings;
  std::string theme;
  take(document, "theme", theme);
  const auto& names = themeNames();
  if (const auto found = std::find(names.begin(), names.end(), theme); found != names.end()) {
    settings.theme = static_cast<render::Theme>(found - names.begin());
  }
  double scale = 0;
  take(document, "scale", scale);
  if (scale >= kLeastScale && scale <= kMostScale) settings.scale = scale;
  takeSide(document, "width", settings.width);
  takeSide(document, "height", settings.height);
  take(document, "maximised", settings.maximised);
  take(document, "simulation", settings.simulation);
  take(document, "simulations_folded", settings.simulations_folded);
  take(document, "parameters_folded", settings.parameters_folded);
  take(document, "plots_folded", settings.plots_folded);
  return settings;
}

void SettingsFile::write(const Settings& settings) const {
  if (path_.empty()) return;
  json document = readObject(path_);
  document["theme"] = themeNames()[static_cast<std::size_t>(settings.theme)];
  document["scale"] = settings.scale;
  document["width"] = settings.width;
  document["height"] = settings.height;
  document["maximised"] = settings.maximised;
  document["simulation"] = settings.simulation;
  document["simulations_folded"] = settings.simulations_folded;
  document["parameters_folded"] = settings.parameters_folded;
  document["plots_folded"] = settings.plots_folded;
  try {
    exporting::writeText(path_, document.dump(1, ' ', false, json::error_handler_t::replace) + "\n", true);
  } catch (const std::exception&) {
    // They last as long as the program.
  }
}

}  // namespace simscope
