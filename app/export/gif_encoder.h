// The blocks of an animated GIF, made in memory: header (by giflib), frames, trailer.
//
// Owner: each FrameEncoder owns its memory; one thread uses it at a time, any number work side by side, because a
// frame depends on nothing but the indices of its own picture and of the one before.
// Source: CompuServe's GIF89a specification (1990); the loop extension is Netscape's.
// Errors: Error where giflib fails (out of memory), std::bad_alloc.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/export/palette.h"

namespace simscope::exporting {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::uint8_t kGifTrailer = 0x3b;

// Signature, screen, palette, loop and comment.
Bytes gifHeader(int width, int height, const Palette& palette, int loop, const std::string& comment);

class FrameEncoder {
 public:
  FrameEncoder(int width, int height, int delay);
  ~FrameEncoder();
  FrameEncoder(const FrameEncoder&) = delete;
  FrameEncoder& operator=(const FrameEncoder&) = delete;

  // The blocks of one frame: the rectangle that changed (one pixel where nothing did), shown for `delay` hundredths.
  // `previous` is null for the first picture. Indices: width·height, top row first.
  Bytes encode(const std::uint8_t* previous, const std::uint8_t* current);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::exporting
