#include "app/scene/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/export/embedded.h"
#include "app/export/reading/file_kind.h"
#include "app/scene/no_scene.h"
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

namespace {

// By the file's content, whatever its name.
std::string sceneTextIn(const std::filesystem::path& file) {
  std::string front(exporting::kFrontBytes, '\0');
  front.resize(foreign::File(file).read(front.data(), front.size()));
  const exporting::FileKind kind = exporting::fileKind(front);
  if (kind.use == exporting::FileUse::SceneCarrier) {
    try {
      return exporting::readEmbeddedScene(file);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}.{}", error.what(), usesText(file, kind)));
    }
  }
  // The reader of JSON says where a document of that name is wrong.
  const bool document =
      front.find_first_of("{[\"") == front.find_first_not_of("\xef\xbb\xbf \t\r\n") || file.extension() == ".json";
  const bool text = !*kind.what || kind.use == exporting::FileUse::Table;
  if (!(document && text)) throw UsageError(noSceneText(file, kind));
  return foreign::readFile(file, exporting::kMaximumSceneBytes);
}

}  // namespace

Scene readScene(const std::filesystem::path& file, std::vector<std::string>* ignored) {
  try {
    return sceneFromJson(sceneTextIn(file), ignored);
  } catch (const UsageError& error) {
    const std::string what = error.what(), name = foreign::shownFile(file);
    if (what.starts_with(name) || what.starts_with(foreign::quotedFile(file))) throw;
    throw UsageError(name + ": " + what);
  }
}

}  // namespace simscope
