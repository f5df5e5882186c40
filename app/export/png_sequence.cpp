// Numbered PNGs: each thread encodes, writes and renames pictures of its own.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "app/export/files.h"
#include "app/export/queued_recording.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr int kLargestSide = 26000, kMostThreads = 16;
constexpr std::size_t kFewestDigits = 4, kDigitsOfUnknown = 6;

class PngSequence final : public QueuedRecording {
 public:
  PngSequence(const std::filesystem::path& target, SequenceOptions given)
      : QueuedRecording(given), options_(std::move(given)), target_(target) {
    checkPictureOptions(options_, "PNG pictures", kLargestSide);
    if (!target_.has_filename()) {
      throw UsageError(fmt::format("'{}' is a folder: name the pictures in it", target_.string()));
    }
    digits_ = options_.expected_frames > 0 ? std::max(kFewestDigits, std::to_string(options_.expected_frames).size())
                                           : kDigitsOfUnknown;
    if (!options_.overwrite) {
      for (std::int64_t number = 1; number <= std::max<std::int64_t>(1, options_.expected_frames); ++number) {
        refuseExisting(number);
      }
    }
    PendingFile trial(nameOf(1), options_.overwrite);  // a folder that cannot be written is refused now
    start(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, kMostThreads));
  }
  ~PngSequence() override { end(); }

 private:
  std::filesystem::path nameOf(std::int64_t number) const {
    return target_.parent_path() / fmt::format("{}{:0{}}.png", target_.stem().string(), number, digits_);
  }
  void refuseExisting(std::int64_t number) const {
    std::error_code ignored;
    const auto name = nameOf(number);
    if (std::filesystem::exists(std::filesystem::symlink_status(name, ignored))) {
      throw UsageError(fmt::format("'{}' exists already: --force overwrites it", name.string()));
    }
  }

  std::uint64_t consume(Picture picture) override {
    const auto name = nameOf(picture.number);
    const bool with_scene = options_.scene_in_each || picture.number == 1;
    try {
      writePng(name, options_.width, options_.height, picture.rgb, with_scene ? options_.scene : "",
               options_.overwrite);
    } catch (const UsageError& reason) {
      throw Error(reason.what());  // in the midst of a run: something was done, and is undone
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    written_.push_back(name);
    std::error_code ignored;
    const auto bytes = std::filesystem::file_size(name, ignored);
    return ignored ? 0 : bytes;
  }
  std::uint64_t complete() override { return 0; }
  void interrupt() noexcept override {}
  void discard() noexcept override {
    for (const auto& name : written_) {
      std::error_code ignored;
      std::filesystem::remove(name, ignored);
    }
    written_.clear();
  }

  const SequenceOptions options_;
  const std::filesystem::path target_;
  std::size_t digits_ = kFewestDigits;
  std::mutex mutex_;
  std::vector<std::filesystem::path> written_;
};

}  // namespace

std::unique_ptr<Recording> recordSequence(const std::filesystem::path& target, SequenceOptions options) {
  return std::make_unique<PngSequence>(target, std::move(options));
}

}  // namespace simscope::exporting
