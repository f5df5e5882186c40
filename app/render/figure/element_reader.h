// Reads single elements of a frame's channels: a point, the cells along a line. Host memory is read at once; device
// memory through OpenGL, where a compute program gathers them into a small buffer, which is read once its fence has
// been passed. Neither copies a whole field or waits.
//
// Owner: of the buffers and the fence. Thread: the GL context's. Errors: simscope::Error (GL).
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
  // `through_gl`: also for host memory (for tests).
  explicit ElementReader(bool through_gl) : through_gl_(through_gl) {}
  // Channels on a device that the figure has not drawn in this frame are first transferred to OpenGL as a whole. False:
  // another read is still under way. Missing channels, and elements beyond the end, are NaN.
  bool start(Transfer& transfer, const Frame& frame, const std::vector<ElementRequest>& requests);
  // For each request, the components of its elements one after another; nothing while they are not ready, or without a
  // request.
  std::optional<std::vector<std::vector<float>>> take();

 private:
  struct Waiting {
    std::size_t request, first, offset;  // offsets among the indices and among the floats
  };
  void gather(unsigned values, const Channel& channel, std::size_t count, const Waiting& at);

  const bool through_gl_;
  bool reading_ = false;
  std::unique_ptr<Program> program_;  // made when first needed
  GlBuffer indices_, gathered_;
  std::size_t indices_room_ = 0, gathered_room_ = 0;  // bytes
  GlSync done_;
  std::vector<std::vector<float>> values_;
  std::vector<Waiting> waiting_;
};

}  // namespace simscope::render
