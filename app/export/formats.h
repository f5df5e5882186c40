// The formats of recordings: what each can be told, and what it refuses.
//
// Plain data; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::exporting {

// What every format takes.
struct PictureOptions {
  int width = 0, height = 0;
  double fps = 25;    // GIF: 50, 33⅓, 25, 20, ... : whole hundredths of a second a frame, never under 2
  std::string scene;  // JSON to embed in GIF, PNG, and APNG; empty: none. Videos carry none.
  bool overwrite = false;
  std::int64_t expected_frames = 0;  // for progress, and for the digits of numbered files; 0: unknown
};

struct GifOptions : PictureOptions {
  int loop = 0;  // repetitions; 0: for ever
  // Colours that must come out exact (0xRRGGBB): those of the theme and the colour table, at most 255 different ones.
  // The rest of the 255 are spread over the colour cube; other colours are mixed of these by an ordered dither.
  std::vector<std::uint32_t> exact_colours;
  std::uint64_t max_bytes = 0;  // GifTooLarge beyond it; 0: no bound. gif_plan.h says what fits before.
};

// Numbered files: of the target "name.png", name0001.png, name0002.png, ... ; four digits, or as many as the expected
// number of frames takes, or six where that is unknown. They wait in a hidden folder and get their names all together,
// when the last one is complete; until then nothing is seen of them. Existing files are refused at the start where the
// number of frames is known, else when their turn comes. With `overwrite` they are replaced by that last step and stay
// as they are if the recording fails or is cancelled; files with higher numbers are left alone.
struct SequenceOptions : PictureOptions {
  bool scene_in_each = true;  // or in the first alone
};

// Animated PNG, truecolour: every colour of every picture comes out exact, at any rate.
struct ApngOptions : PictureOptions {
  int loop = 0;  // how often it plays; 0: for ever
};

enum class VideoFormat {
  Mp4,   // H.264, 4:2:0, every player; index in front
  Webm,  // VP9, 4:2:0
  Webp,  // animated WebP, lossless
  Mkv,   // FFV1, lossless: the RGB values come back as they were
};
// By the program ffmpeg, found on the PATH. Mp4 and Webm have even sides: an odd one grows by a copy of the last pixel.
struct VideoOptions : PictureOptions {
  VideoFormat format = VideoFormat::Mp4;
  int loop = 0;  // of Webp: repetitions; 0: for ever
};

using EncoderOptions = std::variant<GifOptions, ApngOptions, SequenceOptions, VideoOptions>;

// Hundredths of a second per frame for `fps` (within 1 %: 33.3 is 33⅓); UsageError with the nearest that a GIF can
// express.
int gifDelay(double fps);

// Seconds per frame as a fraction of two numbers of 16 bits: exact for 25, 29.97, or 33⅓ frames a second. UsageError
// where they cannot tell it.
struct ApngDelay {
  int numerator = 1, denominator = 25;
  bool operator==(const ApngDelay&) const = default;
};
ApngDelay apngDelay(double fps);

// The recording passed GifOptions::max_bytes.
class GifTooLarge : public Error {
 public:
  GifTooLarge(const std::string& message, std::uint64_t estimated_bytes)
      : Error(message), estimated_bytes_(estimated_bytes) {}
  std::uint64_t estimatedBytes() const noexcept { return estimated_bytes_; }  // of all frames, from those encoded

 private:
  std::uint64_t estimated_bytes_;
};

}  // namespace simscope::exporting
