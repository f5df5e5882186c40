// Ready settings of a recording, by what it is for. Plain data; any thread.
#pragma once

#include <span>
#include <string>

#include "app/scene/scene.h"

namespace simscope {

struct RecordingPreset {
  const char* key;    // "web", as `simscope render --for` takes it
  const char* title;  // "Web GIF"
  const char* help;
  const char* ending;  // of the file that it is meant for, without the dot
  int width, height;
  int supersampling;
  double fps;
  render::Theme theme;
};

// Each rate is one that a GIF can express.
std::span<const RecordingPreset> recordingPresets();
// UsageError with the closest key.
const RecordingPreset& recordingPreset(const std::string& key);
// With letters and lines as they suit the size.
void apply(const RecordingPreset& preset, Scene& scene);

}  // namespace simscope
