// Reads drawn pictures back without stalling: a ring of pixel buffers, each with a fence.
//
// Owner: the buffers and fences. Thread: the GL context's. Errors: simscope::Error (GL, or a driver that hangs),
// UsageError (more reads started than Figure::kReadsInFlight, or none to take).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/render/figure.h"
#include "app/render/gl_objects.h"
#include "app/render/tile.h"

namespace simscope::render {

class PictureReader {
 public:
  struct Source {
    GLuint framebuffer = 0;
    Tile place;  // within the picture
  };
  // The pieces of a picture of this size.
  void start(const std::vector<Source>& sources, int width, int height);
  int inFlight() const noexcept { return in_flight_; }
  std::vector<std::uint8_t> take();  // RGB, top row first

 private:
  struct Slot {
    GlBuffer pixels;
    GlSync done;
    std::size_t capacity = 0;
    int width = 0, height = 0;
  };
  std::array<Slot, Figure::kReadsInFlight> slots_;
  int oldest_ = 0, in_flight_ = 0;
};

}  // namespace simscope::render
