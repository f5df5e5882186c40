#include "sims/compute/cuda/cuda_shared_memory.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstdint>
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
std::vector<int> everybody(int device) {
  int count = 0;
  (void)cudaGetDeviceCount(&count);
  std::vector<int> all;
  for (int each = 0; each < count; ++each) {
    int reaches = each == device ? 1 : 0;
    if (reaches == 0 && cudaDeviceCanAccessPeer(&reaches, each, device) != cudaSuccess) (void)cudaGetLastError();
    if (reaches != 0) all.push_back(each);
  }
  return all;
}

static_assert(sizeof(CUmemGenericAllocationHandle) == sizeof(unsigned long long));

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
    map(memory, bytes, everybody(device));
  } catch (...) {  // a driver without these functions
  }
}

CudaSharedMemory CudaSharedMemory::ofFile(int file, std::size_t bytes, int device) noexcept {
  CudaSharedMemory made;
  try {
    CUmemGenericAllocationHandle memory = 0;
    void* const handle = reinterpret_cast<void*>(static_cast<std::uintptr_t>(file));
    if (SIMSCOPE_DRIVER(cuMemImportFromShareableHandle)(&memory, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) ==
        CUDA_SUCCESS) {
      made.map(memory, bytes, {device});
    }
  } catch (...) {
  }
  return made;
}

CudaSharedMemory CudaSharedMemory::ofAddress(void* address, std::size_t bytes, int device) noexcept {
  CudaSharedMemory made;
  try {
    CUmemGenericAllocationHandle memory = 0;
    if (SIMSCOPE_DRIVER(cuMemRetainAllocationHandle)(&memory, address) == CUDA_SUCCESS) {
      made.map(memory, bytes, {device});
    }
  } catch (...) {
  }
  return made;
}

// Takes the memory, which stays as long as it is mapped.
void CudaSharedMemory::map(unsigned long long memory, std::size_t bytes, const std::vector<int>& devices) {
  CUdeviceptr address = 0;
  if (SIMSCOPE_DRIVER(cuMemAddressReserve)(&address, bytes, 0, 0, 0) == CUDA_SUCCESS) {
    std::vector<CUmemAccessDesc> all;
    for (const int each : devices) {
      all.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, each}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
    }
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
  (void)SIMSCOPE_DRIVER(cuMemRelease)(memory);
}

UniqueFile CudaSharedMemory::file() const noexcept {
  try {
    CUmemGenericAllocationHandle memory = 0;
    if (!address_ || SIMSCOPE_DRIVER(cuMemRetainAllocationHandle)(&memory, address_) != CUDA_SUCCESS) return {};
    int file = -1;
    const CUresult made =
        SIMSCOPE_DRIVER(cuMemExportToShareableHandle)(&file, memory, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
    (void)SIMSCOPE_DRIVER(cuMemRelease)(memory);
    return UniqueFile(made == CUDA_SUCCESS ? file : -1);
  } catch (...) {
    return {};
  }
}

CudaSharedMemory::~CudaSharedMemory() {
  if (!address_) return;
  (void)SIMSCOPE_DRIVER(cuMemUnmap)(devicePointer(address_), bytes_);
  (void)SIMSCOPE_DRIVER(cuMemAddressFree)(devicePointer(address_), bytes_);
}

CudaSharedMemory::CudaSharedMemory(CudaSharedMemory&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

CudaSharedMemory& CudaSharedMemory::operator=(CudaSharedMemory&& other) noexcept {
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

}  // namespace simscope::compute
