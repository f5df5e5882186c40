#include "sims/eigenstates/solver.h"

#include "sims/compute/loops/parallel.h"
#include "sims/eigenstates/sturm.h"

namespace simscope::eigenstates {

#if SIMSCOPE_HAVE_CUDA

namespace kernels {

inline constexpr int kParts = 128, kTile = 1024;

// A block finds an eigenvalue: each thread counts at one place, and the next round searches the interval between two
// places; ten rounds for all 64 bits. The diagonal comes through shared memory, a tile at a time.
__global__ void __launch_bounds__(kParts)
    multisect(const double* diagonal, int n, double off2, double low, double high, double* eigenvalues) {
  __shared__ double tile[kTile];
  __shared__ int first_above;
  const int thread = static_cast<int>(threadIdx.x), wanted = static_cast<int>(blockIdx.x);
  auto from = static_cast<std::uint64_t>(orderOf(low)), to = static_cast<std::uint64_t>(orderOf(high));
  while (to - from > 1) {  // the same in all threads
    const std::uint64_t apart = to - from, part = apart / (kParts + 1), rest = apart % (kParts + 1);
    // Place j of 128, in ascending order; where there are fewer doubles than places, several are equal.
    const auto placeOf = [&](int j) {
      const auto steps = static_cast<std::uint64_t>(j + 1);
      return from + part * steps + (steps < rest ? steps : rest);
    };
    const double lambda = fromOrder(static_cast<std::int64_t>(placeOf(thread)));
    int below = 0;
    double pivot = 1;
    for (int start = 0; start < n; start += kTile) {
      const int size = min(kTile, n - start);
      __syncthreads();
      for (int i = thread; i < size; i += kParts) tile[i] = diagonal[start + i];
      __syncthreads();
      int i = 0;
      if (start == 0) {
        pivot = tile[0] - lambda;
        below += pivot < 0;
        i = 1;
      }
#pragma unroll 4
      for (; i < size; ++i) {
        pivot = (tile[i] - lambda) - off2 / pivot;
        below += pivot < 0;
      }
    }
    if (thread == 0) first_above = kParts;
    __syncthreads();
    if (below > wanted) atomicMin(&first_above, thread);
    __syncthreads();
    const int above = first_above;
    const std::uint64_t new_to = above < kParts ? placeOf(above) : to;
    if (above > 0) from = placeOf(above - 1);
    to = new_to;
    __syncthreads();
  }
  if (thread == 0) eigenvalues[wanted] = fromOrder(static_cast<std::int64_t>(to));
}

}  // namespace kernels

#endif

std::vector<double> lowestEigenvalues(compute::Device& device, const Tridiagonal& matrix, int count) {
  compute::Buffer<double> found(device.shared_from_this(), static_cast<std::size_t>(count));
  const double off2 = matrix.off * matrix.off;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    const auto stream = static_cast<cudaStream_t>(device.stream());
    kernels::multisect<<<static_cast<unsigned>(count), kernels::kParts, 0, stream>>>(
        matrix.diagonal, matrix.n, off2, matrix.low, matrix.high, found.data());
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device.countLaunches();
    return found.toHost();
  }
#endif
  bisect(matrix.diagonal, matrix.n, off2, matrix.low, matrix.high, found.data(), count);
  return found.toHost();
}

}  // namespace simscope::eigenstates
