#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/lessons/linear_algebra/linear_algebra.h"
#include "sims/compute/buffer.h"

#if SIMSCOPE_HAVE_CUDA && __has_include(<cusolverDn.h>)
#include <cusolverDn.h>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_library.h"

namespace simscope::lab::linear_algebra {
namespace {

compute::CudaLibrary library("cuSOLVER", "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR));

void check(cusolverStatus_t status, const char* call) {
  if (status == CUSOLVER_STATUS_SUCCESS) return;
  (void)cudaGetLastError();
  const std::string message = fmt::format("{} failed with cuSOLVER's status {}", call, static_cast<int>(status));
  if (status == CUSOLVER_STATUS_ALLOC_FAILED) throw OutOfMemory(message, 0);
  throw Error(message);
}

#define SIMSCOPE_LAB_SOLVER(name, ...) check(SIMSCOPE_CUDA_FUNCTION(library, name)(__VA_ARGS__), #name)

class Cusolver final : public Solver {
 public:
  Cusolver(const compute::DevicePtr& device, int n) : device_(device) {
    const auto stream = static_cast<cudaStream_t>(device_->stream());
    const auto count = static_cast<std::size_t>(n);
    for (compute::Buffer<double>* each : {&a_, &first_, &second_}) *each = {device, count * count};
    values_ = {device, count};
    pivots_ = {device, count};
    info_ = {device, 1};
    SIMSCOPE_LAB_SOLVER(cusolverDnCreate, &handle_);
    try {
      SIMSCOPE_LAB_SOLVER(cusolverDnSetStream, handle_, stream);
      int eigen = 0, svd = 0, lu = 0;
      SIMSCOPE_LAB_SOLVER(cusolverDnDsyevd_bufferSize, handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                          a_.data(), n, values_.data(), &eigen);
      SIMSCOPE_LAB_SOLVER(cusolverDnDgesvd_bufferSize, handle_, n, n, &svd);
      SIMSCOPE_LAB_SOLVER(cusolverDnDgetrf_bufferSize, handle_, n, n, a_.data(), n, &lu);
      room_ = std::max({eigen, svd, lu, 1});
      work_ = {device, static_cast<std::size_t>(room_)};
    } catch (...) {
      destroy();
      throw;
    }
    std::vector<double> one(count * count);
    for (std::size_t i = 0; i < count; ++i) one[i * count + i] = 1;
    identity_ = compute::Buffer<double>(device, one);
    rows_ = n;
  }
  ~Cusolver() override {
    (void)device_->stream();
    destroy();
  }

  void solve(const Problem& problem, Answer& answer) override {
    (void)device_->stream();
    const int n = problem.n;
    if (n != rows_) throw UsageError("cuSOLVER's buffers were made for another size");
    a_.upload(problem.matrix);
    double* const a = a_.data();
    switch (problem.question) {
      case Question::Eigen:
        SIMSCOPE_LAB_SOLVER(cusolverDnDsyevd, handle_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n,
                            values_.data(), work_.data(), room_, info_.data());
        succeeded("Dsyevd");
        answer.values = values_.toHost();
        answer.first = a_.toHost();
        break;
      case Question::Svd:
        SIMSCOPE_LAB_SOLVER(cusolverDnDgesvd, handle_, 'A', 'A', n, n, a, n, values_.data(), first_.data(), n,
                            second_.data(), n, work_.data(), room_, nullptr, info_.data());
        succeeded("Dgesvd");
        answer.values = values_.toHost();
        answer.first = first_.toHost();
        answer.second = second_.toHost();
        break;
      case Question::Solve:
        factorise(n);
        values_.upload(problem.right_side);
        substitute(n, 1, values_.data());
        answer.values = values_.toHost();
        break;
      case Question::Inverse:
        factorise(n);
        device_->copy(first_.data(), identity_.data(), first_.bytes());
        substitute(n, n, first_.data());
        answer.first = first_.toHost();
        break;
      case Question::Determinant:
        factorise(n);
        determinant(static_cast<std::size_t>(n), answer);
        break;
    }
  }

 private:
  void destroy() { (void)SIMSCOPE_CUDA_FUNCTION(library, cusolverDnDestroy)(handle_); }
  void succeeded(const char* call) {
    const int status = info_.toHost().front();
    if (status != 0) throw Error(fmt::format("cuSOLVER's {} failed (info = {})", call, status));
  }
  void factorise(int n) {
    SIMSCOPE_LAB_SOLVER(cusolverDnDgetrf, handle_, n, n, a_.data(), n, work_.data(), pivots_.data(), info_.data());
    succeeded("Dgetrf");
  }
  void substitute(int n, int columns, double* sides) {
    SIMSCOPE_LAB_SOLVER(cusolverDnDgetrs, handle_, CUBLAS_OP_N, n, columns, a_.data(), n, pivots_.data(), sides, n,
                        info_.data());
    succeeded("Dgetrs");
  }
  // From the diagonal alone, which a copy of one number a row fetches.
  void determinant(std::size_t n, Answer& answer) {
    std::vector<double> diagonal(n);
    SIMSCOPE_CUDA_CHECK(cudaMemcpy2DAsync(diagonal.data(), sizeof(double), a_.data(), (n + 1) * sizeof(double),
                                          sizeof(double), n, cudaMemcpyDeviceToHost,
                                          static_cast<cudaStream_t>(device_->stream())));
    device_->synchronize();
    const std::vector<int> pivots = pivots_.toHost();
    answer.log_determinant = 0;
    answer.sign = 1;
    for (std::size_t i = 0; i < n; ++i) {
      answer.log_determinant += std::log(std::abs(diagonal[i]));
      if ((diagonal[i] < 0) != (pivots[i] != static_cast<int>(i) + 1)) answer.sign = -answer.sign;
    }
  }

  compute::DevicePtr device_;
  compute::Buffer<double> a_, first_, second_, identity_, values_, work_;
  compute::Buffer<int> pivots_, info_;
  cusolverDnHandle_t handle_ = nullptr;
  int room_ = 0, rows_ = 0;
};

#undef SIMSCOPE_LAB_SOLVER

}  // namespace

std::unique_ptr<Solver> makeCusolver(const compute::DevicePtr& device, int n) {
  return std::make_unique<Cusolver>(device, n);
}

}  // namespace simscope::lab::linear_algebra

#else

namespace simscope::lab::linear_algebra {

std::unique_ptr<Solver> makeCusolver(const compute::DevicePtr&, int) {
  throw Error("this program was built without cuSOLVER's headers");
}

}  // namespace simscope::lab::linear_algebra

#endif
