#include "sims/compute/cuda/cuda_foreign_slots.h"

#include <cuda.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>

#include "sims/compute/error.h"

namespace simscope::compute {

namespace {

static_assert(sizeof(cudaIpcMemHandle_t) == sizeof(ForeignSlots::Handle) &&
              sizeof(cudaIpcEventHandle_t) == sizeof(ForeignSlots::Handle));

// Clears the error: what another process offers must not show up at calls of our own.
void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  throw Error(fmt::format("{} ({}: {})", what, cudaGetErrorName(status), cudaGetErrorString(status)));
}

template <class Native>
Native nativeOf(const ForeignSlots::Handle& handle) {
  Native native;
  std::memcpy(&native, handle.data(), sizeof native);
  return native;
}

// Of the allocation from `memory` to its end; 0 where the driver does not tell it of another process's memory.
std::size_t sizeFrom(void* memory) {
  static auto* const range = reinterpret_cast<decltype(&cuMemGetAddressRange)>(
      dlsym(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), "cuMemGetAddressRange_v2"));
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  CUdeviceptr base = 0;
  std::size_t size = 0;
  if (range == nullptr || range(&base, &size, address) != CUDA_SUCCESS) return 0;
  return size - (address - base);
}

}  // namespace

CudaForeignSlots::CudaForeignSlots(int device, const Offer& offer)
    : ForeignSlots(offer.written.size(), offer.slot_bytes), device_(device) {
  require(cudaSetDevice(device), "the window's device does not respond");
  require(cudaIpcOpenMemHandle(&memory_, nativeOf<cudaIpcMemHandle_t>(offer.memory), cudaIpcMemLazyEnablePeerAccess),
          "the driver does not share the script's memory with the window");
  try {
    const std::size_t size = sizeFrom(memory_), needed = slotBytes() * count();
    if (size != 0 && size < needed) {
      throw Error(fmt::format("the script's memory has {} bytes, but its {} slots need {}", size, count(), needed));
    }
    for (const Handle& each : offer.written) {
      cudaEvent_t event = nullptr;
      require(cudaIpcOpenEventHandle(&event, nativeOf<cudaIpcEventHandle_t>(each)),
              "the driver does not share the script's events with the window");
      written_.emplace_back(event);
    }
  } catch (...) {
    (void)cudaIpcCloseMemHandle(memory_);
    throw;
  }
}

CudaForeignSlots::~CudaForeignSlots() {
  if (cudaSetDevice(device_) != cudaSuccess) return;
  written_.clear();
  (void)cudaIpcCloseMemHandle(memory_);
  (void)cudaGetLastError();
}

const void* CudaForeignSlots::slot(std::size_t which) const noexcept {
  return static_cast<const unsigned char*>(memory_) + which * slotBytes();
}

ForeignSlots::State CudaForeignSlots::state(std::size_t which) const noexcept {
  const cudaError_t status = cudaEventQuery(written_[which].get());
  if (status == cudaSuccess) return State::Written;
  (void)cudaGetLastError();
  return status == cudaErrorNotReady ? State::Pending : State::Lost;
}

}  // namespace simscope::compute
