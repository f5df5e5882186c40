#include "app/lab/lessons/just_in_time/just_in_time_nvrtc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"

#if SIMSCOPE_HAVE_CUDA && __has_include(<nvrtc.h>) && __has_include(<cuda.h>)
#define SIMSCOPE_LAB_NVRTC 1
#include <cuda.h>
#include <nvrtc.h>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_handles.h"
#include "sims/compute/cuda/cuda_library.h"
#endif

namespace simscope::lab::just_in_time {

#if SIMSCOPE_LAB_NVRTC
namespace {

// The toolkit's library, or an installed one of another version: the functions called here are the same since CUDA 11.
compute::CudaLibrary& nvrtc() {
  static const std::unique_ptr<compute::CudaLibrary> found = [] {
    for (const char* const file : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"}) {
      auto library = std::make_unique<compute::CudaLibrary>("NVRTC", file);
      try {
        (void)library->function<decltype(::nvrtcVersion)>("nvrtcVersion");
        return library;
      } catch (const Error&) {
      }
    }
    // The message says what to install.
    return std::make_unique<compute::CudaLibrary>("NVRTC", "libnvrtc.so");
  }();
  return *found;
}
compute::CudaLibrary driver("The NVIDIA driver", "libcuda.so.1");

#define SIMSCOPE_NVRTC(name, ...) requireDone(SIMSCOPE_CUDA_FUNCTION(nvrtc(), name)(__VA_ARGS__), #name)
#define SIMSCOPE_DRIVER(name, ...) requireDone(SIMSCOPE_CUDA_FUNCTION(driver, name)(__VA_ARGS__), #name)

void requireDone(nvrtcResult status, const char* call) {
  if (status == NVRTC_SUCCESS) return;
  throw Error(fmt::format("{} failed: {}", call, SIMSCOPE_CUDA_FUNCTION(nvrtc(), nvrtcGetErrorString)(status)));
}

void requireDone(CUresult status, const char* call) {
  if (status == CUDA_SUCCESS) return;
  const char* words = nullptr;
  (void)SIMSCOPE_CUDA_FUNCTION(driver, cuGetErrorString)(status, &words);
  throw Error(fmt::format("{} failed: {}", call, words ? words : "an unknown error"));
}

struct NvrtcProgram {
  nvrtcProgram handle = nullptr;
  explicit NvrtcProgram(const std::string& source) {
    SIMSCOPE_NVRTC(nvrtcCreateProgram, &handle, source.c_str(), "kernel", 0, nullptr, nullptr);
  }
  NvrtcProgram(const NvrtcProgram&) = delete;
  NvrtcProgram& operator=(const NvrtcProgram&) = delete;
  ~NvrtcProgram() { (void)SIMSCOPE_CUDA_FUNCTION(nvrtc(), nvrtcDestroyProgram)(&handle); }

  std::string log() const {
    std::size_t size = 0;
    SIMSCOPE_NVRTC(nvrtcGetProgramLogSize, handle, &size);
    std::string text(size, '\0');
    SIMSCOPE_NVRTC(nvrtcGetProgramLog, handle, text.data());
    text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
    return text;
  }
};

}  // namespace

Image compileForCuda(const std::string& source, int capability) {
  const auto start = std::chrono::steady_clock::now();
  Image image;
  int major = 0, minor = 0, known = 0;
  SIMSCOPE_NVRTC(nvrtcVersion, &major, &minor);
  SIMSCOPE_NVRTC(nvrtcGetNumSupportedArchs, &known);
  std::vector<int> architectures(static_cast<std::size_t>(known));
  SIMSCOPE_NVRTC(nvrtcGetSupportedArchs, architectures.data());
  // Machine code for the card if NVRTC supports it; else PTX for the newest card that NVRTC knows.
  int target = 0;
  for (const int each : architectures) target = each <= capability ? std::max(target, each) : target;
  if (target == 0) {
    throw Error(fmt::format("NVRTC {}.{} does not support compute capability {}.{}; install an older CUDA toolkit",
                            major, minor, capability / 10, capability % 10));
  }
  image.ptx = target != capability;
  image.compiler = fmt::format("NVRTC {}.{}", major, minor);
  const NvrtcProgram program(source);
  const std::string architecture = fmt::format("--gpu-architecture={}_{}", image.ptx ? "compute" : "sm", target);
  const std::array<const char*, 2> options = {architecture.c_str(), "--std=c++17"};
  if (SIMSCOPE_CUDA_FUNCTION(nvrtc(), nvrtcCompileProgram)(program.handle, 2, options.data()) != NVRTC_SUCCESS) {
    throw Error("NVRTC refuses the kernel:\n" + program.log());
  }
  std::size_t size = 0;
  if (image.ptx) {
    SIMSCOPE_NVRTC(nvrtcGetPTXSize, program.handle, &size);
    image.code.resize(size);
    SIMSCOPE_NVRTC(nvrtcGetPTX, program.handle, image.code.data());
  } else {
    SIMSCOPE_NVRTC(nvrtcGetCUBINSize, program.handle, &size);
    image.code.resize(size);
    SIMSCOPE_NVRTC(nvrtcGetCUBIN, program.handle, image.code.data());
  }
  image.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return image;
}

int capabilityOf(const compute::Device& device) {
  int major = 0, minor = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device.info().index));
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device.info().index));
  return 10 * major + minor;
}

struct Kernel::Loaded {
  compute::DevicePtr device;
  compute::Buffer<int> stop;     // not 0: the line of the loop that has taken too long, or -1
  compute::UniqueStream beside;  // for the host's signal to a running kernel
  compute::UniquePinned word;
  compute::UniqueEvent done;
  double seconds = 0;
  long long cycles = 0;
  CUmodule module = nullptr;
  CUfunction function = nullptr;

  Loaded(compute::DevicePtr on, const Image& image, double limit)
      : device(std::move(on)), stop(device, 1), seconds(limit) {
    (void)device->stream();  // makes the device's context current, which the driver's calls take
    beside = compute::makeStream();
    word = compute::makePinned(sizeof(int));
    done = compute::makeEvent(cudaEventDisableTiming);
    *static_cast<int*>(word.get()) = -1;
    stop.zero();
    int kilohertz = 0;
    SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device->info().index));
    cycles = static_cast<long long>(limit * 1e3 * std::max(kilohertz, 500'000));
    SIMSCOPE_DRIVER(cuModuleLoadData, &module, image.code.data());
    try {
      SIMSCOPE_DRIVER(cuModuleGetFunction, &function, module, "typed");
    } catch (...) {
      (void)SIMSCOPE_CUDA_FUNCTION(driver, cuModuleUnload)(module);
      throw;
    }
  }
  ~Loaded() {
    (void)device->stream();
    (void)SIMSCOPE_CUDA_FUNCTION(driver, cuModuleUnload)(module);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
};

Kernel::Kernel(compute::DevicePtr device, const Image& image, double seconds)
    : loaded_(std::make_unique<Loaded>(std::move(device), image, seconds)) {}

void Kernel::launch(const Arrays& arrays, std::size_t n) {
  if (n == 0) return;
  Loaded& self = *loaded_;
  // The same as in parallelFor, so that the two are comparable.
  constexpr std::size_t kThreads = 256;
  const std::size_t most = static_cast<std::size_t>(self.device->info().threads) * 32;
  const auto blocks = static_cast<unsigned>(std::min(most, (n + kThreads - 1) / kThreads));
  Arrays there = arrays;
  unsigned long long count = n;
  int* stop = self.stop.data();
  std::array<void*, 7> parameters = {&there.a, &there.b, &there.c, &there.out, &count, &stop, &self.cycles};
  const auto stream = static_cast<cudaStream_t>(self.device->stream());
  SIMSCOPE_DRIVER(cuLaunchKernel, self.function, blocks, 1, 1, kThreads, 1, 1, 0, stream, parameters.data(), nullptr);
  self.device->countLaunches();
}

int Kernel::watched(const Arrays& arrays, std::size_t n, const std::function<void()>& check) {
  using Clock = std::chrono::steady_clock;
  Loaded& self = *loaded_;
  self.stop.zero();
  launch(arrays, n);
  const auto stream = static_cast<cudaStream_t>(self.device->stream());
  SIMSCOPE_CUDA_CHECK(cudaEventRecord(self.done.get(), stream));
  // The kernel's own clocks come first, because they know the line.
  const auto deadline = Clock::now() + std::chrono::duration<double>(2 * self.seconds);
  std::exception_ptr thrown;
  bool told = false;
  cudaError_t status = cudaErrorNotReady;
  while ((status = cudaEventQuery(self.done.get())) == cudaErrorNotReady) {
    if (!told) {
      try {
        check();
      } catch (...) {
        thrown = std::current_exception();
      }
      if (thrown || Clock::now() > deadline) {
        told = true;
        SIMSCOPE_CUDA_CHECK(
            cudaMemcpyAsync(self.stop.data(), self.word.get(), sizeof(int), cudaMemcpyHostToDevice, self.beside.get()));
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  (void)cudaGetLastError();  // "not ready" is not an error
  SIMSCOPE_CUDA_CHECK(status);
  SIMSCOPE_CUDA_CHECK(cudaStreamSynchronize(self.beside.get()));
  if (thrown) std::rethrow_exception(thrown);
  int line = 0;
  self.device->download(&line, self.stop.data(), sizeof line);
  return line;
}

#undef SIMSCOPE_NVRTC
#undef SIMSCOPE_DRIVER
#else

namespace {
[[noreturn]] void missing() {
  throw Error("this program was built without the headers of NVRTC, which belong to NVIDIA's CUDA toolkit");
}
}  // namespace

Image compileForCuda(const std::string&, int) {
  missing();
}
int capabilityOf(const compute::Device&) {
  missing();
}

struct Kernel::Loaded {};
Kernel::Kernel(compute::DevicePtr, const Image&, double) {
  missing();
}
void Kernel::launch(const Arrays&, std::size_t) {
  missing();
}
int Kernel::watched(const Arrays&, std::size_t, const std::function<void()>&) {
  missing();
}

#endif

Kernel::~Kernel() = default;

}  // namespace simscope::lab::just_in_time
