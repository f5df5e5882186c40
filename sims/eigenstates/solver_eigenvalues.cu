#include "sims/eigenstates/solver.h"

#include <algorithm>

#include "sims/compute/parallel.h"
#include "sims/eigenstates/sturm.h"

namespace simscope::eigenstates {

inline constexpr int kLanes = 8;  // eigenvalues that a thread of the processor bisects side by side: divisions overlap

struct BisectGroup {
  const double* diagonal;
  int n;
  double off2, low, high;
  int count;
  double* eigenvalues;

  SIMSCOPE_HD void operator()(std::size_t group) const {
    const int first = static_cast<int>(group) * kLanes;
    std::int64_t lows[kLanes], highs[kLanes];
    for (int lane = 0; lane < kLanes; ++lane) lows[lane] = orderOf(low), highs[lane] = orderOf(high);
    while (!done(lows, highs)) {
      std::int64_t middles[kLanes];
      double lambda[kLanes], pivot[kLanes];
      int below[kLanes];
      for (int lane = 0; lane < kLanes; ++lane) {
        // Halves of a difference that the type holds: never across more than the doubles between two bounds.
        const auto apart = static_cast<std::uint64_t>(highs[lane]) - static_cast<std::uint64_t>(lows[lane]);
        middles[lane] = static_cast<std::int64_t>(static_cast<std::uint64_t>(lows[lane]) + apart / 2);
        lambda[lane] = fromOrder(middles[lane]);
        pivot[lane] = diagonal[0] - lambda[lane];
        below[lane] = pivot[lane] < 0;
      }
      for (int i = 1; i < n; ++i) {
        const double d = diagonal[i];
        for (int lane = 0; lane < kLanes; ++lane) {
          pivot[lane] = (d - lambda[lane]) - off2 / pivot[lane];
          below[lane] += pivot[lane] < 0;
        }
      }
      for (int lane = 0; lane < kLanes; ++lane) {
        (below[lane] > first + lane ? highs[lane] : lows[lane]) = middles[lane];
      }
    }
    for (int lane = 0; lane < kLanes && first + lane < count; ++lane)
      eigenvalues[first + lane] = fromOrder(highs[lane]);
  }

  SIMSCOPE_HD static bool done(const std::int64_t* lows, const std::int64_t* highs) {
    bool all = true;
    for (int lane = 0; lane < kLanes; ++lane) {
      all = all && static_cast<std::uint64_t>(highs[lane]) - static_cast<std::uint64_t>(lows[lane]) <= 1;
    }
    return all;
  }
};

#if SIMSCOPE_HAVE_CUDA

namespace kernels {

inline constexpr int kParts = 128, kTile = 1024;

// A block finds an eigenvalue: its threads count at as many places, and the interval between two of them is what is
// searched next; ten rounds for all 64 bits. The diagonal comes through shared memory, a tile at a time.
__global__ void __launch_bounds__(kParts)
    multisect(const double* diagonal, int n, double off2, double low, double high, double* eigenvalues) {
  __shared__ double tile[kTile];
  __shared__ int first_above;
  const int thread = static_cast<int>(threadIdx.x), wanted = static_cast<int>(blockIdx.x);
  auto from = static_cast<std::uint64_t>(orderOf(low)), to = static_cast<std::uint64_t>(orderOf(high));
  while (to - from > 1) {  // the same in all threads
    const std::uint64_t apart = to - from, part = apart / (kParts + 1), rest = apart % (kParts + 1);
    // Place j of 128, in ascending order; where there are fewer doubles than places, several are the same.
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
  const BisectGroup each{matrix.diagonal, matrix.n, off2, matrix.low, matrix.high, count, found.data()};
  compute::parallelFor(device, static_cast<std::size_t>((count + kLanes - 1) / kLanes), each, 1);
  return found.toHost();
}

}  // namespace simscope::eigenstates
