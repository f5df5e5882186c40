// A recording whose pictures can be taken from a queue one by one: numbered files, a video. Threads, back-pressure and
// errors as recorder.h says; what is done with a picture is the derived class's.
//
// A derived class calls start() at the end of its constructor and end() at the beginning of its destructor.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "app/export/recording.h"

namespace simscope::exporting {

class QueuedRecording : public Recording {
 public:
  explicit QueuedRecording(const PictureOptions& options);
  ~QueuedRecording() override;

  void add(std::vector<std::uint8_t> rgb) final;
  void finish() final;
  void end() noexcept final;
  RecorderProgress progress() const final;

 protected:
  struct Picture {
    std::int64_t number = 0;  // from 1
    std::vector<std::uint8_t> rgb;
  };
  void start(int threads);

  // On threads of the recording; what they throw ends it.
  virtual std::uint64_t consume(Picture picture) = 0;  // in order where there is one thread; bytes that it added
  virtual std::uint64_t complete() = 0;                // after the last picture; bytes that it added
  // When the recording ends early: makes consume() and complete() return soon (any thread); then, once no thread is
  // left, removes what there is.
  virtual void interrupt() noexcept = 0;
  virtual void discard() noexcept = 0;

  std::size_t pictureBytes() const { return picture_bytes_; }

 private:
  using Lock = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;

  void work();
  void fail(std::exception_ptr cause) noexcept;
  [[noreturn]] void surrender(Lock& lock);
  bool stopped() const { return stop_ || failure_; }

  const std::size_t picture_bytes_;
  const std::int64_t expected_;
  mutable std::mutex mutex_;
  std::condition_variable work_, room_, idle_;
  std::deque<Picture> queue_;
  std::size_t in_hand_ = 0;  // pictures that threads have taken
  std::int64_t added_ = 0, done_ = 0;
  std::uint64_t bytes_ = 0;
  Clock::time_point start_{}, latest_{};
  bool stop_ = false, finishing_ = false, completing_ = false, finished_ = false;
  std::exception_ptr failure_;

  std::mutex ending_;
  bool ended_ = false;
  std::vector<std::thread> threads_;
};

// UsageError where the sides are not within 1 to `largest`, the rate is no positive number, or the scene is too long.
void checkPictureOptions(const PictureOptions& options, const char* format, int largest);

}  // namespace simscope::exporting
