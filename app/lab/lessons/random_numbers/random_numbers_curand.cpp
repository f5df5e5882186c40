#include <fmt/format.h>

#include <memory>

#include "app/lab/lessons/random_numbers/random_numbers.h"

#if SIMSCOPE_HAVE_CUDA && __has_include(<curand.h>)
#define SIMSCOPE_LAB_CURAND 1
#include <curand.h>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_library.h"
#endif

namespace simscope::lab::random_numbers {

#if SIMSCOPE_LAB_CURAND

namespace {

// cuRAND's major version follows neither its header's nor the toolkit's: it has been 10 since CUDA 9.
compute::CudaLibrary curand("cuRAND", "libcurand.so.10");

void checkCurand(curandStatus_t status, const char* call) {
  if (status == CURAND_STATUS_SUCCESS) return;
  (void)cudaGetLastError();
  const std::string message = fmt::format("{} failed with cuRAND's status {}", call, static_cast<int>(status));
  if (status == CURAND_STATUS_ALLOCATION_FAILED) throw OutOfMemory(message, 0);
  throw Error(message);
}

#define SIMSCOPE_CURAND(name, ...) checkCurand(SIMSCOPE_CUDA_FUNCTION(curand, name)(__VA_ARGS__), #name)

class Handle {
 public:
  Handle(compute::DevicePtr device, curandRngType_t type) : device_(std::move(device)) {
    const auto stream = static_cast<cudaStream_t>(device_->stream());
    SIMSCOPE_CURAND(curandCreateGenerator, &handle_, type);
    try {
      SIMSCOPE_CURAND(curandSetStream, handle_, stream);
      SIMSCOPE_CURAND(curandSetPseudoRandomGeneratorSeed, handle_, 20261ull);
      SIMSCOPE_CURAND(curandGenerateSeeds, handle_);  // its states: some take a while
    } catch (...) {
      (void)SIMSCOPE_CUDA_FUNCTION(curand, curandDestroyGenerator)(handle_);
      throw;
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    (void)device_->stream();
    (void)SIMSCOPE_CUDA_FUNCTION(curand, curandDestroyGenerator)(handle_);
  }
  void uniform(float* to, std::size_t n) { SIMSCOPE_CURAND(curandGenerateUniform, handle_, to, n); }
  void normal(float* to, std::size_t n) { SIMSCOPE_CURAND(curandGenerateNormal, handle_, to, n, 0.0f, 1.0f); }

 private:
  compute::DevicePtr device_;
  curandGenerator_t handle_ = nullptr;
};

}  // namespace

void addCurand(std::vector<Generator>& all, const Bench& bench, std::vector<std::string>& notes) {
  if (!bench.cuda) return;
  usable(notes, "cuRAND is not compared", [&] {
    const auto add = [&](const char* name, curandRngType_t type) {
      const auto handle = std::make_shared<Handle>(bench.cuda, type);
      all.push_back({.title = fmt::format("GPU, cuRAND, {}", name),
                     .name = fmt::format("cuRAND {}", name),
                     .device = bench.cuda,
                     .uniform = [handle](float* to, std::size_t n) { handle->uniform(to, n); },
                     .normal = [handle](float* to, std::size_t n) { handle->normal(to, n); }});
    };
    add("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
    add("MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A);
    add("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
  });
}

#else

void addCurand(std::vector<Generator>&, const Bench& bench, std::vector<std::string>& notes) {
  if (bench.cuda) notes.push_back("cuRAND is not compared: this program was built without its header.");
}

#endif

}  // namespace simscope::lab::random_numbers
