// The pipeline behind a GIF. Pictures wait in a deque in their order; worker threads take whatever can be done
// next: write the finished frames at its front, encode a picture whose own indices and whose predecessor's are known,
// or look up a picture's indices. Frames are therefore made in any order and written in one.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <thread>

#include "app/export/dither.h"
#include "app/export/embedded.h"
#include "app/export/files.h"
#include "app/export/gif_encoder.h"
#include "app/export/gif_plan.h"
#include "app/export/recording.h"
#include "app/export/signals.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kLargestSide = 65535, kLargestLoop = 65535;
constexpr int kMostThreads = 16;
constexpr std::size_t kMostFramesInFlight = 256;
constexpr std::size_t kChargePerPixel = 5;  // three bytes of colour, one of index, and the encoded frame

struct Frame {
  enum class State { kColours, kMapping, kIndices, kEncoding, kEncoded };
  explicit Frame(std::vector<std::uint8_t> picture)
      : rgb(std::make_shared<const std::vector<std::uint8_t>>(std::move(picture))) {}

  State state = State::kColours;
  std::shared_ptr<const std::vector<std::uint8_t>> rgb;  // shared with jobs that look up a later one's indices
  std::shared_ptr<std::uint8_t[]> indices;               // likewise, and with the job that encodes the next frame
  Bytes blocks;
};

GifOptions checked(GifOptions options) {
  if (options.width < 1 || options.height < 1 || options.width > kLargestSide || options.height > kLargestSide) {
    throw UsageError(fmt::format("a GIF of {}x{} pixels cannot be written: choose 1x1 to {}x{}", options.width,
                                 options.height, kLargestSide, kLargestSide));
  }
  if (options.loop < 0 || options.loop > kLargestLoop) {
    throw UsageError(
        fmt::format("a GIF cannot repeat {} times: choose 0 (for ever) to {}", options.loop, kLargestLoop));
  }
  if (options.scene.size() > kMaximumSceneBytes) {
    throw UsageError(fmt::format("the scene of {} bytes is too large to embed: at most {}", options.scene.size(),
                                 kMaximumSceneBytes));
  }
  return options;
}

class GifRecording final : public Recording {
 public:
  GifRecording(const std::filesystem::path& target, GifOptions given);
  ~GifRecording() override { end(); }

  void add(std::vector<std::uint8_t> rgb) override;
  void replaceScene(const std::string& scene) override;
  void finish() override;
  void end() noexcept override;
  std::vector<Placement> placements() const override;
  void settle(bool placed) noexcept override;
  RecorderProgress progress() const override;

 private:
  using Lock = std::unique_lock<std::mutex>;

  void work();
  bool writeSome(Lock& lock);
  bool encodeSome(Lock& lock, FrameEncoder& encoder);
  bool mapSome(Lock& lock);
  RecorderProgress measured() const;
  void rewriteScene();
  [[noreturn]] void refuseSize() const;
  void fail(std::exception_ptr cause) noexcept;
  [[noreturn]] void surrender(Lock& lock);
  bool stopped() const { return stop_ || failure_; }
  std::size_t pixels() const { return static_cast<std::size_t>(options_.width) * options_.height; }

  const GifOptions options_;
  const int delay_;
  Palette palette_;
  Dither dither_{palette_};
  std::unique_ptr<PendingFile> file_;  // the writing worker's while being_written_; else under mutex_

  mutable std::mutex mutex_;
  std::condition_variable work_, room_, idle_;
  std::deque<Frame> frames_;                                            // in flight
  std::shared_ptr<std::uint8_t[]> before_front_;                        // the indices of the frame written last,
  std::shared_ptr<const std::vector<std::uint8_t>> picture_before_;     // and its picture
  std::int64_t written_ = 0;                                            // frames
  std::uint64_t bytes_ = 0, header_bytes_ = 0, first_frame_bytes_ = 0;  // bytes_: of all that was written
  std::string last_scene_;                                              // to embed instead of the first; empty: none
  Clock::time_point start_{}, latest_{};
  std::size_t being_written_ = 0;  // frames in the hands of the one worker that writes
  bool stop_ = false, finished_ = false;
  std::exception_ptr failure_;

  std::mutex ending_;
  std::vector<std::thread> threads_;
};

GifRecording::GifRecording(const std::filesystem::path& target, GifOptions given)
    : options_(checked(std::move(given))), delay_(gifDelay(options_.fps)), palette_(options_.exact_colours) {
  const Bytes header = gifHeader(options_.width, options_.height, palette_, options_.loop, options_.scene);
  file_ = std::make_unique<PendingFile>(target, options_.overwrite);
  file_->write(header.data(), header.size());
  bytes_ = header_bytes_ = header.size();
  const int count = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads);
  threads_.reserve(static_cast<std::size_t>(count));
  const SignalsElsewhere signals;
  try {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  } catch (const std::exception& reason) {
    // Fewer threads are slower, no more than that.
    if (threads_.empty()) {
      throw Error(fmt::format("cannot start a thread for the GIF encoder: {}", reason.what()));
    }
  }
}

void GifRecording::work() {
  try {
    FrameEncoder encoder(options_.width, options_.height, delay_);
    Lock lock(mutex_);
    while (!stopped()) {
      if (!writeSome(lock) && !encodeSome(lock, encoder) && !mapSome(lock)) {
        work_.wait(lock);
      }
    }
  } catch (const std::bad_alloc&) {
    fail(std::make_exception_ptr(Error("out of memory while encoding the GIF: choose a smaller picture")));
  } catch (...) {
    fail(std::current_exception());
  }
}

void GifRecording::fail(std::exception_ptr cause) noexcept {
  const Lock lock(mutex_);
  if (!failure_) {
    failure_ = std::move(cause);
  }
  being_written_ = 0;
  work_.notify_all();
  room_.notify_all();
  idle_.notify_all();
}

// The three jobs return whether there was something to do. They hold the lock on entry and on return, not in between.

bool GifRecording::writeSome(Lock& lock) {
  if (being_written_ > 0 || frames_.empty() || frames_.front().state != Frame::State::kEncoded) {
    return false;
  }
  std::vector<Bytes> ready;
  while (!frames_.empty() && frames_.front().state == Frame::State::kEncoded) {
    ready.push_back(std::move(frames_.front().blocks));
    before_front_ = std::move(frames_.front().indices);
    picture_before_ = std::move(frames_.front().rgb);
    frames_.pop_front();
  }
  being_written_ = ready.size();
  lock.unlock();
  std::uint64_t bytes = 0;
  for (const Bytes& blocks : ready) {
    file_->write(blocks.data(), blocks.size());
    bytes += blocks.size();
  }
  lock.lock();
  being_written_ = 0;
  if (written_ == 0) {
    first_frame_bytes_ = bytes_ + ready.front().size();
  }
  bytes_ += bytes;
  written_ += static_cast<std::int64_t>(ready.size());
  latest_ = Clock::now();
  if (options_.max_bytes > 0 && bytes_ + 1 > options_.max_bytes) {  // the trailer is to come
    refuseSize();
  }
  room_.notify_all();
  if (frames_.empty()) {
    idle_.notify_all();
  }
  return true;
}

bool GifRecording::encodeSome(Lock& lock, FrameEncoder& encoder) {
  std::shared_ptr<std::uint8_t[]> before = before_front_;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    Frame& frame = frames_[i];
    const bool first = i == 0 && written_ == 0 && !before_front_;
    if (frame.state == Frame::State::kIndices && (first || before)) {
      const auto indices = frame.indices;
      frame.state = Frame::State::kEncoding;
      lock.unlock();
      Bytes blocks = encoder.encode(before.get(), indices.get());
      lock.lock();
      // `frame` stays where it is: a deque moves nothing at its ends, and only encoded frames leave.
      frame.blocks = std::move(blocks);
      frame.state = Frame::State::kEncoded;
      return true;
    }
    before = frame.state >= Frame::State::kIndices ? frame.indices : nullptr;
  }
  return false;
}

bool GifRecording::mapSome(Lock& lock) {
  const auto found = std::find_if(frames_.begin(), frames_.end(),
                                  [](const Frame& frame) { return frame.state == Frame::State::kColours; });
  if (found == frames_.end()) {
    return false;
  }
  Frame& frame = *found;
  frame.state = Frame::State::kMapping;
  // Most of a picture is as in one before it, whose indices may be known by now.
  std::shared_ptr<std::uint8_t[]> like_indices = before_front_;
  std::shared_ptr<const std::vector<std::uint8_t>> like = picture_before_;
  for (auto each = frames_.begin(); each != found; ++each) {
    if (each->state < Frame::State::kIndices) continue;
    like_indices = each->indices;
    like = each->rgb;
  }
  const auto rgb = frame.rgb;
  lock.unlock();
  auto indices = std::make_shared_for_overwrite<std::uint8_t[]>(pixels());
  Dither::Known known;
  if (like && like_indices) known = {like->data(), like_indices.get()};
  dither_.map(rgb->data(), options_.width, options_.height, indices.get(), known);
  lock.lock();
  frame.indices = std::move(indices);
  frame.state = Frame::State::kIndices;
  work_.notify_all();  // this frame and the next may now be ready to encode
  return true;
}

void GifRecording::add(std::vector<std::uint8_t> rgb) {
  if (rgb.size() != pixels() * 3) {
    throw Error(fmt::format("a picture of {}x{} takes {} bytes, but {} were added", options_.width, options_.height,
                            pixels() * 3, rgb.size()));
  }
  const std::size_t most =
      std::clamp<std::size_t>(Recorder::kQueueBytes / (pixels() * kChargePerPixel), 1, kMostFramesInFlight);
  Lock lock(mutex_);
  if (finished_) {
    throw Error("the recording is finished: no picture can be added");
  }
  room_.wait(lock, [&] { return stopped() || frames_.size() + being_written_ < most; });
  if (stopped()) {
    surrender(lock);
  }
  if (start_ == Clock::time_point{}) {
    start_ = latest_ = Clock::now();
  }
  frames_.emplace_back(std::move(rgb));
  work_.notify_one();
}

void GifRecording::replaceScene(const std::string& scene) {
  const Lock lock(mutex_);
  last_scene_ = scene;
}

void GifRecording::finish() {
  Lock lock(mutex_);
  if (finished_) {
    return;
  }
  idle_.wait(lock, [&] { return stopped() || (frames_.empty() && being_written_ == 0); });
  if (stopped()) {
    surrender(lock);
  }
  if (written_ == 0) {
    failure_ = std::make_exception_ptr(Error("no picture was recorded: the file was not written"));
    surrender(lock);
  }
  try {
    rewriteScene();
    file_->write(&kGifTrailer, 1);
    file_->complete();
  } catch (...) {
    failure_ = std::current_exception();
    surrender(lock);
  }
  bytes_ += 1;
  finished_ = true;
  lock.unlock();
  end();
}

// The file is the one that the last scene would have made from the start.
void GifRecording::rewriteScene() {
  if (last_scene_.empty() || last_scene_.size() > options_.scene.size() || file_->temporary().empty()) {
    return;
  }
  const Bytes header = gifHeader(options_.width, options_.height, palette_, options_.loop, last_scene_);
  bytes_ -= header_bytes_ - header.size();
  file_->replaceFront(header_bytes_, header.data(), header.size());
}

// Throws what went wrong, once nothing is left of the file.
void GifRecording::surrender(Lock& lock) {
  const std::exception_ptr failure = failure_;
  lock.unlock();
  end();
  if (failure) {
    std::rethrow_exception(failure);
  }
  throw Error("the recording was cancelled");
}

// Stops the threads and lets go of the file, which vanishes; but not of a finished one: it waits for its name. May be
// called again, by any thread.
void GifRecording::end() noexcept {
  const std::lock_guard<std::mutex> one_at_a_time(ending_);
  {
    const Lock lock(mutex_);
    stop_ = true;
    work_.notify_all();
    room_.notify_all();
    idle_.notify_all();
  }
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
  const Lock lock(mutex_);
  frames_.clear();
  before_front_.reset();
  picture_before_.reset();
  if (!finished_) {
    file_.reset();
  }
}

std::vector<Placement> GifRecording::placements() const {
  const auto file = file_ ? file_->placement() : std::nullopt;
  return file ? std::vector{*file} : std::vector<Placement>();
}

void GifRecording::settle(bool placed) noexcept {
  if (placed && file_) {
    file_->placed();
  }
  file_.reset();
}

void GifRecording::refuseSize() const {
  const std::uint64_t whole = std::max(measured().estimated_bytes, bytes_ + 1);
  // Bytes grow about as the area does.
  const double scale = 0.95 * std::sqrt(static_cast<double>(options_.max_bytes) / static_cast<double>(whole));
  throw GifTooLarge(
      fmt::format("the GIF would take about {}, {} at most are allowed: choose about {}x{} pixels, or every {} frame",
                  byteText(whole), byteText(options_.max_bytes), evenSide(options_.width * scale),
                  evenSide(options_.height * scale), ordinal(std::max(2.0, std::ceil(1 / (scale * scale))))),
      whole);
}

RecorderProgress GifRecording::progress() const {
  const Lock lock(mutex_);
  return measured();
}

// Under the lock.
RecorderProgress GifRecording::measured() const {
  RecorderProgress now;
  now.frames = written_;
  now.expected = options_.expected_frames;
  now.bytes = bytes_;
  const double seconds = std::chrono::duration<double>(latest_ - start_).count();
  if (written_ > 0 && seconds > 0) {
    now.frames_per_second = static_cast<double>(written_) / seconds;
  }
  if (finished_) {
    now.estimated_bytes = bytes_;
  } else if (written_ > 0 && now.expected > 0) {
    const std::int64_t left = std::max<std::int64_t>(0, now.expected - written_);
    // The first frame is a whole picture, the others are changes: only these foretell the rest.
    const double each = written_ > 1
                            ? static_cast<double>(bytes_ - first_frame_bytes_) / static_cast<double>(written_ - 1)
                            : static_cast<double>(bytes_);
    now.estimated_bytes = bytes_ + static_cast<std::uint64_t>(each * static_cast<double>(left));
    if (now.frames_per_second > 0) {
      now.seconds_left = static_cast<double>(left) / now.frames_per_second;
    }
  }
  return now;
}

}  // namespace

std::unique_ptr<Recording> recordGif(const std::filesystem::path& target, GifOptions options) {
  return std::make_unique<GifRecording>(target, std::move(options));
}

}  // namespace simscope::exporting
