#include "app/recording/recording_presets.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace simscope {

std::span<const RecordingPreset> recordingPresets() {
  using render::Theme;
  static constexpr std::array<RecordingPreset, 4> kPresets{
      {{"web", "Web GIF", "Small and quick to load", "gif", 720, 406, 1, 20, Theme::Dark},
       {"slides", "Slides", "Full HD, with lines and text legible from the last row", "gif", 1920, 1080, 1, 25,
        Theme::Slides},
       {"paper", "Paper", "Black on white, 16 cm wide at 300 dpi", "png", 1890, 1064, 2, 10, Theme::Print},
       {"4k-video", "4K video", "Ultra HD, 50 frames per second", "mp4", 3840, 2160, 1, 50, Theme::Dark}}};
  return kPresets;
}

const RecordingPreset& recordingPreset(const std::string& key) {
  std::vector<std::string> keys;
  std::string list;
  for (const RecordingPreset& each : recordingPresets()) {
    if (each.key == key) return each;
    keys.emplace_back(each.key);
    list += (list.empty() ? "" : ", ") + keys.back();
  }
  throw UsageError(fmt::format("no recording preset is named {}{} Known: {}", foreign::quoted(key),
                               didYouMean(key, keys, "."), list));
}

void apply(const RecordingPreset& preset, Scene& scene) {
  scene.figure.width = preset.width;
  scene.figure.height = preset.height;
  scene.figure.scale = render::suitableScale(preset.width, preset.height);
  scene.figure.supersampling = preset.supersampling;
  scene.figure.theme = preset.theme;
  scene.fps = preset.fps;
}

}  // namespace simscope
