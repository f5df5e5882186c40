// Videos: the user's ffmpeg reads the pictures from a pipe and writes the temporary file, which is renamed when both
// are done. The encoder's options are in a table below.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "app/export/child_process.h"
#include "app/export/files.h"
#include "app/export/picture_writer.h"
#include "app/export/video_check.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kErrorBytes = 1500;  // of what ffmpeg said, in a message

struct FfmpegEncoder {
  std::string_view name;
  std::vector<std::string_view> options;
};

struct Codec {
  const char* what;            // in messages
  std::string_view container;  // ffmpeg's muxer
  int largest_side;
  std::vector<FfmpegEncoder> encoders;  // the first that this ffmpeg has
  std::vector<std::string_view> container_options;
};

// Rates are for pictures with sharp lines: no visible loss.
Codec codecOf(VideoFormat format) {
  switch (format) {
    case VideoFormat::Mp4:
      return {"an MP4 video",
              "mp4",
              16384,
              {{"libx264", {"-preset", "medium", "-crf", "17"}}, {"libopenh264", {"-b:v", "20M"}}},
              {"-movflags", "+faststart"}};
    case VideoFormat::Webm:
      return {"a WebM video",
              "webm",
              16384,
              {{"libvpx-vp9", {"-crf", "22", "-b:v", "0", "-deadline", "good", "-cpu-used", "3", "-row-mt", "1"}}},
              {}};
    case VideoFormat::Webp:
      return {"an animated WebP",
              "webp",
              16383,
              {{"libwebp_anim", {"-lossless", "1", "-compression_level", "3", "-pix_fmt", "bgra"}}},
              {}};
    case VideoFormat::Mkv:
      break;
  }
  return {"an MKV video",
          "matroska",
          32766,
          {{"ffv1", {"-level", "3", "-g", "1", "-slices", "16", "-slicecrc", "1", "-pix_fmt", "bgr0"}}},
          {}};
}

std::filesystem::path ffmpeg() {
  const auto program = findProgram("ffmpeg");
  if (!program) {
    throw UsageError(
        "recording a video needs the program ffmpeg, which is not on the PATH: install the package ffmpeg, or record "
        "a GIF or PNG pictures");
  }
  return *program;
}

std::string reason(const ChildProcess& process) {
  const std::string said = process.lastErrors(kErrorBytes);
  return said.empty() ? std::string() : ":\n" + said;
}

// The first of the codec's encoders that this ffmpeg has.
const FfmpegEncoder& available(const std::filesystem::path& program, const Codec& codec) {
  ChildProcess list(program, {"-hide_banner", "-loglevel", "error", "-encoders"});
  list.closeInput();
  if (const std::string failure = list.wait(); !failure.empty()) {
    throw UsageError(fmt::format("cannot use '{}': it {}{}", program.string(), failure, reason(list)));
  }
  std::istringstream words(list.output());
  std::vector<std::string> names;
  for (std::string word; words >> word;) {
    names.push_back(word);
  }
  std::vector<std::string_view> wanted;
  for (const FfmpegEncoder& encoder : codec.encoders) {
    if (std::find(names.begin(), names.end(), encoder.name) != names.end()) {
      return encoder;
    }
    wanted.push_back(encoder.name);
  }
  throw UsageError(
      fmt::format("'{}' cannot encode {}: it was built without {}; install a full build (package ffmpeg), or choose "
                  "another format (.mkv, .gif)",
                  program.string(), codec.what, fmt::join(wanted, " and ")));
}

std::vector<std::string> arguments(const VideoOptions& options, const Codec& codec, const FfmpegEncoder& encoder,
                                   int width, int height, const std::filesystem::path& target) {
  std::vector<std::string> list{"-hide_banner",
                                "-loglevel",
                                "error",
                                "-nostats",
                                "-y",
                                "-f",
                                "rawvideo",
                                "-pix_fmt",
                                "rgb24",
                                "-video_size",
                                fmt::format("{}x{}", width, height),
                                "-framerate",
                                fmt::format("{:.9g}", options.fps),
                                "-i",
                                "pipe:0",
                                "-an"};
  const auto append = [&](const std::vector<std::string_view>& more) {
    list.insert(list.end(), more.begin(), more.end());
  };
  append({"-c:v", encoder.name});
  append(encoder.options);
  if (needsEvenSides(options.format)) {
    // In full, or players guess by the size; and chroma is averaged, not picked.
    append({"-vf",
            "scale=out_range=tv:out_color_matrix=bt709:flags=lanczos+accurate_rnd+full_chroma_int,format=yuv420p",
            "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "iec61966-2-1"});
  }
  append(codec.container_options);
  if (options.format == VideoFormat::Webp) {
    append({"-loop", std::to_string(options.loop)});
  }
  // No times and no random numbers in the file: equal pictures, equal bytes. The name may hold anything but is a file.
  append({"-fflags", "+bitexact", "-flags:v", "+bitexact", "-f", codec.container});
  list.push_back("file:" + target.string());
  return list;
}

// ffmpeg refuses pictures whose rows of eight bytes a pixel, with some room around them, pass 2 GiB.
void requireArea(const Codec& codec, int width, int height) {
  const std::int64_t row = 8 * static_cast<std::int64_t>(width) + 1024;
  const std::int64_t highest = (INT_MAX - 1) / row - 128;
  if (height > highest) {
    throw UsageError(fmt::format("{} of {}x{} pixels is too large for ffmpeg: choose {}x{} at most", codec.what, width,
                                 height, width, highest / 2 * 2));
  }
}

class VideoWriter final : public PictureWriter {
 public:
  VideoWriter(const std::filesystem::path& target, const VideoOptions& options)
      : width_(options.width), height_(options.height), format_(options.format), fps_(options.fps) {
    const Codec codec = codecOf(options.format);
    checkPictureOptions(options, codec.what, codec.largest_side);
    checkLoop(options.loop, codec.what);
    const int more = needsEvenSides(options.format) ? 1 : 0;
    even_width_ = width_ + more * (width_ % 2);
    even_height_ = height_ + more * (height_ % 2);
    requireArea(codec, even_width_, even_height_);
    const std::filesystem::path program = ffmpeg();
    const FfmpegEncoder& encoder = available(program, codec);
    requireRegular(target, codec.what);  // opening a pipe without a reader would block
    file_.emplace(target, options.overwrite);
    encoder_.emplace(program, arguments(options, codec, encoder, even_width_, even_height_, file_->temporary()));
  }

  int mostThreads() const override { return 1; }

  std::uint64_t write(Picture& picture) override {
    const std::vector<std::uint8_t> pixels = evened(std::move(picture.rgb));
    if (!encoder_->write(pixels.data(), pixels.size())) {
      fail(encoder_->wait());
    }
    frames_ = picture.number;
    return size();
  }
  std::uint64_t complete(const std::string&) override {
    encoder_->closeInput();
    const std::string failure = encoder_->wait();
    if (!failure.empty() || size() == 0) {
      fail(failure);
    }
    // ffmpeg ends with status 0 also where the disk was full for the last bytes, and may say nothing.
    if (const std::string flaw = flawOf(file_->temporary(), format_, frames_, fps_); !flaw.empty()) {
      fail(fmt::format("made a video that {}", flaw));
    }
    file_->complete();
    return bytes_;
  }
  void interrupt() noexcept override { encoder_->kill(); }
  std::vector<Placement> placements() const override { return placementsOf(*file_); }
  void placed() noexcept override { file_->placed(); }

 private:
  [[noreturn]] void fail(const std::string& how) const {
    const std::string full = writeFailure(file_->temporary());
    throw Error(fmt::format("cannot write '{}': {}ffmpeg {}; the partial file was deleted{}", file_->target().string(),
                            full.empty() ? "" : full + " (", how.empty() ? "ended without a video" : how,
                            (full.empty() ? "" : ")") + reason(*encoder_)));
  }
  // A copy of the last column and row where the encoder wants even sides.
  std::vector<std::uint8_t> evened(std::vector<std::uint8_t> rgb) const {
    if (even_width_ == width_ && even_height_ == height_) {
      return rgb;
    }
    const std::size_t row = static_cast<std::size_t>(width_) * 3, even_row = static_cast<std::size_t>(even_width_) * 3;
    std::vector<std::uint8_t> even(even_row * even_height_);
    for (int y = 0; y < even_height_; ++y) {
      const std::uint8_t* from = rgb.data() + row * static_cast<std::size_t>(std::min(y, height_ - 1));
      std::uint8_t* to = even.data() + even_row * static_cast<std::size_t>(y);
      std::memcpy(to, from, row);
      std::memcpy(to + even_row - 3, from + row - 3, 3);
    }
    return even;
  }
  // Of the file so far.
  std::uint64_t size() {
    std::error_code ignored;
    const auto now = std::filesystem::file_size(file_->temporary(), ignored);
    if (!ignored) bytes_ = std::max<std::uint64_t>(bytes_, now);
    return bytes_;
  }

  const int width_, height_;
  const VideoFormat format_;
  const double fps_;
  std::int64_t frames_ = 0;  // written
  int even_width_ = 0, even_height_ = 0;
  std::optional<PendingFile> file_;
  std::optional<ChildProcess> encoder_;  // killed before the file is removed
  std::uint64_t bytes_ = 0;              // of the file when it was looked at last
};

}  // namespace

std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, VideoOptions options) {
  return std::make_unique<VideoWriter>(target, options);
}

}  // namespace simscope::exporting
