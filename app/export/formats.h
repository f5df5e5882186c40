// The formats of recordings: the options of each, and their limits.
//
// Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::exporting {

// The options of every format.
struct PictureOptions {
  int width = 0, height = 0;
  double fps = 25;    // GIF: 50, 33⅓, 25, 20, ...: whole hundredths of a second per frame, at least 2
  std::string scene;  // JSON to embed in GIF, PNG, and APNG; empty: none. Videos carry none.
  bool overwrite = false;
  std::int64_t expected_frames = 0;  // for progress, and for the digits of numbered files; 0: unknown
};

struct GifOptions : PictureOptions {
  int loop = 0;  // how often it plays; 0: endless
  // Colours that should be reproduced exactly (0xRRGGBB), in the order of their importance: those of the theme and the
  // colour table, at most 255 different ones. The colours that fill areas of the first picture are exact, too, and come
  // first (gif/solid_colours.h). The other palette entries, up to 255, are spread over the colour cube; all other
  // colours are mixed from these by an ordered dither.
  std::vector<std::uint32_t> exact_colours;
  std::uint64_t max_bytes = 0;  // above it: GifTooLarge; 0: no bound. gif_plan.h predicts what fits
};

// Numbered files: for the target "name.png", name0001.png, name0002.png, ...; four digits, or as many as the expected
// number of frames needs, or six if that is unknown. They wait in a hidden folder and get their names all together,
// when the last one is complete; until then none of them is visible. Existing files are refused at the start if the
// number of frames is known, else at their turn. With `overwrite` they are replaced by that last step and stay
// unchanged if the recording fails or is cancelled; files with higher numbers are not touched.
struct SequenceOptions : PictureOptions {
  bool scene_in_each = true;  // or only in the first
};

// Animated PNG, truecolour: every colour is reproduced exactly, at any frame rate (browsers show 90 at most).
struct ApngOptions : PictureOptions {
  int loop = 0;  // how often it plays; 0: endless
};

enum class VideoFormat {
  Mp4,   // H.264, 4:2:0, for every player; index at the front
  Webm,  // VP9, 4:2:0
  Webp,  // animated WebP, lossless
  Mkv,   // FFV1, lossless: RGB values are unchanged
};
constexpr bool needsEvenSides(VideoFormat format) {
  return format == VideoFormat::Mp4 || format == VideoFormat::Webm;
}
// Made by the program ffmpeg, found on the PATH. Mp4 and Webm need even sides: an odd side is extended by a copy of the
// last pixel.
struct VideoOptions : PictureOptions {
  VideoFormat format = VideoFormat::Mp4;
  int loop = 0;  // how often a Webp plays; 0: endless
};

using EncoderOptions = std::variant<GifOptions, ApngOptions, SequenceOptions, VideoOptions>;

// Hundredths of a second per frame for `fps` (within 1 %: 33.3 counts as 33⅓); UsageError with the nearest rate that a
// GIF can express.
int gifDelay(double fps);

// Seconds per frame as a fraction of two 16-bit numbers: exact for 25, 29.97, or 33⅓ frames a second. UsageError if
// they cannot express it.
struct ApngDelay {
  int numerator = 1, denominator = 25;
  bool operator==(const ApngDelay&) const = default;
};
ApngDelay apngDelay(double fps);

// The recording exceeded GifOptions::max_bytes.
class GifTooLarge : public Error {
 public:
  GifTooLarge(const std::string& message, std::uint64_t estimated_bytes)
      : Error(message), estimated_bytes_(estimated_bytes) {}
  std::uint64_t estimatedBytes() const noexcept { return estimated_bytes_; }  // of all frames, from those encoded

 private:
  std::uint64_t estimated_bytes_;
};

}  // namespace simscope::exporting
