#include "app/recording/output_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

namespace fs = std::filesystem;

constexpr std::array<OutputInfo, 10> kInfos{{{OutputKind::Gif, ".gif", "Animated GIF"},
                                             {OutputKind::Apng, ".apng", "Animated PNG (all colours exact)"},
                                             {OutputKind::Mp4, ".mp4", "MP4 video (H.264)"},
                                             {OutputKind::Webm, ".webm", "WebM video (VP9)"},
                                             {OutputKind::Webp, ".webp", "Animated WebP (lossless)"},
                                             {OutputKind::Mkv, ".mkv", "MKV video (FFV1, lossless)"},
                                             {OutputKind::Pictures, ".png", "PNG pictures, numbered"},
                                             {OutputKind::Picture, ".png", "PNG picture"},
                                             {OutputKind::Csv, ".csv", "CSV table of the diagnostics"},
                                             {OutputKind::Npy, ".npy", "NumPy array of the field"}}};

}  // namespace

std::span<const OutputInfo> outputInfos() {
  return kInfos;
}

const OutputInfo& outputInfo(OutputKind kind) {
  return *std::find_if(kInfos.begin(), kInfos.end(), [&](const OutputInfo& each) { return each.kind == kind; });
}

OutputKind outputKind(const fs::path& file, bool numbered) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const OutputInfo& each : kInfos) {
    if (each.ending != ending) continue;
    return each.kind == OutputKind::Pictures && !numbered ? OutputKind::Picture : each.kind;
  }
  throw UsageError(
      fmt::format("{} is not of a type that can be written: choose .gif, .apng (animation), .png (picture), "
                  ".mp4, .webm, .webp, .mkv (video), .csv (diagnostics), or .npy (field)",
                  foreign::quotedFile(file)));
}

bool isVideo(OutputKind kind) {
  return kind == OutputKind::Mp4 || kind == OutputKind::Webm || kind == OutputKind::Webp || kind == OutputKind::Mkv;
}

bool repeats(OutputKind kind) {
  return kind == OutputKind::Gif || kind == OutputKind::Apng || kind == OutputKind::Webp;
}

// Chromium and Firefox take delays below 11 ms for mistakes.
std::string slowedInBrowsers(OutputKind kind, double fps) {
  constexpr double kFastest = 90;
  if ((kind != OutputKind::Apng && kind != OutputKind::Webp) || fps <= kFastest) return {};
  return fmt::format(
      "browsers show frames of 10 ms and less for 100 ms: {:.6g} frames a second become 10; choose at most {}, or a "
      "video",
      fps, kFastest);
}

bool hasScene(OutputKind kind) {
  return kind == OutputKind::Gif || kind == OutputKind::Apng || kind == OutputKind::Picture ||
         kind == OutputKind::Pictures;
}

fs::path existingFile(const fs::path& file, OutputKind kind) {
  std::error_code failed;
  if (kind != OutputKind::Pictures) return fs::is_regular_file(file, failed) ? file : fs::path();
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const std::string stem = file.stem().string();
  for (fs::directory_iterator each(folder, failed), end; !failed && each != end; each.increment(failed)) {
    const std::string name = each->path().filename().string();
    if (name.size() <= stem.size() + 4 || !name.starts_with(stem) || !name.ends_with(".png")) continue;
    const std::string number = name.substr(stem.size(), name.size() - stem.size() - 4);
    if (number.find_first_not_of("0123456789") == std::string::npos) return file.parent_path() / name;
  }
  return {};
}

fs::path sceneFileOf(fs::path video) {
  return video.replace_extension(".simscope.json");
}

}  // namespace simscope
