// Memory of a CUDA device that the devices beside it, and other processes, can map as it lies: by the driver's virtual
// memory, which plain allocations are not made of. In pieces of 2 MiB.
//
// Owner: the object. Thread: any. Errors: none; empty where there is no such memory, or not enough. Freed at once: what
// still uses it must have ended. Include where SIMSCOPE_HAVE_CUDA is 1 only.
#pragma once

#include <cstddef>

namespace simscope::compute {

class CudaSharedMemory {
 public:
  CudaSharedMemory(int device, std::size_t bytes) noexcept;
  ~CudaSharedMemory();
  CudaSharedMemory(CudaSharedMemory&& other) noexcept;
  CudaSharedMemory(const CudaSharedMemory&) = delete;
  CudaSharedMemory& operator=(const CudaSharedMemory&) = delete;

  void* get() const noexcept { return address_; }

 private:
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace simscope::compute
