#include "sims/compute/cuda/cuda_check.h"

#include <fmt/format.h>

#include <string_view>

#include "sims/compute/device_lost.h"

namespace simscope::compute::detail {

namespace {

const char* advice(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "choose a smaller problem, or close other programs that use the GPU";
    case cudaErrorInsufficientDriver:
    case cudaErrorNoDevice:
    case cudaErrorSystemDriverMismatch:
      return "check that nvidia-smi lists the card and install a current NVIDIA driver, or choose --device cpu";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorInvalidDeviceFunction:
      return "this build does not fit the card or its driver: update the driver, build again with "
             "-DCMAKE_CUDA_ARCHITECTURES=native, or choose --device cpu";
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalInstruction:
    case cudaErrorAssert:
      return "an earlier kernel failed and this process has lost the device: restart the program, and run it under "
             "compute-sanitizer to find the kernel";
    case cudaErrorLaunchTimeout:
      return "the display's watchdog stopped a long kernel: choose a smaller problem or fewer steps a frame";
    case cudaErrorDevicesUnavailable:
      return "another program holds the GPU exclusively: close it, or choose --device cpu";
    case cudaErrorECCUncorrectable:
      return "the GPU's memory is faulty: reset or replace the card, or choose --device cpu";
    default:
      return "restart the program; if it happens again, choose --device cpu and report it";
  }
}

// Errors after which every later call fails, too.
bool lost(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorIllegalInstruction:
    case cudaErrorAssert:
    case cudaErrorLaunchTimeout:
    case cudaErrorDevicesUnavailable:
    case cudaErrorECCUncorrectable:
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

// The path inside the project: where the program was built is of no use to a reader.
std::string_view projectPath(std::string_view file) {
  std::size_t at = std::string_view::npos;
  for (const std::string_view top : {"/sims/", "/app/", "/tests/"}) {
    const std::size_t found = file.rfind(top);
    if (found != std::string_view::npos && (at == std::string_view::npos || found < at)) at = found;
  }
  return at == std::string_view::npos ? file : file.substr(at + 1);
}

}  // namespace

void throwCudaError(cudaError_t status, const char* call, const char* file, int line) {
  (void)cudaGetLastError();
  const std::string message = fmt::format("{} failed at {}:{}: {} ({}); {}", call, projectPath(file), line,
                                          cudaGetErrorString(status), cudaGetErrorName(status), advice(status));
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(message, 0);
  if (lost(status)) throw DeviceLost(message);
  throw Error(message);
}

}  // namespace simscope::compute::detail
