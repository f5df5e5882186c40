// Turns pictures into an animated GIF, numbered PNGs, or a video, on its own threads, behind a bounded queue.
//
// Owner: the Encoder owns its files until they are placed; cancelled or destroyed before, it leaves no files. Thread:
// one producer, whose add() waits only while the queue is full; progress() and cancel() from any thread: an add() or
// finish() that waits then ends with an Error.
// Pictures: RGB, top row first, width·height·3 bytes, all of one size. Every added picture is written as a frame,
// including repeated ones.
// Errors: the constructor throws as PendingFile, and UsageError for what the format cannot express: sizes, an fps (the
// message names the nearest), loops, numbers of exact colours; for a video also if ffmpeg is missing or lacks the
// codec. A failure of a codec or the disk throws Error in the next add() or in finish(), after the files have been
// removed; so does finish() without a picture.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/export/formats.h"
#include "app/export/picture_writer.h"
#include "app/export/placing.h"

namespace simscope::exporting {

struct EncodingProgress {
  std::int64_t frames = 0;  // written
  std::int64_t expected = 0;
  std::uint64_t bytes = 0;
  double frames_per_second = 0;
  std::uint64_t estimated_bytes = 0;
  double seconds_left = 0;
};

class Encoder {
 public:
  static constexpr std::size_t kQueueBytes = 256u << 20;

  Encoder(const std::filesystem::path& target, EncoderOptions options);
  ~Encoder() { discard(); }
  Encoder(const Encoder&) = delete;
  Encoder& operator=(const Encoder&) = delete;

  void add(std::vector<std::uint8_t> rgb);
  // Whether several pictures can be added without waiting: half of the queue is free. True also if the next add()
  // fails.
  bool hasRoom() const;
  // For a GIF or an APNG that differs from its announcement (fewer frames, for example): embeds this scene instead, if
  // the target is a file. Other formats keep the scene of the options.
  void replaceScene(const std::string& scene);
  void finish();                      // waits until everything is written; the file is then in place
  void cancel() noexcept { stop(); }  // ends the threads; the file is removed, unless it was complete
  EncodingProgress progress() const;

  // finish() in parts, for several files that must appear together (placing.h): complete() writes all under temporary
  // names; placements() lists the renames; then placed() or discard(). Called by the producer.
  void complete();
  std::vector<Placement> placements() const;
  void placed() noexcept;
  void discard() noexcept;  // at any time before placed()

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;
  using Picture = PictureWriter::Picture;

  struct Entry {
    enum class Stage { Added, Preparing, Prepared, Encoding, Encoded };
    Stage stage = Stage::Added;
    std::shared_ptr<Picture> picture;  // shared with the stages of later pictures
  };

  void work();
  bool writeNext(Lock& lock);
  bool encodeNext(Lock& lock);
  bool prepareNext(Lock& lock);
  bool completeFiles(Lock& lock);
  void fail(std::exception_ptr cause) noexcept;
  [[noreturn]] void throwStopped(Lock& lock);
  void stop() noexcept;
  void notifyAll() noexcept;
  bool stopped() const { return stop_ || failure_; }

  const int width_, height_;
  const std::int64_t expected_;
  std::unique_ptr<PictureWriter> writer_;  // null: placed or discarded
  std::size_t capacity_;                   // of the queue

  mutable std::mutex mutex_;
  std::condition_variable work_, room_, complete_changed_;
  std::deque<Entry> queue_;  // in order; a picture leaves it once it is written
  std::shared_ptr<Picture> last_written_;
  std::string last_scene_;
  std::int64_t added_ = 0, written_ = 0;
  std::uint64_t bytes_ = 0, first_bytes_ = 0;
  Clock::time_point start_{}, latest_{};
  bool writing_ = false, finishing_ = false, completing_ = false, complete_ = false, stop_ = false;
  std::exception_ptr failure_;

  std::mutex stopping_;
  bool threads_ended_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace simscope::exporting
