// A channel of a run's frames as a NumPy array: of one frame, or of all frames, one after another.
//
// Owner: the ArrayFile owns its unfinished file. Thread: one at a time. Errors: the constructor as PendingFile; later
// as NpyFile, and Error if a frame lacks the channel, its shape changes, or no frame was added.
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

// The channel to save: the requested one, or the one shown by the scene's view. UsageError if there is none.
std::string savedChannel(const Scene& scene, const std::string& asked);

class ArrayFile {
 public:
  enum class Extent { OneFrame, AllFrames };
  // `frames`: the number of frames to come; none: unknown.
  ArrayFile(const std::filesystem::path& file, std::string channel, bool overwrite, Extent extent,
            std::optional<std::int64_t> frames);

  void add(int frame, const Frame& data);
  void complete();
  exporting::PendingFile& file() { return npy_ ? npy_->file() : *pending_; }
  std::string summary() const;  // when complete: "'density', 20 x 512 floats"

 private:
  const std::string channel_;
  const Extent extent_;
  const std::optional<std::int64_t> frames_;
  std::optional<exporting::PendingFile> pending_;  // until the first of all frames, which gives the shape
  std::optional<exporting::NpyFile> npy_;          // afterwards
  std::vector<std::size_t> shape_;                 // of a frame; when complete of the array; empty: none was added
};

}  // namespace simscope
