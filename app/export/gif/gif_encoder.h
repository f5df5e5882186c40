// The blocks of an animated GIF, made in memory: header (by giflib), frames, trailer.
//
// Thread: any number at once, also with one FrameEncoder: a frame depends only on the indices of its own picture and of
// the previous one.
// Source: CompuServe's GIF89a specification (1990); the loop extension is Netscape's.
// Errors: Error if giflib fails (out of memory), std::bad_alloc.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/export/gif/palette.h"
#include "app/export/gif/solid_colours.h"

namespace simscope::exporting {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::uint8_t kGifTrailer = 0x3b;

// Signature, screen, palette, comment, and how often it plays (0: endlessly).
Bytes gifHeader(int width, int height, const Palette& palette, int loop, const std::string& comment);

// A picture: width·height indices, top row first, into the palette, or into a table of its own. It points there.
struct Indexed {
  const std::uint8_t* indices = nullptr;
  const OwnTable* table = nullptr;  // null: the palette
};

class FrameEncoder {
 public:
  FrameEncoder(int width, int height, int delay) : width_(width), height_(height), delay_(delay) {}

  // The blocks of one frame: the rectangle that changed (one pixel if nothing did), shown for `delay` hundredths, with
  // a table of its own where it needs one. `previous` has no indices for the first picture.
  Bytes encode(Indexed previous, Indexed current);
  Bytes encode(const std::uint8_t* previous, const std::uint8_t* current) {
    return encode(Indexed{previous, nullptr}, Indexed{current, nullptr});
  }

 private:
  const int width_, height_, delay_;
  std::atomic<std::size_t> largest_ = 0;  // the largest frame so far, in bytes: memory to reserve for the next one
};

}  // namespace simscope::exporting
