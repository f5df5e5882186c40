#include <fmt/format.h>

#if __has_include(<cblas.h>)
#include <cblas.h>
#else
#include <openblas/cblas.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "app/lab/lessons/matrix_product/matrix_product.h"
#include "sims/compute/buffer.h"
#include "sims/compute/lapack.h"

#if SIMSCOPE_HAVE_CUDA && __has_include(<cublas_v2.h>)
#define SIMSCOPE_LAB_CUBLAS 1
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_library.h"
#endif

namespace simscope::lab::matrix_product {
namespace {

template <class T>
struct Three {
  compute::Buffer<T> a, b;
  compute::Buffer<T> c;
};

template <class T, class Out = T>
std::vector<double> widened(const compute::Buffer<Out>& c) {
  const std::vector<Out> host = c.toHost();
  return {host.begin(), host.end()};
}

template <class T>
std::shared_ptr<Three<T>> three(const compute::DevicePtr& device, const Factors& f) {
  const std::vector<T> a(f.a.begin(), f.a.end()), b(f.b.begin(), f.b.end());
  return std::make_shared<Three<T>>(Three<T>{{device, a}, {device, b}, {device, a.size()}});
}

void gemm(int n, const double* a, const double* b, double* c) {
  SIMSCOPE_LAPACK(cblas_dgemm)(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}
void gemm(int n, const float* a, const float* b, float* c) {
  SIMSCOPE_LAPACK(cblas_sgemm)(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

template <class T>
Multiplier blas(const char* title, double tolerance, Format format, const compute::DevicePtr& device) {
  return {title, device, tolerance, format, [device](const Factors& f) {
            const auto data = three<T>(device, f);
            return Prepared{[data, n = f.n] { gemm(n, data->a.data(), data->b.data(), data->c.data()); },
                            [data] { return widened<T>(data->c); }};
          }};
}

}  // namespace

Factors factors(int n) {
  Factors f{.n = n, .a = {}, .b = {}};
  std::uint32_t state = 1;
  const auto next = [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<float>(state >> 8) * 0x1p-23f - 1;
  };
  const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  f.a.resize(count);
  f.b.resize(count);
  std::generate(f.a.begin(), f.a.end(), next);
  std::generate(f.b.begin(), f.b.end(), next);
  return f;
}

double relativeError(const Factors& f, const std::vector<double>& product, int samples) {
  const auto n = static_cast<std::size_t>(f.n);
  long double errors = 0, squares = 0;
  for (std::size_t s = 0; s < static_cast<std::size_t>(samples); ++s) {
    const std::size_t y = (s * 7919 + n - 1) % n, x = (s * 104729 + s / n + n - 1) % n;
    long double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += static_cast<long double>(f.a[y * n + k]) * f.b[k * n + x];
    const long double error = product[y * n + x] - sum;
    errors += error * error;
    squares += sum * sum;
  }
  return static_cast<double>(std::sqrt(errors / squares));
}

void addBlas(std::vector<Multiplier>& all, const Bench& bench) {
  all.push_back(blas<float>("CPU, BLAS, float32", 1e-5, Format::Float32, bench.cpu));
  all.push_back(blas<double>("CPU, BLAS, float64", 1e-13, Format::Float64, bench.cpu));
}

#if SIMSCOPE_LAB_CUBLAS
namespace {

compute::CudaLibrary cublas("cuBLAS", "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR));

void check(cublasStatus_t status, const char* call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  (void)cudaGetLastError();
  const std::string message = fmt::format("{} failed with cuBLAS's status {}", call, static_cast<int>(status));
  if (status == CUBLAS_STATUS_ALLOC_FAILED) throw OutOfMemory(message, 0);
  throw Error(message);
}

#define SIMSCOPE_CUBLAS(name, ...) check(SIMSCOPE_CUDA_FUNCTION(cublas, name)(__VA_ARGS__), #name)

class Handle {
 public:
  explicit Handle(compute::DevicePtr device) : device_(std::move(device)) {
    const auto stream = static_cast<cudaStream_t>(device_->stream());
    SIMSCOPE_CUBLAS(cublasCreate_v2, &handle_);
    try {
      SIMSCOPE_CUBLAS(cublasSetStream_v2, handle_, stream);
    } catch (...) {
      (void)SIMSCOPE_CUDA_FUNCTION(cublas, cublasDestroy_v2)(handle_);
      throw;
    }
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    (void)device_->stream();
    (void)SIMSCOPE_CUDA_FUNCTION(cublas, cublasDestroy_v2)(handle_);
  }
  cublasHandle_t get() const { return handle_; }
  const compute::DevicePtr& device() const { return device_; }

 private:
  compute::DevicePtr device_;
  cublasHandle_t handle_ = nullptr;
};
using HandlePtr = std::shared_ptr<Handle>;

// Columns are cuBLAS's order: Cᵀ = Bᵀ·Aᵀ is C in rows.
void gemm(const Handle& handle, int n, const double* a, const double* b, double* c) {
  const double one = 1, zero = 0;
  SIMSCOPE_CUBLAS(cublasDgemm_v2, handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}
void gemm(const Handle& handle, int n, const float* a, const float* b, float* c) {
  const float one = 1, zero = 0;
  SIMSCOPE_CUBLAS(cublasSgemm_v2, handle.get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, b, n, a, n, &zero, c, n);
}

template <class T>
Multiplier cublasWay(const char* title, double tolerance, Format format, const HandlePtr& handle, cublasMath_t mode) {
  return {title, handle->device(), tolerance, format, [handle, mode](const Factors& f) {
            const auto data = three<T>(handle->device(), f);
            return Prepared{[handle, data, mode, n = f.n] {
                              (void)handle->device()->stream();
                              SIMSCOPE_CUBLAS(cublasSetMathMode, handle->get(), mode);
                              gemm(*handle, n, data->a.data(), data->b.data(), data->c.data());
                            },
                            [data] { return widened<T>(data->c); }};
          }};
}

// Factors in float16, sums in float32. cublasGemmEx has an older signature of the same name beside it, so that its type
// is said here.
Multiplier halfWay(const char* title, double tolerance, const HandlePtr& handle) {
  using Gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                              const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                              cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
  Gemm* const multiply = cublas.function<Gemm>("cublasGemmEx");
  return {title, handle->device(), tolerance, Format::Float16, [handle, multiply](const Factors& f) {
            struct Halves {
              compute::Buffer<__half> a, b;
              compute::Buffer<float> c;
            };
            const auto halves = [](const std::vector<float>& from) {
              std::vector<__half> to;
              to.reserve(from.size());
              for (const float each : from) to.push_back(__float2half(each));
              return to;
            };
            const compute::DevicePtr& device = handle->device();
            const std::vector<__half> a = halves(f.a), b = halves(f.b);
            const auto data = std::make_shared<Halves>(Halves{{device, a}, {device, b}, {device, a.size()}});
            return Prepared{[handle, multiply, data, n = f.n] {
                              const float one = 1, zero = 0;
                              (void)handle->device()->stream();
                              check(multiply(handle->get(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, data->b.data(),
                                             CUDA_R_16F, n, data->a.data(), CUDA_R_16F, n, &zero, data->c.data(),
                                             CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
                                    "cublasGemmEx");
                            },
                            [data] { return widened<float>(data->c); }};
          }};
}

}  // namespace

void addCublas(std::vector<Multiplier>& all, const Bench& bench, std::vector<std::string>& notes) {
  if (!bench.cuda) return;
  usable(notes, "No cuBLAS", [&] {
    const auto handle = std::make_shared<Handle>(bench.cuda);
    all.push_back(cublasWay<double>("GPU, cuBLAS, float64", 1e-13, Format::Float64, handle, CUBLAS_DEFAULT_MATH));
    all.push_back(cublasWay<float>("GPU, cuBLAS, float32", 1e-5, Format::Float32, handle, CUBLAS_DEFAULT_MATH));
    int major = 0;
    SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, bench.cuda->info().index));
    if (major >= 8) {
      all.push_back(cublasWay<float>("GPU, cuBLAS, TF32", 2e-3, Format::Tf32, handle, CUBLAS_TF32_TENSOR_OP_MATH));
    } else {
      notes.push_back("TF32: this GPU's tensor cores lack the format, which Ampere introduced");
    }
    all.push_back(halfWay("GPU, cuBLAS, float16", 2e-3, handle));
  });
}

#undef SIMSCOPE_CUBLAS
#else

void addCublas(std::vector<Multiplier>&, const Bench& bench, std::vector<std::string>& notes) {
  if (bench.cuda) notes.push_back("No cuBLAS: this program was built without its headers");
}

#endif

}  // namespace simscope::lab::matrix_product
