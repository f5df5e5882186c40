#include "app/scene/scene.h"

#include <algorithm>
#include <cctype>
#include <iterator>

#include "app/export/embedded.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"

namespace simscope {

Scene Scene::fromPreset(const Description& description, const std::string& preset) {
  Scene scene;
  scene.description = &description;
  scene.preset = preset;
  scene.parameters = preset.empty() ? description.defaults() : description.preset(preset);
  if (preset.empty() && description.presets.empty()) return scene;
  const Preset& info = preset.empty() ? description.presets.front() : description.presetInfo(preset);
  scene.frames = info.frames;
  scene.steps_per_frame = scene.timeline.track_interval = info.steps_per_frame;
  if (!preset.empty()) {
    scene.timeline.tracks = info.tracks;
    scene.figure.view = info.view;
    scene.figure.camera = info.camera;
  }
  return scene;
}

void Scene::beginAt(std::int64_t step) noexcept {
  const std::int64_t frame = step / steps_per_frame;
  const bool whole = step % steps_per_frame == 0 && frame <= kMostFrames;
  first_frame = whole ? static_cast<int>(frame) : 0;
  first_step = whole ? 0 : step;
}

render::FigureOptions Scene::figureAt(std::int64_t step) const {
  const auto later = std::upper_bound(view_changes.begin(), view_changes.end(), step,
                                      [](std::int64_t at, const ViewChange& each) { return at < each.step; });
  if (later == view_changes.begin()) return figure;
  render::FigureOptions shown = std::prev(later)->figure;
  shown.width = figure.width;
  shown.height = figure.height;
  shown.scale = figure.scale;
  shown.supersampling = figure.supersampling;
  return shown;
}

const std::vector<std::string>& themeNames() {
  static const std::vector<std::string> names = {"dark", "light", "slides", "print"};
  return names;
}

const std::vector<std::string>& valueScaleNames() {
  static const std::vector<std::string> names = {"linear", "log", "gamma"};
  return names;
}

const std::vector<std::string>& markKindNames() {
  static const std::vector<std::string> names = {"probe", "cut", "ruler"};
  return names;
}

Timeline timelineOf(const Scene& scene) {
  Timeline timeline = scene.timeline;
  timeline.track_interval = scene.steps_per_frame;
  return timeline;
}

Scene readScene(const std::filesystem::path& file, std::vector<std::string>* ignored) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  try {
    if (extension == ".gif" || extension == ".png" || extension == ".apng") {
      return sceneFromJson(exporting::readEmbeddedScene(file), ignored);
    }
    return sceneFromJson(foreign::readFile(file, exporting::kMaximumSceneBytes), ignored);
  } catch (const UsageError& error) {
    const std::string what = error.what(), name = foreign::shownFile(file);
    if (what.find(name) != std::string::npos) throw;
    throw UsageError(name + ": " + what);
  }
}

}  // namespace simscope
