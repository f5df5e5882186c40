#include "sims/compute/cuda/cuda_shared_memory.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <utility>
#include <vector>

#include "sims/compute/cuda/cuda_library.h"

namespace simscope::compute {
namespace {

CudaLibrary& driver() {
  static CudaLibrary library("the NVIDIA driver", "libcuda.so.1");
  return library;
}
#define SIMSCOPE_DRIVER(name) SIMSCOPE_CUDA_FUNCTION(driver(), name)

CUdeviceptr devicePointer(void* address) {
  return reinterpret_cast<CUdeviceptr>(address);
}

// This device, and those beside it that can reach its memory.
std::vector<CUmemAccessDesc> everybody(int device) {
  int count = 0;
  (void)cudaGetDeviceCount(&count);
  std::vector<CUmemAccessDesc> all;
  for (int each = 0; each < count; ++each) {
    int reaches = each == device ? 1 : 0;
    if (reaches == 0 && cudaDeviceCanAccessPeer(&reaches, each, device) != cudaSuccess) (void)cudaGetLastError();
    if (reaches == 0) continue;
    CUmemAccessDesc access{};
    access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.location.id = each;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    all.push_back(access);
  }
  return all;
}

}  // namespace

CudaSharedMemory::CudaSharedMemory(int device, std::size_t bytes) noexcept {
  try {
    CUmemAllocationProp kind{};
    kind.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    kind.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    kind.location.id = device;
    kind.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    std::size_t piece = 0;
    if (SIMSCOPE_DRIVER(cuMemGetAllocationGranularity)(&piece, &kind, CU_MEM_ALLOC_GRANULARITY_MINIMUM) !=
        CUDA_SUCCESS) {
      return;
    }
    bytes = (bytes + piece - 1) / piece * piece;
    CUmemGenericAllocationHandle memory = 0;
    if (SIMSCOPE_DRIVER(cuMemCreate)(&memory, bytes, &kind, 0) != CUDA_SUCCESS) return;
    CUdeviceptr address = 0;
    if (SIMSCOPE_DRIVER(cuMemAddressReserve)(&address, bytes, 0, 0, 0) == CUDA_SUCCESS) {
      const std::vector<CUmemAccessDesc> all = everybody(device);
      if (SIMSCOPE_DRIVER(cuMemMap)(address, bytes, 0, memory, 0) != CUDA_SUCCESS) {
        (void)SIMSCOPE_DRIVER(cuMemAddressFree)(address, bytes);
      } else if (SIMSCOPE_DRIVER(cuMemSetAccess)(address, bytes, all.data(), all.size()) != CUDA_SUCCESS) {
        (void)SIMSCOPE_DRIVER(cuMemUnmap)(address, bytes);
        (void)SIMSCOPE_DRIVER(cuMemAddressFree)(address, bytes);
      } else {
        address_ = reinterpret_cast<void*>(address);
        bytes_ = bytes;
      }
    }
    (void)SIMSCOPE_DRIVER(cuMemRelease)(memory);  // what is mapped stays until it is not
  } catch (...) {                                 // a driver without these functions
  }
}

CudaSharedMemory::~CudaSharedMemory() {
  if (!address_) return;
  (void)SIMSCOPE_DRIVER(cuMemUnmap)(devicePointer(address_), bytes_);
  (void)SIMSCOPE_DRIVER(cuMemAddressFree)(devicePointer(address_), bytes_);
}

CudaSharedMemory::CudaSharedMemory(CudaSharedMemory&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), bytes_(other.bytes_) {}

}  // namespace simscope::compute
