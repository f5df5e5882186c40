// Turns pictures into an animated GIF, numbered PNGs, or a video, on threads of its own, behind a bounded queue.
//
// Owner: the Encoder owns what it writes until that has its name; cancelled or destroyed before, it leaves nothing
// behind. Thread: one producer, whose add() waits only while the queue is full; progress() and cancel() from any
// thread: an add() or finish() that waits then ends with an Error.
// Pictures: RGB, top row first, width·height·3 bytes, all of one size. As many frames are written as pictures were
// added, equal ones included.
// Errors: constructor as PendingFile, and UsageError for what the format cannot express: sizes, an fps (the message
// names the nearest), loops, numbers of exact colours; for a video also where there is no ffmpeg, or one that lacks the
// codec. A failure of a codec or the disk surfaces as Error in the next add() or in finish(), and what was written is
// gone by then; so does finish() without a picture.
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
  // Whether several pictures would be taken without a wait: half of the queue is free. True also where the next add()
  // fails.
  bool hasRoom() const;
  // Of a GIF or an APNG that turned out otherwise than announced (fewer frames, say): embeds this scene instead,
  // provided that the target is a file. Other formats keep what they have.
  void replaceScene(const std::string& scene);
  void finish();                      // waits until all is written; the file is then in place
  void cancel() noexcept { stop(); }  // ends the threads; the file is gone, unless it was complete
  EncodingProgress progress() const;

  // finish() in parts, for several files that shall appear together (placing.h): all is there under temporary names;
  // these are to be renamed; they were, or are to be removed. The producer calls them.
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
    std::shared_ptr<Picture> picture;  // shared with the stages of later ones
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
  std::deque<Entry> queue_;  // in order; a picture leaves it when it is written
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
