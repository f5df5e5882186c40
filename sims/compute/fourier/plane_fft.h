// Parts of kernels that transform planes of N × N points (N = 64 … 4096, a power of two) with one pass over memory an
// axis: a block takes whole lines on chip (block_fft.h), rows or columns that lie side by side, and does the work
// before, between, and after their transforms in the same pass. Host and device: tests run all threads of a block.
//
// Between a pass over rows and one over columns, memory holds a row's frequencies in register order: place m of a row
// holds frequency BlockTables::frequency[m]. The columns, each a frequency of the rows, are independent of each other,
// so that no reordering is needed. In either order places are read and written without gaps.
#pragma once

#include "sims/compute/fourier/block_fft.h"

namespace simscope::compute {

// The first powers of the twiddles; lanes compute the others by multiplication, which costs less than loading them:
// BlockTables hold sixteen times as much. In device memory.
template <class T>
struct PlaneTwiddles {
  const Complex<T>* outer;   // exp(-2πi (t + h N/16)/N) at h·N/16 + t, h < kApart
  const Complex<T>* middle;  // exp(-2πi t/256), t < 16

  // From the addresses of a BlockTables' arrays.
  template <int N>
  static PlaneTwiddles of(const Complex<T>* outer, const Complex<T>* middle) {
    using Shape = BlockShape<N>;
    return {outer + (Shape::kOuter > 1 ? Shape::kApart * Shape::kThreads : 0), middle + 16};
  }
};

// w^j, 0 < j < 16.
template <class T>
SIMSCOPE_HD inline Complex<T> power(Complex<T> w, int j) {
  const Complex<T> w2 = w * w, w4 = w2 * w2, w8 = w4 * w4;
  Complex<T> low = (j & 3) == 3 ? w * w2 : (j & 1) ? w : w2;
  if (j < 4) return low;
  const Complex<T> high = j >= 12 ? w4 * w8 : j >= 8 ? w8 : w4;
  return (j & 3) == 0 ? high : low * high;
}

// A thread's share of a line.
template <int N, class T>
struct PlaneLane {
  using Shape = BlockShape<N>;
  int t = 0;
  int line = 0;  // the row, or the column
  Complex<T>* memory = nullptr;
  PlaneTwiddles<T> twiddles = {};
  Complex<T> z[16] = {};

  // exp(-2πi (t + hN/16) j/N) at q = j·kApart + h.
  SIMSCOPE_HD Complex<T> outer(int q) const {
    const int j = q / Shape::kApart, h = q % Shape::kApart;
    return power(twiddles.outer[h * Shape::kThreads + t], j);
  }
  SIMSCOPE_HD Complex<T> middle(int q) const { return power(twiddles.middle[t % 16], q); }
  // Natural order: the element that register q holds. Register order: its place.
  SIMSCOPE_HD int place(int q) const { return Shape::natural(t, q); }
};

enum class Lines {
  Rows,     // consecutive threads hold consecutive places of a row
  Columns,  // consecutive threads hold the same place of neighbouring columns: exchanges of 16 t cross warps
};

// How a block shares out kLines lines.
template <int N, class T, Lines kind, int kLines>
struct PlaneBlock {
  static constexpr int kLinesABlock = kLines;
  static constexpr int kThreads = BlockShape<N>::kThreads * kLines;
  static constexpr int kBlocks = N / kLines;
  // Lines start in different banks where the threads of a (half or quarter) warp work on different ones.
  static constexpr int kPitch =
      BlockShape<N>::kSharedElements + (kind == Lines::Columns ? (sizeof(T) == 4 ? 16 : 8) / kLines : 0);
  static constexpr std::size_t kSharedBytes = sizeof(Complex<T>) * kPitch * kLines;

  SIMSCOPE_HD static PlaneLane<N, T> lane(int thread, int block, Complex<T>* shared, PlaneTwiddles<T> twiddles) {
    const int line = kind == Lines::Columns ? thread % kLines : thread / BlockShape<N>::kThreads;
    PlaneLane<N, T> lane;
    lane.t = kind == Lines::Columns ? thread / kLines : thread % BlockShape<N>::kThreads;
    lane.line = block * kLines + line;
    lane.memory = shared + line * kPitch;
    lane.twiddles = twiddles;
    return lane;
  }
};

// The fastest of the shapes that fit (NVIDIA H200, single precision): rows by blocks of 128 threads, four of them at a
// time; enough columns side by side to fill memory sectors.
template <int N>
using PlaneRows = PlaneBlock<N, float, Lines::Rows, (N >= 2048 ? 1 : 2048 / N)>;
template <int N>
using PlaneColumns = PlaneBlock<N, float, Lines::Columns, (N == 1024 || N == 2048 || N == 256 ? 8 : 4)>;
template <int N>
inline constexpr int kPlaneRowBlocks = 512 / PlaneRows<N>::kThreads;  // at a time

#if defined(__CUDACC__)
// The team of a kernel: each thread runs its own lane.
template <int N, class T, Lines kind>
struct PlaneTeam {
  PlaneLane<N, T>& lane;

  template <class Phase>
  __device__ void each(const Phase& phase) {
    phase(lane);
  }
  __device__ Complex<T>* shared(const PlaneLane<N, T>& of) const { return of.memory; }
  __device__ void blockBarrier() { __syncthreads(); }
  __device__ void warpBarrier() {
    if constexpr (kind == Lines::Columns || BlockShape<N>::kThreads < 16) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  }
};
#endif

}  // namespace simscope::compute
