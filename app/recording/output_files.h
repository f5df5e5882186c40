// The files of one pass of a RecordingJob: any number of them, of any format, from the same frames.
//
// Every file is either complete or absent, and they appear together (placing.h): none remains if the OutputFiles are
// destroyed or cancelled before finish() ended, or if one of them fails. Data already written directly to a device or a
// pipe cannot be withdrawn.
// Owner: the OutputFiles own the encoders and their threads. Thread: one at a time; cancel() from any thread,
// progress() from the one that adds, or beside finish(); summary() after it. Errors: the constructor as the formats'
// (UsageError: nothing was made), later as Encoder.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/export/files.h"
#include "app/recording/recording_job.h"

namespace simscope {

// The options of the animated file for the scene: its size, pace, colours, number of frames, and the scene itself.
exporting::GifOptions gifOptions(const Scene& scene, bool overwrite);

class ArrayFile;

class OutputFiles {
 public:
  OutputFiles(Scene scene, OutputRequest request);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  // As RecordingJob's.
  int lastFrame() const noexcept { return last_frame_; }
  bool hasPictures() const noexcept { return !animations_.empty() || !stills_.empty(); }
  bool wantsPicture(int frame) const noexcept;
  bool wantsArray(int frame) const noexcept;
  bool wantsRow(int frame) const noexcept { return !tables_.empty() && recorded(frame); }
  bool hasRoom() const;
  void picture(int frame, std::vector<std::uint8_t> rgb);
  void array(int frame, const Frame& data);
  void row(std::int64_t steps, double time, std::span<const double> diagnostics);
  void amend(Timeline timeline, std::vector<ViewChange> view_changes);  // as RecordingJob's
  void cancel() noexcept;
  exporting::EncodingProgress progress() const;
  std::vector<std::string> summary() const;

  // Completes all files with this many frames, then gives them their names. Waits for the encoders.
  void finish(int frames);

 private:
  struct Animation;
  struct Still;
  struct Table;

  bool recorded(int frame) const noexcept {
    return frame >= scene_.first_frame && (request_.open_ended || frame - scene_.first_frame < scene_.frames);
  }
  void add(const std::filesystem::path& file);
  void addAnimation(const std::filesystem::path& file, OutputKind kind);
  std::vector<exporting::PendingFile*> pendingFiles() const;
  std::vector<exporting::Placement> placements() const;
  void complete(int frames);
  void countRow();
  void countBytes();
  Scene sceneEndingAt(int frame) const;
  void throwIfCancelled() const;

  const Scene scene_;                 // as announced
  std::optional<Timeline> timeline_;  // the timeline as recorded
  std::vector<ViewChange> view_changes_;
  const OutputRequest request_;
  const std::string channel_;  // the channel of the arrays
  int last_frame_ = 0;
  std::vector<std::unique_ptr<Animation>> animations_;
  std::vector<std::unique_ptr<Still>> stills_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::vector<std::unique_ptr<ArrayFile>> arrays_;
  std::atomic<bool> cancelled_ = false;
  int frames_ = 0;         // as passed to finish()
  std::int64_t rows_ = 0;  // or arrays: frames without pictures
  std::chrono::steady_clock::time_point first_row_, last_row_;
  std::atomic<std::uint64_t> other_bytes_ = 0;  // of files without an encoder
};

}  // namespace simscope
