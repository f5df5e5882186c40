// Predefined settings of a recording, by purpose. Plain data; any thread.
#pragma once

#include <span>
#include <string>

#include "app/scene/scene.h"

namespace simscope {

struct RecordingPreset {
  const char* key;    // "web", as `simscope render --for` takes it
  const char* title;  // "Web GIF"
  const char* help;
  const char* ending;  // of the intended file, without the dot
  int width, height;
  int supersampling;
  double fps;
  render::Theme theme;
};

// Every rate can be expressed by a GIF.
std::span<const RecordingPreset> recordingPresets();
// UsageError with the closest key.
const RecordingPreset& recordingPreset(const std::string& key);
// With letters and lines suited to the size.
void apply(const RecordingPreset& preset, Scene& scene);

}  // namespace simscope
