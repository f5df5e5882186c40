#include "app/export/queued_recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "app/export/embedded.h"
#include "app/export/signals.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kMostPicturesInFlight = 256;

}  // namespace

void checkPictureOptions(const PictureOptions& options, const char* format, int largest) {
  if (options.width < 1 || options.height < 1 || options.width > largest || options.height > largest) {
    throw UsageError(fmt::format("{} of {}x{} pixels cannot be written: choose 1x1 to {}x{}", format, options.width,
                                 options.height, largest, largest));
  }
  if (!(options.fps > 0) || !std::isfinite(options.fps)) {
    throw UsageError(fmt::format("fps: {} frames a second cannot be shown: choose a positive number", options.fps));
  }
  if (options.scene.size() > kMaximumSceneBytes) {
    throw UsageError(fmt::format("the scene of {} bytes is too large to embed: at most {}", options.scene.size(),
                                 kMaximumSceneBytes));
  }
}

QueuedRecording::QueuedRecording(const PictureOptions& options)
    : picture_bytes_(static_cast<std::size_t>(options.width) * options.height * 3),
      expected_(options.expected_frames) {}

QueuedRecording::~QueuedRecording() = default;

void QueuedRecording::start(int threads) {
  threads_.reserve(static_cast<std::size_t>(threads));
  const SignalsElsewhere signals;
  try {
    for (int i = 0; i < threads; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  } catch (const std::exception& reason) {
    // Fewer threads are slower, no more than that.
    if (threads_.empty()) {
      throw Error(fmt::format("cannot start a thread for the encoder: {}", reason.what()));
    }
  }
}

void QueuedRecording::work() {
  try {
    Lock lock(mutex_);
    while (!stopped() && !finished_) {
      if (!queue_.empty()) {
        Picture picture = std::move(queue_.front());
        queue_.pop_front();
        ++in_hand_;
        lock.unlock();
        const std::uint64_t bytes = consume(std::move(picture));
        lock.lock();
        --in_hand_;
        ++done_;
        bytes_ += bytes;
        latest_ = Clock::now();
        room_.notify_all();
        if (finishing_) {
          work_.notify_all();
        }
      } else if (finishing_ && in_hand_ == 0 && !completing_) {
        completing_ = true;
        lock.unlock();
        const std::uint64_t bytes = complete();
        lock.lock();
        bytes_ += bytes;
        finished_ = true;
        work_.notify_all();
        idle_.notify_all();
      } else {
        work_.wait(lock);
      }
    }
  } catch (const std::bad_alloc&) {
    fail(std::make_exception_ptr(Error("out of memory while encoding: choose a smaller picture")));
  } catch (...) {
    fail(std::current_exception());
  }
}

void QueuedRecording::fail(std::exception_ptr cause) noexcept {
  const Lock lock(mutex_);
  if (!stopped()) {  // a cancelled encoder fails too
    failure_ = std::move(cause);
  }
  work_.notify_all();
  room_.notify_all();
  idle_.notify_all();
}

void QueuedRecording::add(std::vector<std::uint8_t> rgb) {
  if (rgb.size() != picture_bytes_) {
    throw Error(
        fmt::format("a picture of this recording takes {} bytes, but {} were added", picture_bytes_, rgb.size()));
  }
  const std::size_t most = std::clamp<std::size_t>(Recorder::kQueueBytes / picture_bytes_, 1, kMostPicturesInFlight);
  Lock lock(mutex_);
  if (finishing_) {
    throw Error("the recording is finished: no picture can be added");
  }
  room_.wait(lock, [&] { return stopped() || queue_.size() + in_hand_ < most; });
  if (stopped()) {
    surrender(lock);
  }
  if (added_ == 0) {
    start_ = latest_ = Clock::now();
  }
  queue_.push_back({++added_, std::move(rgb)});
  work_.notify_one();
}

void QueuedRecording::finish() {
  Lock lock(mutex_);
  if (finished_) {
    return;
  }
  if (!stopped() && added_ == 0) {
    failure_ = std::make_exception_ptr(Error("no picture was recorded: nothing was written"));
  }
  finishing_ = true;
  work_.notify_all();
  idle_.wait(lock, [&] { return stopped() || finished_; });
  if (!finished_) {
    surrender(lock);
  }
  lock.unlock();
  end();
}

// Throws what went wrong, once nothing is left of the recording.
void QueuedRecording::surrender(Lock& lock) {
  const std::exception_ptr failure = failure_;
  lock.unlock();
  end();
  if (failure) {
    std::rethrow_exception(failure);
  }
  throw Error("the recording was cancelled");
}

void QueuedRecording::end() noexcept {
  const std::lock_guard<std::mutex> one_at_a_time(ending_);
  if (std::exchange(ended_, true)) {
    return;
  }
  bool early = false;
  {
    const Lock lock(mutex_);
    stop_ = true;
    early = !finished_;
    work_.notify_all();
    room_.notify_all();
    idle_.notify_all();
  }
  if (early) {
    interrupt();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
  {
    const Lock lock(mutex_);
    queue_.clear();
    early = !finished_;  // the last thread may have completed it meanwhile
  }
  if (early) {
    discard();
  }
}

RecorderProgress QueuedRecording::progress() const {
  const Lock lock(mutex_);
  RecorderProgress now;
  now.frames = done_;
  now.expected = expected_;
  now.bytes = bytes_;
  const double seconds = std::chrono::duration<double>(latest_ - start_).count();
  if (done_ > 0 && seconds > 0) {
    now.frames_per_second = static_cast<double>(done_) / seconds;
  }
  if (finished_) {
    now.estimated_bytes = bytes_;
  } else if (done_ > 0 && expected_ > 0) {
    const auto left = static_cast<double>(std::max<std::int64_t>(0, expected_ - done_));
    now.estimated_bytes =
        bytes_ + static_cast<std::uint64_t>(static_cast<double>(bytes_) / static_cast<double>(done_) * left);
    if (now.frames_per_second > 0) {
      now.seconds_left = left / now.frames_per_second;
    }
  }
  return now;
}

}  // namespace simscope::exporting
