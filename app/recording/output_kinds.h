// The kinds of files that a recording can write, with their names. Plain data; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace simscope {

enum class OutputKind { Gif, Apng, Picture, Pictures, Mp4, Webm, Webp, Mkv, Csv, Npy };

struct OutputInfo {
  OutputKind kind;
  std::string_view ending;  // with the dot
  const char* title;        // "Animated GIF"
};
// All of them, in the order in which they are offered.
std::span<const OutputInfo> outputInfos();
const OutputInfo& outputInfo(OutputKind kind);
// By the file's ending, in any case; `numbered`: a .png means one picture per frame. UsageError with the known endings.
OutputKind outputKind(const std::filesystem::path& file, bool numbered);
bool isVideo(OutputKind kind);
bool repeats(OutputKind kind);  // Scene::loop times
// What browsers make of this rate, and the cure; empty: they show it as it is.
std::string slowedInBrowsers(OutputKind kind, double fps);
bool hasScene(OutputKind kind);  // embedded, so that the file can be opened again
// An existing file that would be replaced; empty: there is none. For numbered pictures any file of that form.
std::filesystem::path existingFile(const std::filesystem::path& file, OutputKind kind);
// NAME.simscope.json beside a video.
std::filesystem::path sceneFileOf(std::filesystem::path video);

}  // namespace simscope
