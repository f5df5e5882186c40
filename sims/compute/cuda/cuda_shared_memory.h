// Memory of a CUDA device that the devices beside it, and other processes, can map as it lies: by the driver's virtual
// memory, which plain allocations are not made of. In pieces of 2 MiB.
//
// Owner: the object. Thread: any. Errors: none; empty where there is no such memory, or not enough. Freed at once: what
// still uses it must have ended. Include where SIMSCOPE_HAVE_CUDA is 1 only.
#pragma once

#include <cstddef>
#include <vector>

#include "sims/compute/ranks/files.h"

namespace simscope::compute {

class CudaSharedMemory {
 public:
  CudaSharedMemory() = default;
  CudaSharedMemory(int device, std::size_t bytes) noexcept;
  // The same memory once more, for kernels of that device, wherever it lies: of another process by the file that it has
  // made of it, of this one by its address there. What is mapped stays mapped until the last owner releases it. bytes:
  // its size().
  static CudaSharedMemory ofFile(int file, std::size_t bytes, int device) noexcept;
  static CudaSharedMemory ofAddress(void* address, std::size_t bytes, int device) noexcept;
  ~CudaSharedMemory();
  CudaSharedMemory(CudaSharedMemory&& other) noexcept;
  CudaSharedMemory(const CudaSharedMemory&) = delete;
  CudaSharedMemory& operator=(CudaSharedMemory&& other) noexcept;

  void* get() const noexcept { return address_; }
  std::size_t size() const noexcept { return bytes_; }  // the bytes asked for, in whole pieces
  UniqueFile file() const noexcept;                     // for other processes; none where the driver gives none

 private:
  void map(unsigned long long memory, std::size_t bytes, const std::vector<int>& devices);
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace simscope::compute
