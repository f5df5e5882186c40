// Animated GIFs: first the picture's indices, with a dither for colours beyond the palette, then the frame with the
// difference from the previous picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/export/files.h"
#include "app/export/gif/dither.h"
#include "app/export/gif/gif_encoder.h"
#include "app/export/gif/gif_plan.h"
#include "app/export/gif/solid_colours.h"
#include "app/export/picture_writer.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

GifOptions checkedGif(GifOptions options) {
  constexpr int kLargestSide = 65535;
  gifDelay(options.fps);
  checkPictureOptions(options, "a GIF", kLargestSide);
  checkLoop(options.loop, "a GIF");
  checkExact(options.exact_colours);
  return options;
}

class GifWriter final : public PictureWriter {
 public:
  GifWriter(const std::filesystem::path& target, GifOptions given)
      : options_(checkedGif(std::move(given))),
        frames_(options_.width, options_.height, gifDelay(options_.fps)),
        file_(target, options_.overwrite) {}

  // Three bytes of colour, up to two of indices, and the frame.
  std::size_t bytesPerPixel() const override { return 6; }

  void begin(const Picture& first) override {
    palette_.emplace(paletteColours(first.rgb.data(), options_.width, options_.height, options_.exact_colours));
    dither_.emplace(*palette_);
    const Bytes header = headerWith(options_.scene);
    file_.write(header.data(), header.size());
    header_bytes_ = header.size();
  }
  // Most of a picture is as in one before it.
  void prepare(Picture& picture, const Picture* known) override {
    picture.indices = std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(options_.width) *
                                                                     static_cast<std::size_t>(options_.height));
    const Dither::Known like = known ? Dither::Known{known->rgb.data(), known->indices.get()} : Dither::Known{};
    dither_->map(picture.rgb.data(), options_.width, options_.height, picture.indices.get(), like);
    picture.table = ownTable(*palette_, picture.rgb.data(), options_.width, options_.height, picture.indices.get());
  }
  void encode(Picture& picture, const Picture* previous) override {
    const auto shown = [](const Picture& p) {
      return p.table ? Indexed{p.table->indices.data(), p.table.get()} : Indexed{p.indices.get(), nullptr};
    };
    picture.encoded = frames_.encode(previous ? shown(*previous) : Indexed{}, shown(picture));
  }
  std::uint64_t write(Picture& picture) override {
    const Bytes frame = std::move(picture.encoded);
    file_.write(frame.data(), frame.size());
    if (picture.number == 1) first_bytes_ = file_.bytes();
    if (options_.max_bytes > 0 && file_.bytes() + 1 > options_.max_bytes) refuseSize(picture.number);  // and a trailer
    return file_.bytes();
  }
  // The file is the one that the last scene would have made from the start.
  std::uint64_t complete(const std::string& scene) override {
    if (!scene.empty() && !file_.temporary().empty()) {
      checkScene(scene);
      const Bytes header = headerWith(scene);
      file_.replaceFront(header_bytes_, header.data(), header.size());
    }
    file_.write(&kGifTrailer, 1);
    file_.complete();
    return file_.bytes();
  }
  std::vector<Placement> placements() const override { return placementsOf(file_); }
  void placed() noexcept override { file_.placed(); }

 private:
  Bytes headerWith(const std::string& scene) const {
    return gifHeader(options_.width, options_.height, *palette_, options_.loop, scene);
  }
  [[noreturn]] void refuseSize(std::int64_t frames) const {
    const std::uint64_t whole =
        std::max(estimatedBytes(first_bytes_, file_.bytes(), frames, options_.expected_frames), file_.bytes() + 1);
    // Bytes grow about as the area does.
    const double scale = 0.95 * std::sqrt(static_cast<double>(options_.max_bytes) / static_cast<double>(whole));
    throw GifTooLarge(
        fmt::format(
            "the GIF would take about {}, more than the limit of {}: choose about {}x{} pixels, or every {} frame",
            byteText(whole), byteText(options_.max_bytes), evenSide(options_.width * scale),
            evenSide(options_.height * scale), ordinal(std::max(2.0, std::ceil(1 / (scale * scale))))),
        whole);
  }

  const GifOptions options_;
  std::optional<Palette> palette_;  // of the first picture
  std::optional<Dither> dither_;
  FrameEncoder frames_;
  PendingFile file_;
  std::uint64_t header_bytes_ = 0, first_bytes_ = 0;  // first_bytes_: with the first frame
};

}  // namespace

int gifDelay(double fps) {
  constexpr double kTolerance = 0.01;
  constexpr int kLongestDelay = 65535;
  const auto rate = [](int delay) { return 100.0 / delay; };
  if (!(fps > 0) || !std::isfinite(fps)) {
    throw UsageError(
        fmt::format("fps: {} frames per second is not possible: choose {:.4g} to 50", fps, rate(kLongestDelay)));
  }
  // The nearest rate is one of the two delays around the exact one.
  const int below = static_cast<int>(std::clamp(std::floor(100.0 / fps), 2.0, static_cast<double>(kLongestDelay)));
  const int above = std::min(below + 1, kLongestDelay);
  const int best = std::abs(rate(below) - fps) <= std::abs(rate(above) - fps) ? below : above;
  if (std::abs(rate(best) - fps) <= kTolerance * fps) {
    return best;
  }
  throw UsageError(
      fmt::format("fps: a GIF cannot play at {:.6g} frames per second, because its frames last whole hundredths of a "
                  "second, at least 2: the nearest rate is {:.4g} (50, 33.33, 25, 20, 16.67, ...)",
                  fps, rate(best)));
}

std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, GifOptions options) {
  return std::make_unique<GifWriter>(target, std::move(options));
}

}  // namespace simscope::exporting
