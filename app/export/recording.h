// What the Recorder hands its calls to: one recording in one format. Threads and errors as recorder.h says; end() may
// be called again, by any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/export/placing.h"
#include "app/export/recorder.h"

namespace simscope::exporting {

class Recording {
 public:
  Recording() = default;
  virtual ~Recording() = default;
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  virtual void add(std::vector<std::uint8_t> rgb) = 0;
  virtual void replaceScene(const std::string&) {}
  virtual void finish() = 0;        // all is written, synced, and closed, under temporary names
  virtual void end() noexcept = 0;  // stops the threads; what is unfinished vanishes. Nothing after finish()
  // After finish(): what is to be renamed, and that it was, or that it shall vanish.
  virtual std::vector<Placement> placements() const = 0;
  virtual void settle(bool placed) noexcept = 0;
  virtual RecorderProgress progress() const = 0;
};

std::unique_ptr<Recording> recordGif(const std::filesystem::path& target, GifOptions options);
std::unique_ptr<Recording> recordSequence(const std::filesystem::path& target, SequenceOptions options);
std::unique_ptr<Recording> recordVideo(const std::filesystem::path& target, VideoOptions options);

}  // namespace simscope::exporting
