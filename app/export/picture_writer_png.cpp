// Numbered PNGs: each is a separate file, so that encoding one also writes it. They wait for their names in a hidden
// folder.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "app/export/files.h"
#include "app/export/picture_writer.h"
#include "app/export/png.h"
#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::exporting {
namespace {

constexpr int kLargestPicture = 26000;
constexpr std::size_t kFewestDigits = 4, kDigitsOfUnknown = 6;

class PngSequence final : public PictureWriter {
 public:
  PngSequence(const std::filesystem::path& target, SequenceOptions given)
      : options_(std::move(given)), target_(target) {
    checkPictureOptions(options_, "PNG pictures", kLargestPicture);
    if (!target_.has_filename()) {
      throw UsageError(fmt::format("{} is a folder: choose a file name in it", foreign::quotedFile(target_)));
    }
    digits_ = options_.expected_frames > 0 ? std::max(kFewestDigits, std::to_string(options_.expected_frames).size())
                                           : kDigitsOfUnknown;
    if (!options_.overwrite) {
      refuseExisting();
    }
    folder_.emplace(target_);
    { const PendingFile trial(nameOf(1), options_.overwrite, &*folder_); }  // what cannot be replaced is refused now
  }

  void encode(Picture& picture, const Picture*) override {
    const auto name = nameOf(picture.number);
    const bool with_scene = options_.scene_in_each || picture.number == 1;
    try {
      PendingFile file(name, options_.overwrite, &*folder_);
      writePng(file, options_.width, options_.height, picture.rgb, with_scene ? options_.scene : "");
      file.complete();
      const auto placement = file.placement();
      if (!placement) {
        throw Error(fmt::format("'{}' is not a regular file: choose another name", name.string()));
      }
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        complete_.push_back(*placement);
      }
      file.placed();  // the folder's, from here on
      picture.file_bytes = file.bytes();
      picture.rgb = {};
    } catch (const UsageError& reason) {
      throw Error(reason.what());  // in the midst of a run: something was done, and is undone
    }
  }
  std::uint64_t write(Picture& picture) override { return bytes_ += picture.file_bytes; }
  std::uint64_t complete(const std::string&) override { return bytes_; }
  std::vector<Placement> placements() const override { return complete_; }
  void placed() noexcept override {}

 private:
  std::filesystem::path nameOf(std::int64_t number) const {
    return target_.parent_path() / fmt::format("{}{:0{}}.png", target_.stem().string(), number, digits_);
  }
  // One look at the folder: there may be a million pictures to come.
  void refuseExisting() const {
    const std::string stem = target_.stem().string();
    std::error_code unreadable;
    const auto folder = target_.has_parent_path() ? target_.parent_path() : std::filesystem::path(".");
    for (std::filesystem::directory_iterator each(folder, unreadable), end; !unreadable && each != end;
         each.increment(unreadable)) {
      const std::string name = each->path().filename().string();
      if (name.size() != stem.size() + digits_ + 4 || !name.starts_with(stem) || !name.ends_with(".png")) {
        continue;
      }
      const std::string digits = name.substr(stem.size(), digits_);
      if (digits.find_first_not_of("0123456789") != std::string::npos) {
        continue;
      }
      const std::int64_t number = std::stoll(digits);
      if (number >= 1 && number <= std::max<std::int64_t>(1, options_.expected_frames)) {
        throw UsageError(fmt::format("'{}' already exists: use --force to overwrite it", nameOf(number).string()));
      }
    }
  }

  const SequenceOptions options_;
  const std::filesystem::path target_;
  std::size_t digits_ = kFewestDigits;
  std::optional<PendingFolder> folder_;
  std::uint64_t bytes_ = 0;
  std::mutex mutex_;
  std::vector<Placement> complete_;
};

}  // namespace

std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, SequenceOptions options) {
  return std::make_unique<PngSequence>(target, std::move(options));
}

}  // namespace simscope::exporting
