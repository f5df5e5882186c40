// Pictures of the gallery on the disk: PNG files, named by what they show and by all that their pixels depend on: the
// program's build, the scene with its look, and a file's version. A stale picture is never found, and is deleted later.
//
// Thread: any, one at a time. Errors: none; what cannot be read is not there, what cannot be written is not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gallery/subject.h"

namespace simscope::gallery {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // top row first
};

// How pictures look. `scale` is such that they have no letters: the card has them.
struct Look {
  int width = 352, height = 220;  // pixels
  render::Theme theme = render::Theme::Dark;
  bool operator==(const Look&) const = default;
};
// The scene's figure in this look.
render::FigureOptions figureOf(const Scene& scene, const Look& look);

// The program that runs, as its file's size and time.
std::string thisBuild();

class ThumbnailCache {
 public:
  static constexpr std::size_t kMostFiles = 1000;

  // An empty folder: nothing is kept.
  ThumbnailCache(std::filesystem::path folder, std::string build);

  // Where this picture would lie; empty: nowhere.
  std::filesystem::path fileOf(const Subject& subject, const Resolved& resolved, const Look& look) const;
  static std::optional<Picture> read(const std::filesystem::path& file, const Look& look);
  void write(const std::filesystem::path& file, const Picture& picture) const;
  // Removes the oldest beyond so many.
  void prune(std::size_t most = kMostFiles) const;

 private:
  std::filesystem::path folder_;
  std::string build_;
};

}  // namespace simscope::gallery
