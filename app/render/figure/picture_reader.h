// Reads drawn pictures back without stalling: from a GPU through a ring of pixel buffers, each with a fence. Software
// OpenGL copies on the calling thread, which would have to wait for the drawing: there a picture is copied as late as
// possible, before the next one is painted over it, so that the CPU computes and prepares the next one meanwhile.
//
// Owner: of the buffers and fences. Thread: the GL context's. Errors: simscope::Error (GL, or a driver that hangs),
// UsageError (more reads started than Figure::kReadsInFlight, or none to take).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/figure/tile.h"
#include "app/render/gl/gl_objects.h"

namespace simscope::render {

class PictureReader {
 public:
  explicit PictureReader(bool software) : software_(software) {}
  struct Source {
    GLuint framebuffer = 0;
    Tile place;  // within the picture
  };
  // The pieces of a picture of this size; they must not change until collect() or take().
  void start(const std::vector<Source>& sources, int width, int height);
  // From now on the pieces may be painted over.
  void collect();
  int inFlight() const noexcept { return in_flight_; }
  std::vector<std::uint8_t> take();  // RGB, top row first

 private:
  struct Slot {
    GlBuffer pixels;
    GlSync done;
    std::size_t capacity = 0;
    std::vector<Source> later;         // with software OpenGL, until they are copied
    std::vector<std::uint8_t> copied;  // RGBA, bottom row first
    int width = 0, height = 0;
  };
  void collect(Slot& slot);
  void readInto(void* pixels, const std::vector<Source>& sources, int width, int height);

  const bool software_;
  std::array<Slot, Figure::kReadsInFlight> slots_;
  int oldest_ = 0, in_flight_ = 0;
};

}  // namespace simscope::render
