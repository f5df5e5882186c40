#include <algorithm>

#include "app/cli/bench/bench.h"
#include "sims/core/registry.h"

namespace simscope::cli {
namespace {

// The default measurements: each simulation's first preset, and with --live also its largest preset.
std::vector<Scene> usualScenes(const std::vector<const Description*>& chosen, bool live) {
  std::vector<Scene> scenes;
  for (const Description* each : chosen) {
    const std::string& first = each->presets.front().key;
    scenes.push_back(Scene::fromPreset(*each, first));
    if (!live || !each->memory) continue;
    const auto bytes = [&](const Preset& p) { return each->memory(each->preset(p.key), compute::Backend::Cuda); };
    const auto largest = std::max_element(each->presets.begin(), each->presets.end(),
                                          [&](const Preset& a, const Preset& b) { return bytes(a) < bytes(b); });
    if (bytes(*largest) > 2 * bytes(each->presets.front())) scenes.push_back(Scene::fromPreset(*each, largest->key));
  }
  return scenes;
}

}  // namespace

std::vector<Scene> benchScenes(const BenchRequest& request) {
  std::vector<const Description*> chosen;
  for (const std::string& id : request.simulations) chosen.push_back(&simulationById(id));
  if (chosen.empty()) chosen.assign(simulations().begin(), simulations().end());
  if (!request.preset && request.set.empty() && request.sizes.empty()) {
    return usualScenes(chosen, request.live);
  }
  if (request.simulations.size() != 1) {
    throw UsageError(
        "--preset, --set, and --size of simscope bench need one simulation: simscope bench SIM --set KEY=VALUE");
  }
  SceneRequest one;
  one.what = chosen.front()->id;
  one.preset = request.preset;
  one.set = request.set;
  std::vector<std::string> notes;
  std::vector<Scene> scenes(std::max<std::size_t>(1, request.sizes.size()), sceneOf(one, notes));
  for (std::size_t i = 0; i < request.sizes.size(); ++i) {
    scenes[i].parameters.setText(chosen.front()->size_key, request.sizes[i]);
  }
  return scenes;
}

}  // namespace simscope::cli
