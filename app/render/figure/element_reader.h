// Reads single elements of a frame's channels: a point, the cells along a line. From the host's memory at once; from a
// device's through OpenGL, where a compute program gathers them into a small buffer that is read once its fence has
// been passed. Neither copies a field, nor does anything wait.
//
// Owner: the buffers and the fence. Thread: the GL context's. Errors: simscope::Error (GL).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"
#include "app/render/gl/transfer.h"
#include "sims/core/frame.h"

namespace simscope::render {

class ElementReader {
 public:
  // `through_gl`: what lies in the host's memory, too (for tests).
  explicit ElementReader(bool through_gl) : through_gl_(through_gl) {}
  // Channels that the figure has not drawn in this frame are brought to OpenGL first, where they lie on a device:
  // whole. False: others are being read still. Channels that the frame lacks, and elements beyond their ends, are NaN.
  bool start(Transfer& transfer, const Frame& frame, const std::vector<ElementRequest>& requests);
  // Of each request, the components of its elements one after another; nothing yet, or nothing asked for.
  std::optional<std::vector<std::vector<float>>> take();

 private:
  struct Waiting {
    std::size_t request, first, offset;  // its place among the indices, and among the floats
  };
  void gather(unsigned values, const Channel& channel, std::size_t count, const Waiting& at);

  const bool through_gl_;
  bool reading_ = false;
  std::unique_ptr<Program> program_;  // made where first needed
  GlBuffer indices_, gathered_;
  std::size_t indices_room_ = 0, gathered_room_ = 0;  // bytes
  GlSync done_;
  std::vector<std::vector<float>> values_;
  std::vector<Waiting> waiting_;
};

}  // namespace simscope::render
