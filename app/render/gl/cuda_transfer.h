// Copies CUDA memory into OpenGL buffers: device to device if OpenGL runs on the same GPU, else through pinned memory.
// The first copy attempt decides which. Compiled only where SIMSCOPE_HAVE_CUDA is 1.
//
// Owner: of the stream, the pinned memory, and the registrations of GL buffers (which must be removed before the buffer
// is deleted). Thread: the one whose GL context is current. Errors: simscope::Error naming the CUDA call.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "sims/compute/device.h"

namespace simscope::render {

class CudaTransfer {
 public:
  explicit CudaTransfer(int device);  // CUDA's index
  ~CudaTransfer();
  CudaTransfer(const CudaTransfer&) = delete;
  CudaTransfer& operator=(const CudaTransfer&) = delete;

  int device() const noexcept;
  bool interop() const noexcept;
  const std::string& text() const noexcept;     // for the status line
  static std::size_t registrations() noexcept;  // in the whole process, now; any thread

  // False from copy(): CUDA cannot access OpenGL's buffer; from then on interop() is false, and text() has the reason.
  // Copies `bytes` after `ready` and waits until `from` may be overwritten: with interop into a GL buffer, without into
  // pinned memory, which is unchanged until the next call.
  bool copy(unsigned gl_buffer, const void* from, std::size_t bytes, const compute::Fence& ready);
  const void* toHost(const void* from, std::size_t bytes, const compute::Fence& ready);
  void forget(unsigned gl_buffer) noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
