// Pictures of the gallery on disk: PNG files, named by their subject and by all that their pixels depend on: the
// program's build, the scene with its look, and a file's version. A stale picture is never found, and is deleted later.
//
// Thread: any, one at a time. Errors: none; an unreadable picture counts as missing, an unwritable one is not kept.
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

// The look of the pictures. `scale` is chosen so that they have no letters: the card has the text.
struct Look {
  int width = 352, height = 220;  // pixels
  render::Theme theme = render::Theme::Dark;
  bool operator==(const Look&) const = default;
};
// The scene's figure in this look.
render::FigureOptions figureOf(const Scene& scene, const Look& look);

// The running program, identified by its file's size and time.
std::string thisBuild();

class ThumbnailCache {
 public:
  static constexpr std::size_t kMostFiles = 1000;

  // Empty folder: nothing is stored.
  ThumbnailCache(std::filesystem::path folder, std::string build);

  // The file of this picture; empty: none.
  std::filesystem::path fileOf(const Subject& subject, const Resolved& resolved, const Look& look) const;
  static std::optional<Picture> read(const std::filesystem::path& file, const Look& look);
  void write(const std::filesystem::path& file, const Picture& picture) const;
  // Removes the oldest files beyond the newest `most`.
  void prune(std::size_t most = kMostFiles) const;

 private:
  std::filesystem::path folder_;
  std::string build_;
};

}  // namespace simscope::gallery
