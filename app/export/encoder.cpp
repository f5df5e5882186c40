// Each worker thread takes the next possible task: write the picture at the queue's front, encode one whose predecessor
// is prepared, or prepare one. Pictures are therefore encoded in any order, but written in sequence.
#include "app/export/encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>
#include <variant>

#include "app/export/signals.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kMostPictures = 256;  // in the queue
constexpr std::size_t kMostWaiting = 2;     // that hasRoom() allows at any size

const PictureOptions& common(const EncoderOptions& options) {
  return std::visit([](const PictureOptions& each) -> const PictureOptions& { return each; }, options);
}

}  // namespace

Encoder::Encoder(const std::filesystem::path& target, EncoderOptions options)
    : width_(common(options).width), height_(common(options).height), expected_(common(options).expected_frames) {
  writer_ = std::visit([&](auto& each) { return makeWriter(target, std::move(each)); }, options);
  const std::size_t picture = static_cast<std::size_t>(width_) * height_ * writer_->bytesPerPixel();
  capacity_ = std::clamp<std::size_t>(kQueueBytes / picture, 1, kMostPictures);
  const int count = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, writer_->mostThreads());
  threads_.reserve(static_cast<std::size_t>(count));
  const SignalsElsewhere signals;
  try {
    for (int i = 0; i < count; ++i) threads_.emplace_back([this] { work(); });
  } catch (const std::exception& reason) {
    // Fewer threads are slower, no more than that.
    if (threads_.empty()) throw Error(fmt::format("cannot start a thread for the encoder: {}", reason.what()));
  }
}

void Encoder::work() {
  try {
    Lock lock(mutex_);
    while (!stopped() && !complete_) {
      if (!writeNext(lock) && !encodeNext(lock) && !prepareNext(lock) && !completeFiles(lock)) work_.wait(lock);
    }
  } catch (const std::bad_alloc&) {
    fail(std::make_exception_ptr(Error("out of memory while encoding: choose a smaller picture")));
  } catch (...) {
    fail(std::current_exception());
  }
}

void Encoder::fail(std::exception_ptr cause) noexcept {
  const Lock lock(mutex_);
  if (!stopped()) failure_ = std::move(cause);  // an interrupted writer fails, too
  notifyAll();
}

void Encoder::notifyAll() noexcept {
  work_.notify_all();
  room_.notify_all();
  complete_changed_.notify_all();
}

// These return whether there was something to do. They hold the lock on entry and on return, not in between. An entry
// stays where it is meanwhile: a deque moves nothing at its ends, and only an encoded one leaves.

bool Encoder::writeNext(Lock& lock) {
  if (writing_ || queue_.empty() || queue_.front().stage != Entry::Stage::Encoded) return false;
  writing_ = true;
  Picture& picture = *queue_.front().picture;
  lock.unlock();
  const std::uint64_t bytes = writer_->write(picture);
  lock.lock();
  writing_ = false;
  bytes_ = bytes;
  if (++written_ == 1) first_bytes_ = bytes;
  latest_ = Clock::now();
  last_written_ = std::move(queue_.front().picture);
  queue_.pop_front();
  room_.notify_all();
  return true;
}

bool Encoder::encodeNext(Lock& lock) {
  std::shared_ptr<Picture> previous = last_written_;
  for (Entry& entry : queue_) {
    if (entry.stage == Entry::Stage::Prepared && (previous || entry.picture->number == 1)) {
      entry.stage = Entry::Stage::Encoding;
      lock.unlock();
      writer_->encode(*entry.picture, previous.get());
      lock.lock();
      entry.stage = Entry::Stage::Encoded;
      return true;
    }
    previous = entry.stage >= Entry::Stage::Prepared ? entry.picture : nullptr;
  }
  return false;
}

bool Encoder::prepareNext(Lock& lock) {
  std::shared_ptr<Picture> known = last_written_;  // the latest one that is prepared
  for (Entry& entry : queue_) {
    if (entry.stage == Entry::Stage::Added) {
      entry.stage = Entry::Stage::Preparing;
      lock.unlock();
      writer_->prepare(*entry.picture, known.get());
      lock.lock();
      entry.stage = Entry::Stage::Prepared;
      work_.notify_all();  // this picture and the next may now be ready to encode
      return true;
    }
    if (entry.stage >= Entry::Stage::Prepared) known = entry.picture;
  }
  return false;
}

bool Encoder::completeFiles(Lock& lock) {
  if (!finishing_ || completing_ || !queue_.empty()) return false;
  completing_ = true;
  const std::string scene = last_scene_;
  lock.unlock();
  const std::uint64_t bytes = writer_->complete(scene);
  lock.lock();
  bytes_ = bytes;
  complete_ = true;
  notifyAll();
  return true;
}

void Encoder::add(std::vector<std::uint8_t> rgb) {
  const std::size_t bytes = static_cast<std::size_t>(width_) * height_ * 3;
  if (rgb.size() != bytes) {
    throw Error(
        fmt::format("a picture of {}x{} takes {} bytes, but {} were added", width_, height_, bytes, rgb.size()));
  }
  auto picture = std::make_shared<Picture>();
  picture->rgb = std::move(rgb);
  Lock lock(mutex_);
  if (finishing_) throw Error("the recording is finished: no picture can be added");
  room_.wait(lock, [&] { return stopped() || queue_.size() < capacity_; });
  if (stopped()) throwStopped(lock);
  if (added_ == 0) {
    start_ = latest_ = Clock::now();
    writer_->begin(*picture);  // under the lock: nothing else can happen before it
  }
  picture->number = ++added_;
  queue_.push_back({Entry::Stage::Added, std::move(picture)});
  work_.notify_one();
}

bool Encoder::hasRoom() const {
  const Lock lock(mutex_);
  return stopped() || queue_.size() < std::max(kMostWaiting, capacity_ / 2);
}

void Encoder::replaceScene(const std::string& scene) {
  const Lock lock(mutex_);
  last_scene_ = scene;
}

void Encoder::finish() {
  complete();
  try {
    placeAll(placements());
  } catch (...) {
    discard();
    throw;
  }
  placed();
}

void Encoder::complete() {
  Lock lock(mutex_);
  if (complete_) return;
  if (!stopped() && added_ == 0) {
    failure_ = std::make_exception_ptr(Error("no picture was recorded: nothing was written"));
  }
  finishing_ = true;
  work_.notify_all();
  complete_changed_.wait(lock, [&] { return stopped() || complete_; });
  if (!complete_) throwStopped(lock);
  lock.unlock();
  stop();
}

std::vector<Placement> Encoder::placements() const {
  return writer_ ? writer_->placements() : std::vector<Placement>();
}

void Encoder::placed() noexcept {
  if (writer_) writer_->placed();
  writer_.reset();
}

// Throws what went wrong, once nothing is left of the recording.
void Encoder::throwStopped(Lock& lock) {
  const std::exception_ptr failure = failure_;
  lock.unlock();
  discard();
  if (failure) std::rethrow_exception(failure);
  throw Error("the recording was cancelled");
}

void Encoder::discard() noexcept {
  stop();
  if (!writer_) return;
  writer_.reset();
  const Lock lock(mutex_);
  complete_ = false;  // finish() has nothing to place any more, and must say so
}

void Encoder::stop() noexcept {
  const std::lock_guard<std::mutex> one_at_a_time(stopping_);
  if (std::exchange(threads_ended_, true)) return;
  bool early = false;
  {
    const Lock lock(mutex_);
    stop_ = true;
    early = !complete_;
    notifyAll();
  }
  if (early) writer_->interrupt();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
  {
    const Lock lock(mutex_);
    queue_.clear();
    last_written_.reset();
    early = !complete_;  // the last thread may have completed it meanwhile
  }
  if (early) writer_.reset();
}

EncodingProgress Encoder::progress() const {
  const Lock lock(mutex_);
  EncodingProgress now;
  now.frames = written_;
  now.expected = expected_;
  now.bytes = now.estimated_bytes = bytes_;
  const double seconds = std::chrono::duration<double>(latest_ - start_).count();
  if (written_ > 0 && seconds > 0) now.frames_per_second = static_cast<double>(written_) / seconds;
  if (complete_) return now;
  now.estimated_bytes = estimatedBytes(first_bytes_, bytes_, written_, expected_);
  if (now.frames_per_second > 0 && expected_ > written_) {
    now.seconds_left = static_cast<double>(expected_ - written_) / now.frames_per_second;
  }
  return now;
}

}  // namespace simscope::exporting
