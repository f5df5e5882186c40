#include <cusolverDn.h>
#include <fmt/format.h>

#include <algorithm>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_library.h"
#include "sims/eigenstates/dense.h"

namespace simscope::eigenstates {
namespace {

void check(cusolverStatus_t status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  (void)cudaGetLastError();
  const std::string message =
      fmt::format("{} failed with cuSOLVER status {}; choose fewer grid points, or method = tridiagonal", call,
                  static_cast<int>(status));
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw OutOfMemory(message, 0);
  throw Error(message);
}

compute::CudaLibrary cusolver("cuSOLVER", "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR));

#define SIMSCOPE_CUSOLVER(name) SIMSCOPE_CUDA_FUNCTION(cusolver, name)
#define SIMSCOPE_CUSOLVER_CHECK(name, ...) check(SIMSCOPE_CUSOLVER(name)(__VA_ARGS__), #name)

class Cusolver final : public DenseSolver {
 public:
  explicit Cusolver(compute::Device& device) : device_(device) {
    const auto stream = static_cast<cudaStream_t>(device.stream());  // makes the device current
    SIMSCOPE_CUSOLVER_CHECK(cusolverDnCreate, &handle_);
    const cusolverStatus_t status = SIMSCOPE_CUSOLVER(cusolverDnSetStream)(handle_, stream);
    if (status != CUSOLVER_STATUS_SUCCESS) {
      (void)SIMSCOPE_CUSOLVER(cusolverDnDestroy)(handle_);
      check(status, "cusolverDnSetStream");
    }
  }
  ~Cusolver() override {
    (void)device_.stream();
    (void)SIMSCOPE_CUSOLVER(cusolverDnDestroy)(handle_);
  }

  std::vector<double> solve(compute::Buffer<double>& matrix, int n) override {
    (void)device_.stream();
    const compute::DevicePtr device = matrix.device();
    const auto count = static_cast<std::size_t>(n);
    compute::Buffer<double> eigenvalues(device, count);
    compute::Buffer<int> info(device, 1);
    int size = 0;
    SIMSCOPE_CUSOLVER_CHECK(cusolverDnDsyevd_bufferSize, handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                            matrix.data(), n, eigenvalues.data(), &size);
    compute::Buffer<double> work(device, static_cast<std::size_t>(std::max(size, 1)));
    SIMSCOPE_CUSOLVER_CHECK(cusolverDnDsyevd, handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                            matrix.data(), n, eigenvalues.data(), work.data(), size, info.data());
    device_.countLaunches();
    const int status = info.toHost().front();
    if (status != 0) throw Error(fmt::format("cuSOLVER's Dsyevd did not converge (info = {})", status));
    return eigenvalues.toHost();
  }
  std::string name() const override { return "cuSOLVER Dsyevd"; }

 private:
  compute::Device& device_;  // outlives it: the simulation that owns this holds it
  cusolverDnHandle_t handle_ = nullptr;
};

#undef SIMSCOPE_CUSOLVER_CHECK
#undef SIMSCOPE_CUSOLVER

}  // namespace

std::unique_ptr<DenseSolver> makeCusolver(compute::Device& device) {
  return std::make_unique<Cusolver>(device);
}

}  // namespace simscope::eigenstates
