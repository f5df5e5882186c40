#include "app/render/gl/cuda_transfer.h"

#include "app/render/gl/gl_objects.h"
// CUDA's interop header brings the system's gl.h, which glad's header stands in for.
#include <cuda_gl_interop.h>
#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <map>

#include "app/render/gl/gl_context.h"
#include "sims/compute/error.h"
#include "sims/compute/fault.h"

namespace simscope::render {
namespace {

void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  cudaGetLastError();
  throw Error(
      fmt::format("{} failed at {}:{}: {} ({}). Drawing from CUDA memory is not possible; "
                  "--device cpu works without it.",
                  call, file, line, cudaGetErrorName(code), cudaGetErrorString(code)));
}
#define SIMSCOPE_CHECK_CUDA(call) check((call), #call, __FILE__, __LINE__)

struct StreamPolicy {
  using Name = cudaStream_t;
  static constexpr Name null() noexcept { return nullptr; }
  static void release(Name stream) noexcept { cudaStreamDestroy(stream); }
};
struct PinnedPolicy {
  using Name = void*;
  static constexpr Name null() noexcept { return nullptr; }
  static void release(Name memory) noexcept { cudaFreeHost(memory); }
};
std::atomic<std::size_t>& registered() {
  static std::atomic<std::size_t> count{0};
  return count;
}

struct ResourcePolicy {
  using Name = cudaGraphicsResource_t;
  static constexpr Name null() noexcept { return nullptr; }
  static void release(Name resource) noexcept {
    --registered();
    if (cudaGraphicsUnregisterResource(resource) != cudaSuccess) cudaGetLastError();
  }
};

// Makes a CUDA device current for a scope; the thread may be using another.
class DeviceScope {
 public:
  explicit DeviceScope(int device) {
    if (cudaGetDevice(&before_) != cudaSuccess) cudaGetLastError();
    SIMSCOPE_CHECK_CUDA(cudaSetDevice(device));
  }
  ~DeviceScope() {
    if (cudaSetDevice(before_) != cudaSuccess) cudaGetLastError();
  }
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  int before_ = 0;
};

// Empty where it succeeds, else the reason.
std::string registerBuffer(cudaGraphicsResource_t& resource, unsigned gl_buffer) {
  const cudaError_t code =
      compute::faultAt(compute::FaultPlace::Interop)
          ? cudaErrorNotSupported
          : cudaGraphicsGLRegisterBuffer(&resource, gl_buffer, cudaGraphicsRegisterFlagsWriteDiscard);
  if (code == cudaSuccess) {
    ++registered();
    return {};
  }
  cudaGetLastError();  // it would stick to the next call otherwise
  return fmt::format("cudaGraphicsGLRegisterBuffer: {}", cudaGetErrorString(code));
}

std::string mapBuffer(cudaGraphicsResource_t resource, cudaStream_t stream) {
  const cudaError_t code = compute::faultAt(compute::FaultPlace::Interop)
                               ? cudaErrorNotSupported
                               : cudaGraphicsMapResources(1, &resource, stream);
  if (code == cudaSuccess) return {};
  cudaGetLastError();
  return fmt::format("cudaGraphicsMapResources: {}", cudaGetErrorString(code));
}

// Why buffers of the current GL context cannot be used on `device`; empty where they can.
std::string whyNoInterop(int device) {
  unsigned count = 0;
  std::array<int, 16> devices{};
  const cudaError_t listed = cudaGLGetDevices(&count, devices.data(), devices.size(), cudaGLDeviceListAll);
  if (listed != cudaSuccess) {
    cudaGetLastError();  // it would stick to the next call otherwise
    return fmt::format("OpenGL runs on {}", glInfo().renderer);
  }
  const auto end = devices.begin() + std::min<std::size_t>(count, devices.size());
  if (std::find(devices.begin(), end, device) == end) {
    return count == 0 ? fmt::format("OpenGL runs on {}", glInfo().renderer)
                      : fmt::format("OpenGL runs on CUDA device {}", devices.front());
  }
  GlBuffer probe = makeBuffer();
  glNamedBufferData(probe.get(), 256, nullptr, GL_DYNAMIC_DRAW);
  cudaGraphicsResource_t raw = nullptr;
  if (const std::string why = registerBuffer(raw, probe.get()); !why.empty()) return why;
  const UniqueHandle<ResourcePolicy> resource(raw);
  if (const std::string why = mapBuffer(raw, nullptr); !why.empty()) return why;
  SIMSCOPE_CHECK_CUDA(cudaGraphicsUnmapResources(1, &raw, nullptr));
  return {};
}

}  // namespace

struct CudaTransfer::Impl {
  int device = 0;
  bool interop = false;
  std::string text;
  UniqueHandle<StreamPolicy> stream;
  UniqueHandle<PinnedPolicy> pinned;
  std::size_t pinned_bytes = 0;
  std::map<unsigned, UniqueHandle<ResourcePolicy>> resources;

  // Empty where the bytes are there, else why OpenGL's buffer cannot be had.
  std::string copyWithin(unsigned gl_buffer, const void* from, std::size_t bytes) {
    auto& resource = resources[gl_buffer];
    if (!resource) {
      cudaGraphicsResource_t raw = nullptr;
      if (const std::string why = registerBuffer(raw, gl_buffer); !why.empty()) return why;
      resource = UniqueHandle<ResourcePolicy>(raw);
    }
    cudaGraphicsResource_t raw = resource.get();
    if (const std::string why = mapBuffer(raw, stream.get()); !why.empty()) return why;
    void* to = nullptr;
    std::size_t room = 0;
    cudaError_t code = cudaGraphicsResourceGetMappedPointer(&to, &room, raw);
    if (code == cudaSuccess) {
      code = cudaMemcpyAsync(to, from, std::min(bytes, room), cudaMemcpyDeviceToDevice, stream.get());
    }
    // Unmapped even after a failure: OpenGL may not touch a buffer that CUDA holds.
    const cudaError_t unmapped = cudaGraphicsUnmapResources(1, &raw, stream.get());
    check(code, "cudaMemcpyAsync(to an OpenGL buffer)", __FILE__, __LINE__);
    check(unmapped, "cudaGraphicsUnmapResources", __FILE__, __LINE__);
    SIMSCOPE_CHECK_CUDA(cudaStreamSynchronize(stream.get()));
    return {};
  }

  void copyToHost(const void* from, std::size_t bytes) {
    if (pinned_bytes < bytes) {
      pinned.reset();
      pinned_bytes = 0;
      void* memory = nullptr;
      SIMSCOPE_CHECK_CUDA(cudaMallocHost(&memory, bytes));
      pinned = UniqueHandle<PinnedPolicy>(memory);
      pinned_bytes = bytes;
    }
    SIMSCOPE_CHECK_CUDA(cudaMemcpyAsync(pinned.get(), from, bytes, cudaMemcpyDeviceToHost, stream.get()));
    SIMSCOPE_CHECK_CUDA(cudaStreamSynchronize(stream.get()));
  }
};

CudaTransfer::CudaTransfer(int device) : impl_(std::make_unique<Impl>()) {
  impl_->device = device;
  const DeviceScope scope(device);
  cudaStream_t stream = nullptr;
  SIMSCOPE_CHECK_CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  impl_->stream = UniqueHandle<StreamPolicy>(stream);
  const std::string cause = whyNoInterop(device);
  impl_->interop = cause.empty();
  impl_->text = cause.empty() ? "interop: device to device" : "interop: off, through pinned memory (" + cause + ")";
}

CudaTransfer::~CudaTransfer() = default;

std::size_t CudaTransfer::registrations() noexcept {
  return registered();
}

int CudaTransfer::device() const noexcept {
  return impl_->device;
}
bool CudaTransfer::interop() const noexcept {
  return impl_->interop;
}
const std::string& CudaTransfer::text() const noexcept {
  return impl_->text;
}

// The copies are waited for, so that the frame may be overwritten once the figure is drawn. That takes microseconds,
// since a published frame is complete or nearly so.
bool CudaTransfer::copy(unsigned gl_buffer, const void* from, std::size_t bytes, const compute::Fence& ready) {
  const DeviceScope scope(impl_->device);
  ready.enqueueWait(impl_->stream.get());
  const std::string why = impl_->copyWithin(gl_buffer, from, bytes);
  if (why.empty()) return true;
  impl_->interop = false;
  impl_->resources.clear();
  impl_->text = "interop: off, through pinned memory (" + why + ")";
  return false;
}

const void* CudaTransfer::toHost(const void* from, std::size_t bytes, const compute::Fence& ready) {
  const DeviceScope scope(impl_->device);
  ready.enqueueWait(impl_->stream.get());
  impl_->copyToHost(from, bytes);
  return impl_->pinned.get();
}

void CudaTransfer::forget(unsigned gl_buffer) noexcept {
  impl_->resources.erase(gl_buffer);
}

}  // namespace simscope::render
