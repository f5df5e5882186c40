#include "app/session/stored/settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/scene/scene.h"

namespace simscope {

namespace {

using nlohmann::json;
using stored::take;

constexpr int kMostSide = 1 << 15;
constexpr double kLeastScale = 0.5, kMostScale = 4;

void takeSide(const json& document, const char* key, int& side) {
  double wanted = 0;
  take(document, key, wanted);
  if (wanted >= 1 && wanted <= kMostSide) side = static_cast<int>(wanted);
}

}  // namespace

Settings SettingsFile::read() const {
  const json document = file_.read();
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
  json document = file_.read();
  document["theme"] = themeNames()[static_cast<std::size_t>(settings.theme)];
  document["scale"] = settings.scale;
  document["width"] = settings.width;
  document["height"] = settings.height;
  document["maximised"] = settings.maximised;
  document["simulation"] = settings.simulation;
  document["simulations_folded"] = settings.simulations_folded;
  document["parameters_folded"] = settings.parameters_folded;
  document["plots_folded"] = settings.plots_folded;
  file_.write(document);
}

}  // namespace simscope
