#include "sims/heat/adi.h"

#if SIMSCOPE_HAVE_CUDA

#include "sims/compute/cuda_check.h"

namespace simscope::heat {
namespace kernels {

constexpr int kTile = 32, kTileRows = 8;

struct Solver {
  const double* scale;
  const double* back;
  const double* q;
  double h, tail, denominator;
  bool closed;
};

// The part d of every cell, turned over the diagonal: turned(x, y) = d(y, x).
__global__ void explicitPartTurned(const float* __restrict__ u, float* __restrict__ turned, int n, Boundary boundary,
                                   double h) {
  __shared__ float tile[kTile][kTile + 1];
  const int x0 = static_cast<int>(blockIdx.x) * kTile, y0 = static_cast<int>(blockIdx.y) * kTile;
  const int lane = static_cast<int>(threadIdx.x);
  for (int j = static_cast<int>(threadIdx.y); j < kTile; j += kTileRows) {
    const int x = x0 + lane, y = y0 + j;
    if (x >= n || y >= n) continue;
    const bool wall = boundary == Boundary::Fixed && (y == 0 || y == n - 1), periodic = boundary == Boundary::Periodic;
    const int up = y > 0 ? y - 1 : periodic ? n - 1 : y, down = y < n - 1 ? y + 1 : periodic ? 0 : y;
    const auto at = [&](int row) { return u[static_cast<std::size_t>(row) * n + x]; };
    tile[j][lane] = wall ? 0.0f : adiExplicitPart(at(y), at(up), at(down), h);
  }
  __syncthreads();
  for (int j = static_cast<int>(threadIdx.y); j < kTile; j += kTileRows) {
    const int y = y0 + lane, x = x0 + j;
    if (x < n && y < n) turned[static_cast<std::size_t>(x) * n + y] = tile[lane][j];
  }
}

__global__ void turn(const float* __restrict__ from, float* __restrict__ to, int n) {
  __shared__ float tile[kTile][kTile + 1];
  const int x0 = static_cast<int>(blockIdx.x) * kTile, y0 = static_cast<int>(blockIdx.y) * kTile;
  const int lane = static_cast<int>(threadIdx.x);
  for (int j = static_cast<int>(threadIdx.y); j < kTile; j += kTileRows) {
    const int x = x0 + lane, y = y0 + j;
    if (x < n && y < n) tile[j][lane] = from[static_cast<std::size_t>(y) * n + x];
  }
  __syncthreads();
  for (int j = static_cast<int>(threadIdx.y); j < kTile; j += kTileRows) {
    const int y = y0 + lane, x = x0 + j;
    if (x < n && y < n) to[static_cast<std::size_t>(x) * n + y] = tile[lane][j];
  }
}

// 2u* - d of every cell, in place of u*.
__global__ void secondRightSide(const float* __restrict__ u, float* __restrict__ star, int n, Boundary boundary,
                                double h) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= n || y >= n) return;
  const bool periodic = boundary == Boundary::Periodic;
  const int up = y > 0 ? y - 1 : periodic ? n - 1 : y, down = y < n - 1 ? y + 1 : periodic ? 0 : y;
  const auto at = [&](int row) { return u[static_cast<std::size_t>(row) * n + x]; };
  const std::size_t here = static_cast<std::size_t>(y) * n + x;
  const float d = adiExplicitPart(at(y), at(up), at(down), h);
  star[here] = static_cast<float>(2.0 * static_cast<double>(star[here]) - static_cast<double>(d));
}

// One system a thread: column j of `work` holds its right-hand side, column j of `out` takes the solution.
// work and out may be the same array.
__global__ void solveColumns(float* work, float* out, int n, Solver s) {
  const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (j >= n) return;
  constexpr int kAhead = 8;  // loads that are under way while the recurrence waits for nothing else
  double carry = 0;
  for (int i0 = 0; i0 < n; i0 += kAhead) {
    float d[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) d[k] = i0 + k < n ? work[static_cast<std::size_t>(i0 + k) * n + j] : 0.0f;
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (i0 + k < n) {
        carry = (static_cast<double>(d[k]) + s.h * carry) * s.scale[i0 + k];
        work[static_cast<std::size_t>(i0 + k) * n + j] = static_cast<float>(carry);
      }
    }
  }
  carry = 0;
  float first = 0, last = 0;
  for (int i0 = n - 1; i0 >= 0; i0 -= kAhead) {
    float d[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) d[k] = i0 - k >= 0 ? work[static_cast<std::size_t>(i0 - k) * n + j] : 0.0f;
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (i0 - k >= 0) {
        carry = static_cast<double>(d[k]) + s.back[i0 - k] * carry;
        first = static_cast<float>(carry);
        if (i0 - k == n - 1) last = first;
        out[static_cast<std::size_t>(i0 - k) * n + j] = first;
      }
    }
  }
  if (!s.closed) return;
  const double share = (static_cast<double>(first) + s.tail * static_cast<double>(last)) * s.denominator;
  for (int i = 0; i < n; ++i) {
    float& value = out[static_cast<std::size_t>(i) * n + j];
    value = static_cast<float>(static_cast<double>(value) - share * s.q[i]);
  }
}

}  // namespace kernels

compute::Buffer<double> uploadFactors(const compute::DevicePtr& device, const AdiFactors& factors) {
  std::vector<double> all(factors.scale);
  all.insert(all.end(), factors.back.begin(), factors.back.end());
  all.insert(all.end(), factors.q.begin(), factors.q.end());
  all.resize(3 * factors.scale.size());
  return compute::Buffer<double>(device, std::span<const double>(all));
}

void adiStepOnCuda(compute::Device& device, float* u, float* scratch, float* turned, int n, Boundary boundary,
                   const AdiFactors& factors, const double* on_device) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  const kernels::Solver solver{on_device,    on_device + n,       on_device + 2 * n, factors.h,
                               factors.tail, factors.denominator, factors.closed};
  const unsigned tiles = (static_cast<unsigned>(n) + kernels::kTile - 1) / kernels::kTile;
  const dim3 grid(tiles, tiles), threads(kernels::kTile, kernels::kTileRows);
  const dim3 rows(tiles, (static_cast<unsigned>(n) + kernels::kTileRows - 1) / kernels::kTileRows);
  constexpr unsigned kLines = 32;  // a block's; few, so that the lines spread over the device
  const unsigned blocks = (static_cast<unsigned>(n) + kLines - 1) / kLines;
  kernels::explicitPartTurned<<<grid, threads, 0, stream>>>(u, turned, n, boundary, factors.h);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  kernels::solveColumns<<<blocks, kLines, 0, stream>>>(turned, turned, n, solver);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  kernels::turn<<<grid, threads, 0, stream>>>(turned, scratch, n);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  kernels::secondRightSide<<<rows, threads, 0, stream>>>(u, scratch, n, boundary, factors.h);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  kernels::solveColumns<<<blocks, kLines, 0, stream>>>(scratch, u, n, solver);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches(5);
}

}  // namespace simscope::heat

#endif  // SIMSCOPE_HAVE_CUDA
