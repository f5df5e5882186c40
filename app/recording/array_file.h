// A channel of a run's frames as a NumPy array: that of one frame, or those of all, one behind the other.
//
// Owner: the ArrayFile owns its unfinished file. Thread: one at a time. Errors: the constructor as PendingFile; later
// ones as NpyFile, and Error where a frame lacks the channel, its shape changes, or no frame was added.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/export/files.h"
#include "app/export/npy.h"
#include "app/scene/scene.h"
#include "sims/core/frame.h"

namespace simscope {

// The channel to save: the one that was asked for, or what the scene's view shows. UsageError where it has no such one.
std::string savedChannel(const Scene& scene, const std::string& asked);

class ArrayFile {
 public:
  enum class Extent { OneFrame, AllFrames };
  // `frames`: how many will come; none: unknown.
  ArrayFile(const std::filesystem::path& file, std::string channel, bool overwrite, Extent extent,
            std::optional<std::int64_t> frames);

  void add(int frame, const Frame& data);
  void complete();
  exporting::PendingFile& file() { return npy_ ? npy_->file() : *pending_; }
  std::string summary() const;  // once it is complete: "'density', 20 x 512 floats"

 private:
  const std::string channel_;
  const Extent extent_;
  const std::optional<std::int64_t> frames_;
  std::optional<exporting::PendingFile> pending_;  // until the first of all frames, which tells the shape
  std::optional<exporting::NpyFile> npy_;          // from there on
  std::vector<std::size_t> shape_;                 // of a frame; once complete of the array; empty: none was added
};

}  // namespace simscope
