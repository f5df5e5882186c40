// Animated PNGs: the first picture as in any PNG, then the rectangles that change, in truecolour. The number of frames
// and the scene are at the front, before the pixels, and are rewritten at the end.
// Sources: the W3C's PNG specification, third edition, sections 4.9 and 11.3.6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "app/export/files.h"
#include "app/export/picture_writer.h"
#include "app/export/png.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr int kLargestApng = 26000;  // the writer of PNGs counts the bytes of a picture in an int

struct Changed {
  int left = 0, top = 0, width = 1, height = 1;
};

// The smallest rectangle outside of which both pictures are equal; the first pixel where they are equal everywhere.
Changed changed(const std::uint8_t* before, const std::uint8_t* now, int width, int height) {
  const std::size_t row = static_cast<std::size_t>(width) * 3;
  const auto differs = [&](int y) {
    const std::size_t at = static_cast<std::size_t>(y) * row;
    return std::memcmp(before + at, now + at, row) != 0;
  };
  int top = 0, bottom = height;
  while (top < height && !differs(top)) ++top;
  if (top == height) return {};
  while (!differs(bottom - 1)) --bottom;
  std::size_t left = row, right = 0;  // bytes
  for (int y = top; y < bottom; ++y) {
    const std::uint8_t* const a = before + static_cast<std::size_t>(y) * row;
    const std::uint8_t* const b = now + static_cast<std::size_t>(y) * row;
    std::size_t x = 0;
    while (x < left && a[x] == b[x]) ++x;
    left = std::min(left, x);
    x = row;
    while (x > right && a[x - 1] == b[x - 1]) --x;
    right = std::max(right, x);
  }
  const int first = static_cast<int>(left / 3), end = static_cast<int>((right + 2) / 3);
  return {first, top, end - first, bottom - top};
}

std::string twoBytes(int value) {
  return {static_cast<char>(value >> 8), static_cast<char>(value)};
}

ApngOptions checkedApng(ApngOptions options) {
  checkPictureOptions(options, "an APNG", kLargestApng);
  checkLoop(options.loop, "an APNG");
  if ((3 * static_cast<std::int64_t>(options.width) + 1) * options.height > INT32_MAX) {
    throw UsageError(fmt::format("an APNG of {}x{} pixels cannot be written: choose 1x1 to {}x{}", options.width,
                                 options.height, kLargestApng, kLargestApng));
  }
  return options;
}

class ApngWriter final : public PictureWriter {
 public:
  ApngWriter(const std::filesystem::path& target, ApngOptions given)
      : options_(checkedApng(std::move(given))), delay_(apngDelay(options_.fps)), file_(target, options_.overwrite) {
    if (file_.temporary().empty()) {
      throw UsageError(
          "an APNG cannot be written to a device or a pipe, because its header holds the number of frames: choose a "
          "file");
    }
    const std::string front = frontWith(options_.scene);
    file_.write(front.data(), front.size());
    front_bytes_ = front.size();
  }

  // Three bytes of colour; compressed they are no more than that and a little.
  std::size_t bytesPerPixel() const override { return 6; }

  void encode(Picture& picture, const Picture* previous) override {
    const Changed r = previous ? changed(previous->rgb.data(), picture.rgb.data(), options_.width, options_.height)
                               : Changed{0, 0, options_.width, options_.height};
    // The chunks of an animation are numbered, those of IDAT aside.
    const auto number = static_cast<std::uint32_t>(picture.number == 1 ? 0 : 2 * picture.number - 3);
    std::string body = bigEndian(number);
    for (const int value : {r.width, r.height, r.left, r.top}) body += bigEndian(static_cast<std::uint32_t>(value));
    body += twoBytes(delay_.numerator) + twoBytes(delay_.denominator);
    body += {0, 0};  // the picture stays when the frame's time is over; the next one's pixels take the place of its own
    const std::string control = pngChunk("fcTL", body);
    const std::size_t stride = static_cast<std::size_t>(options_.width) * 3;
    const std::uint8_t* const rgb = picture.rgb.data() + static_cast<std::size_t>(r.top) * stride + 3 * r.left;
    const bool first = picture.number == 1;
    picture.encoded.assign(control.begin(), control.end());
    addPngPixels(picture.encoded, first ? "IDAT" : "fdAT", first ? "" : bigEndian(number + 1), rgb, r.width, r.height,
                 stride);
  }
  std::uint64_t write(Picture& picture) override {
    const std::vector<std::uint8_t> chunks = std::move(picture.encoded);
    file_.write(chunks.data(), chunks.size());
    ++frames_;
    return file_.bytes();
  }
  std::uint64_t complete(const std::string& scene) override {
    const std::string& last = scene.empty() ? options_.scene : scene;
    checkScene(last);
    const std::string front = frontWith(last), end = pngChunk("IEND", "");
    file_.replaceFront(front_bytes_, front.data(), front.size());
    file_.write(end.data(), end.size());
    file_.complete();
    return file_.bytes();
  }
  std::vector<Placement> placements() const override { return placementsOf(file_); }
  void placed() noexcept override { file_.placed(); }

 private:
  std::string frontWith(const std::string& scene) const {
    return std::string(kPngSignature) + pngHeader(options_.width, options_.height) +
           pngChunk("acTL", bigEndian(frames_) + bigEndian(static_cast<std::uint32_t>(options_.loop))) +
           (scene.empty() ? std::string() : pngSceneChunk(scene));
  }

  const ApngOptions options_;
  const ApngDelay delay_;
  PendingFile file_;
  std::uint64_t front_bytes_ = 0;
  std::uint32_t frames_ = 0;
};

}  // namespace

// By continued fractions: the best there is with such denominators.
ApngDelay apngDelay(double fps) {
  constexpr double kMost = 65535;
  const double delay = 1 / fps;
  if (!(fps > 0) || !std::isfinite(fps) || delay > kMost || fps > kMost) {
    throw UsageError(fmt::format("fps: {} frames per second is not possible: choose 1/65535 to 65535", fps));
  }
  double left = delay, p = 1, q = 0, former_p = 0, former_q = 1;
  for (;;) {
    const double whole = std::floor(left);
    const double next_p = whole * p + former_p, next_q = whole * q + former_q;
    if (next_p > kMost || next_q > kMost) break;
    former_p = std::exchange(p, next_p);
    former_q = std::exchange(q, next_q);
    const double rest = left - whole;
    if (std::abs(p / q - delay) <= 1e-14 * delay || rest <= 0) break;
    left = 1 / rest;
  }
  return {static_cast<int>(p), static_cast<int>(q)};
}

std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, ApngOptions options) {
  return std::make_unique<ApngWriter>(target, std::move(options));
}

}  // namespace simscope::exporting
