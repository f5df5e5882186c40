#include "app/export/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "app/export/recording.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

struct Ending {
  std::string_view ending;
  RecordingFormat format;
};
constexpr std::array<Ending, 6> kEndings{{{".gif", RecordingFormat::Gif},
                                          {".png", RecordingFormat::PngSequence},
                                          {".mp4", RecordingFormat::Mp4},
                                          {".webm", RecordingFormat::Webm},
                                          {".webp", RecordingFormat::Webp},
                                          {".mkv", RecordingFormat::Mkv}}};

std::unique_ptr<Recording> start(const std::filesystem::path& target, RecordingOptions options) {
  if (auto* gif = std::get_if<GifOptions>(&options)) {
    return recordGif(target, std::move(*gif));
  }
  if (auto* sequence = std::get_if<SequenceOptions>(&options)) {
    return recordSequence(target, std::move(*sequence));
  }
  return recordVideo(target, std::move(std::get<VideoOptions>(options)));
}

}  // namespace

std::optional<RecordingFormat> recordingFormat(const std::filesystem::path& target) {
  std::string ending = target.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : static_cast<char>(c);
  });
  const auto* const found =
      std::find_if(kEndings.begin(), kEndings.end(), [&](const Ending& known) { return known.ending == ending; });
  if (found == kEndings.end()) {
    return std::nullopt;
  }
  return found->format;
}

int gifDelay(double fps) {
  constexpr double kTolerance = 0.01;
  constexpr int kLongestDelay = 65535;
  const auto rate = [](int delay) { return 100.0 / delay; };
  if (!(fps > 0) || !std::isfinite(fps)) {
    throw UsageError(
        fmt::format("fps: {} frames a second cannot be shown: choose {:.4g} to 50", fps, rate(kLongestDelay)));
  }
  // The nearest rate is one of the two delays around the exact one.
  const int below = static_cast<int>(std::clamp(std::floor(100.0 / fps), 2.0, static_cast<double>(kLongestDelay)));
  const int above = std::min(below + 1, kLongestDelay);
  const int best = std::abs(rate(below) - fps) <= std::abs(rate(above) - fps) ? below : above;
  if (std::abs(rate(best) - fps) <= kTolerance * fps) {
    return best;
  }
  throw UsageError(
      fmt::format("fps: a GIF cannot show {:.6g} frames a second, its delays are whole hundredths of a "
                  "second, at least 2: the nearest is {:.4g} (50, 33.33, 25, 20, 16.67, ...)",
                  fps, rate(best)));
}

Recorder::Recorder(const std::filesystem::path& target, RecordingOptions options)
    : recording_(start(target, std::move(options))) {}

Recorder::~Recorder() = default;

void Recorder::add(std::vector<std::uint8_t> rgb) {
  recording_->add(std::move(rgb));
}
void Recorder::replaceScene(const std::string& scene) {
  recording_->replaceScene(scene);
}
void Recorder::finish() {
  recording_->finish();
  try {
    placeAll(recording_->placements());
  } catch (...) {
    recording_->settle(false);
    throw;
  }
  recording_->settle(true);
}
void Recorder::complete() {
  recording_->finish();
}
std::vector<Placement> Recorder::placements() const {
  return recording_->placements();
}
void Recorder::settle(bool placed) noexcept {
  recording_->settle(placed);
}
void Recorder::cancel() {
  recording_->end();
}
RecorderProgress Recorder::progress() const {
  return recording_->progress();
}

}  // namespace simscope::exporting
