// From CUDA memory into OpenGL buffers: device to device where OpenGL runs on the same GPU, else through pinned memory.
// Which of the two is found once, by trying. Compiled only where SIMSCOPE_HAVE_CUDA is 1.
//
// Owner: the stream, the pinned memory, and the registrations of GL buffers (which must be forgotten before the
// buffer is deleted). Thread: the one whose GL context is current. Errors: simscope::Error naming the CUDA call.
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
  static std::size_t registrations() noexcept;  // of all in the process, now; any thread

  // False from copy(): OpenGL's buffer cannot be had by CUDA; from then on interop() is false, and text() says why.
  // Copies `bytes` behind `ready` and waits until `from` may be written again: with interop into a GL buffer, without
  // into pinned memory, which stays as it is until the next call.
  bool copy(unsigned gl_buffer, const void* from, std::size_t bytes, const compute::Fence& ready);
  const void* toHost(const void* from, std::size_t bytes, const compute::Fence& ready);
  void forget(unsigned gl_buffer) noexcept;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
