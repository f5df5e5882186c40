#include <cufft.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <tuple>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_library.h"
#include "sims/compute/fourier/detail/fft_backend.h"

namespace simscope::compute::detail {

namespace {

const char* cufftName(cufftResult status) {
  switch (status) {
    case CUFFT_INVALID_PLAN:
      return "CUFFT_INVALID_PLAN";
    case CUFFT_ALLOC_FAILED:
      return "CUFFT_ALLOC_FAILED";
    case CUFFT_INVALID_TYPE:
      return "CUFFT_INVALID_TYPE";
    case CUFFT_INVALID_VALUE:
      return "CUFFT_INVALID_VALUE";
    case CUFFT_INTERNAL_ERROR:
      return "CUFFT_INTERNAL_ERROR";
    case CUFFT_EXEC_FAILED:
      return "CUFFT_EXEC_FAILED";
    case CUFFT_SETUP_FAILED:
      return "CUFFT_SETUP_FAILED";
    case CUFFT_INVALID_SIZE:
      return "CUFFT_INVALID_SIZE";
    case CUFFT_INVALID_DEVICE:
      return "CUFFT_INVALID_DEVICE";
    case CUFFT_NO_WORKSPACE:
      return "CUFFT_NO_WORKSPACE";
    case CUFFT_NOT_IMPLEMENTED:
      return "CUFFT_NOT_IMPLEMENTED";
    case CUFFT_NOT_SUPPORTED:
      return "CUFFT_NOT_SUPPORTED";
    default:
      return "an unknown cuFFT error";
  }
}

void checkCufft(cufftResult status, const char* call, int line) {
  if (status == CUFFT_SUCCESS) return;
  (void)cudaGetLastError();
  const bool memory = status == CUFFT_ALLOC_FAILED || status == CUFFT_NO_WORKSPACE;
  const std::string message = fmt::format("{} failed at sims/compute/fourier/fft_cuda.cpp:{}: {} ({}); {}", call, line,
                                          cufftName(status), static_cast<int>(status),
                                          memory ? "choose a smaller problem, or close other programs that use the GPU"
                                          : status == CUFFT_INVALID_SIZE ? "choose another size, a power of two best"
                                                                         : "choose another size, or --device cpu");
  if (memory) throw OutOfMemory(message, 0);
  throw Error(message);
}

CudaLibrary cufft("cuFFT", "libcufft.so." + std::to_string(CUFFT_VER_MAJOR));

#define SIMSCOPE_CUFFT(name) SIMSCOPE_CUDA_FUNCTION(cufft, name)
#define SIMSCOPE_CUFFT_CHECK(name, ...) checkCufft(SIMSCOPE_CUFFT(name)(__VA_ARGS__), #name, __LINE__)

// Device memory that goes back to the device it came from.
class WorkArea {
 public:
  WorkArea(Device& device, std::size_t bytes) : device_(device), memory_(device.allocate(bytes)) {}
  ~WorkArea() { device_.release(memory_); }
  WorkArea(const WorkArea&) = delete;
  WorkArea& operator=(const WorkArea&) = delete;
  void* memory() const noexcept { return memory_; }

 private:
  Device& device_;
  void* memory_;
};

class CufftPlan {
 public:
  CufftPlan(Device& device, const FftShape& shape, cufftType type) {
    const auto stream = static_cast<cudaStream_t>(device.stream());
    SIMSCOPE_CUFFT_CHECK(cufftCreate, &handle_);
    try {
      long long dims[3] = {};
      const int rank = static_cast<int>(shape.dimensions.size());
      for (int axis = 0; axis < rank; ++axis) dims[axis] = shape.dimensions[static_cast<std::size_t>(axis)];
      long long distance = 1;
      for (int axis = 0; axis < rank; ++axis) distance *= dims[axis];
      const bool beside = shape.side_by_side;
      long long* const embedded = beside ? dims : nullptr;  // null: one after another
      const long long stride = beside ? shape.batch : 1;
      if (beside) distance = 1;
      // The work area is ours, so that running out of memory is told with its numbers and nothing is held twice.
      SIMSCOPE_CUFFT_CHECK(cufftSetAutoAllocation, handle_, 0);
      std::size_t bytes = 0;
      SIMSCOPE_CUFFT_CHECK(cufftMakePlanMany64, handle_, rank, dims, embedded, stride, distance, embedded, stride,
                           distance, type, shape.batch, &bytes);
      SIMSCOPE_CUFFT_CHECK(cufftSetStream, handle_, stream);
      work_ = std::make_unique<WorkArea>(device, std::max<std::size_t>(bytes, 1));
      SIMSCOPE_CUFFT_CHECK(cufftSetWorkArea, handle_, work_->memory());
    } catch (...) {
      (void)SIMSCOPE_CUFFT(cufftDestroy)(handle_);
      throw;
    }
  }
  ~CufftPlan() { (void)SIMSCOPE_CUFFT(cufftDestroy)(handle_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;
  cufftHandle handle() const noexcept { return handle_; }

 private:
  cufftHandle handle_ = 0;
  std::unique_ptr<WorkArea> work_;
};

// Plans in use, shared by every Fft of that shape on that device: a device is used by one thread at a time, so its
// plans and their work areas are too. A plan goes with its last Fft, because its work area is GPU memory.
std::shared_ptr<CufftPlan> sharedPlan(Device& device, const FftShape& shape, cufftType type) {
  using Key = std::tuple<const Device*, std::vector<int>, int, bool, cufftType>;
  static std::mutex* const mutex = new std::mutex;
  static auto* const plans = new std::map<Key, std::weak_ptr<CufftPlan>>;
  const std::lock_guard lock(*mutex);
  std::erase_if(*plans, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<CufftPlan>& entry = (*plans)[Key{&device, shape.dimensions, shape.batch, shape.side_by_side, type}];
  std::shared_ptr<CufftPlan> plan = entry.lock();
  if (!plan) {
    plan = std::make_shared<CufftPlan>(device, shape, type);
    entry = plan;
  }
  return plan;
}

template <class T>
class CudaFft final : public FftBackend<T> {
 public:
  CudaFft(Device& device, const FftShape& shape)
      : device_(device), plan_(sharedPlan(device, shape, std::is_same_v<T, float> ? CUFFT_C2C : CUFFT_Z2Z)) {}

  void execute(Complex<T>* data, Direction direction) override {
    (void)device_.stream();  // makes the device current
    const int sign = direction == Direction::Forward ? CUFFT_FORWARD : CUFFT_INVERSE;
    if constexpr (std::is_same_v<T, float>) {
      auto* const values = reinterpret_cast<cufftComplex*>(data);
      SIMSCOPE_CUFFT_CHECK(cufftExecC2C, plan_->handle(), values, values, sign);
    } else {
      auto* const values = reinterpret_cast<cufftDoubleComplex*>(data);
      SIMSCOPE_CUFFT_CHECK(cufftExecZ2Z, plan_->handle(), values, values, sign);
    }
  }

 private:
  Device& device_;  // kept alive by the Fft that owns this
  std::shared_ptr<CufftPlan> plan_;
};

#undef SIMSCOPE_CUFFT_CHECK
#undef SIMSCOPE_CUFFT

}  // namespace

template <class T>
std::unique_ptr<FftBackend<T>> makeCudaFft(Device& device, const FftShape& shape) {
  return std::make_unique<CudaFft<T>>(device, shape);
}

template std::unique_ptr<FftBackend<float>> makeCudaFft<float>(Device&, const FftShape&);
template std::unique_ptr<FftBackend<double>> makeCudaFft<double>(Device&, const FftShape&);

}  // namespace simscope::compute::detail
