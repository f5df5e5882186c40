// Memory of a CUDA device that other devices and other processes can map: it uses the driver's virtual memory, which
// plain allocations do not. In pieces of 2 MiB.
//
// Owner: the object. Thread: any. Errors: none; empty where there is no such memory, or not enough. It is freed at
// once: all work that uses it must have ended. Include only where SIMSCOPE_HAVE_CUDA is 1.
#pragma once

#include <cstddef>
#include <vector>

#include "sims/compute/ranks/files.h"

namespace simscope::compute {

class CudaSharedMemory {
 public:
  CudaSharedMemory() = default;
  CudaSharedMemory(int device, std::size_t bytes) noexcept;
  // Maps the same memory again, for kernels of that device: memory of another process by its exported file, of this
  // process by its address. Mapped memory exists until the last owner releases it. bytes: its size().
  static CudaSharedMemory ofFile(int file, std::size_t bytes, int device) noexcept;
  static CudaSharedMemory ofAddress(void* address, std::size_t bytes, int device) noexcept;
  ~CudaSharedMemory();
  CudaSharedMemory(CudaSharedMemory&& other) noexcept;
  CudaSharedMemory(const CudaSharedMemory&) = delete;
  CudaSharedMemory& operator=(CudaSharedMemory&& other) noexcept;

  void* get() const noexcept { return address_; }
  std::size_t size() const noexcept { return bytes_; }  // the requested bytes, in whole pieces
  UniqueFile file() const noexcept;                     // for other processes; empty where the driver gives none

 private:
  void map(unsigned long long memory, std::size_t bytes, const std::vector<int>& devices);
  void* address_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace simscope::compute
