#include "sims/compute/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <mutex>

#include "sims/compute/cpu_device.h"
#include "sims/compute/detail/device_spec.h"
#include "sims/compute/ranks/ranks.h"
#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_device.h"
#endif

namespace simscope::compute {

namespace {

constexpr const char* kChoices =
    "choose auto, cpu, cuda or cuda:<index>, or several for one run: cuda:0+1, cuda:all, cpu+cpu";

// Why "auto" had to pass over a CUDA device that was there, for whyNoCuda().
std::mutex& failureMutex() {
  static std::mutex mutex;
  return mutex;
}
std::string& failure() {
  static std::string text;
  return text;
}

// The index of "cuda:<index>"; 0 for plain "cuda".
int cudaIndex(std::string_view spec) {
  if (spec == "cuda") return 0;
  if (spec.substr(0, 5) != "cuda:") throwBadSpec(spec);
  const std::string_view digits = spec.substr(5);
  int index = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size() || index < 0) throwBadSpec(spec);
  return index;
}

// Why no CUDA device answers at all; empty where one does.
const std::string& driverProblem() {
#if SIMSCOPE_HAVE_CUDA
  static const std::string why = CudaDevice::whyNone();
#else
  static const std::string why = "this program was built without CUDA (install NVIDIA's CUDA toolkit and build again)";
#endif
  return why;
}

DevicePtr openCuda(std::string_view spec) {
  [[maybe_unused]] const int index = cudaIndex(spec);
#if SIMSCOPE_HAVE_CUDA
  if (driverProblem().empty()) {
    const int count = CudaDevice::count();
    if (index < count) return std::make_shared<CudaDevice>(index);
    throw UsageError(fmt::format("there is no device '{}': this machine has cuda:0{}; the nearest is cuda:{}", spec,
                                 count > 1 ? fmt::format(" to cuda:{}", count - 1) : "", count - 1));
  }
#endif
  throw Error(
      fmt::format("device '{}' cannot be used: {}; choose --device cpu to compute without it", spec, driverProblem()));
}

void rememberFailure(const std::string& text) {
  const std::lock_guard lock(failureMutex());
  failure() = text;
}

}  // namespace

void throwBadSpec(std::string_view spec) {
  std::string message = fmt::format("there is no device '{}': {}", spec, kChoices);
  std::string lower(spec);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto starts = [&](std::string_view text) { return lower.rfind(text, 0) == 0; };
  if (lower.find('+') != std::string::npos) {
    message += starts("cpu") ? "; did you mean 'cpu+cpu'?" : "; did you mean 'cuda:0+1'?";
  } else if (starts("cuda:a")) {
    message += "; did you mean 'cuda:all'?";
  } else if (starts("cu") || starts("g") || starts("nv")) {
    message += "; did you mean 'cuda'?";
  } else if (starts("c") || starts("host")) {
    message += "; did you mean 'cpu'?";
  } else if (starts("a")) {
    message += "; did you mean 'auto'?";
  }
  throw UsageError(message);
}

DevicePtr Device::open(std::string_view spec, int threads) {
  if (threads < 0 || threads > CpuDevice::maximumThreads()) CpuDevice::describe(threads);  // throws UsageError
  if (spec == "cpu") return std::make_shared<CpuDevice>(threads);
  if (spec == kAllCuda || spec.find('+') != std::string_view::npos) return openSeveral(spec, threads);
  if (spec != "auto") return openCuda(spec);
  if (driverProblem().empty()) {
    try {
      DevicePtr device = openCuda("cuda");
      rememberFailure({});
      return device;
    } catch (const Error& error) {
      rememberFailure(error.what());
    }
  }
  return std::make_shared<CpuDevice>(threads);
}

void Device::meet() {
  if (ranks_) ranks_->barrier();
}

std::vector<DeviceInfo> Device::available() {
  std::vector<DeviceInfo> all = {CpuDevice::describe(0)};
#if SIMSCOPE_HAVE_CUDA
  if (driverProblem().empty()) {
    for (int index = 0; index < CudaDevice::count(); ++index) {
      try {
        all.push_back(CudaDevice::describe(index));
      } catch (const Error&) {
        // A card that fell off the bus: it does not answer, so it is not listed.
      }
    }
  }
#endif
  return all;
}

std::string Device::identityOfCuda([[maybe_unused]] int index) {
#if SIMSCOPE_HAVE_CUDA
  if (driverProblem().empty() && index >= 0 && index < CudaDevice::count()) return CudaDevice::identity(index);
#endif
  return {};
}

std::string Device::whyNoCuda() {
  if (!driverProblem().empty()) return driverProblem();
  const std::lock_guard lock(failureMutex());
  return failure();
}

}  // namespace simscope::compute
