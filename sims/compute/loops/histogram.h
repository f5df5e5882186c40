// Counting on the device: histograms, and points scattered into a plane. Whole numbers only, so that the result is
// exact: the same on both backends and for any number of threads.
//
//   histogram(device, n, bin_of, counts, bins)   counts[b] becomes how many i in [0, n) have bin_of(i) == b. The
//                                    former counts are lost.
//   scatter(device, n, cell_of, plane, width, height)             adds 1 to the cell of each i ...
//   scatter(device, n, cell_of, value_of, plane, width, height)   ... or value_of(i). What the plane held before stays:
//                                    several groups of points can go into one, and the caller zeroes it.
//
// bin_of(i): an int; a negative one or one of at least `bins` is not counted. cell_of(i): a PlaneCell; one outside the
// plane is not counted. From real numbers: compute::wholeWithin(floor(at), -1, bins), which sends NaN to -1. Without
// the floor everything above -1 would be in bin 0.
// counts, plane: device memory of std::uint32_t or std::uint64_t; the plane is row-major. Sums wrap around at their
// type's end. value_of(i) is of the same type: real weights go in as multiples of a unit (fixed point), since sums of
// rounded numbers would depend on their order.
//
// Device sources (*.cu) only, functors as for sims/compute/loops/parallel.h. Enqueued on the device's stream; on the
// CPU done when the call returns. Errors: as Device.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sims/compute/loops/parallel.h"

namespace simscope::compute {

struct PlaneCell {
  int x, y;
};

namespace detail {

struct One {
  SIMSCOPE_HD std::uint32_t operator()(std::size_t) const { return 1; }
};

// Places in the array of counts, from 0 on; -1: none.
template <class BinOf>
struct PlaceOfBin {
  BinOf bin_of;
  int bins;
  SIMSCOPE_HD std::ptrdiff_t operator()(std::size_t i) const {
    const int bin = bin_of(i);
    return bin >= 0 && bin < bins ? bin : -1;
  }
};
template <class CellOf>
struct PlaceOfCell {
  CellOf cell_of;
  int width, height;
  SIMSCOPE_HD std::ptrdiff_t operator()(std::size_t i) const {
    const PlaneCell cell = cell_of(i);
    if (cell.x < 0 || cell.y < 0 || cell.x >= width || cell.y >= height) return -1;
    return static_cast<std::ptrdiff_t>(cell.y) * width + cell.x;
  }
};

template <class Count>
SIMSCOPE_HD inline void addAtomically(Count& to, Count value) {
#if defined(__CUDA_ARCH__)
  using Word = std::conditional_t<sizeof(Count) == 4, unsigned, unsigned long long>;
  atomicAdd(reinterpret_cast<Word*>(&to), static_cast<Word>(value));
#else
  std::atomic_ref(to).fetch_add(value, std::memory_order_relaxed);
#endif
}

template <class Count, class PlaceOf, class ValueOf>
struct AddEach {
  PlaceOf place_of;
  ValueOf value_of;
  Count* counts;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::ptrdiff_t place = place_of(i);
    if (place >= 0) addAtomically(counts[place], static_cast<Count>(value_of(i)));
  }
};

// On the CPU each block of elements has counts of its own.
template <class Count, class PlaceOf, class ValueOf>
struct AddToOwn {
  PlaceOf place_of;
  ValueOf value_of;
  std::size_t n, blocks, places;
  Count* counts;  // blocks · places

  static void run(const void* context, std::size_t block) {
    const AddToOwn& self = *static_cast<const AddToOwn*>(context);
    const PlaceOf place_of = self.place_of;
    const ValueOf value_of = self.value_of;
    Count* const own = self.counts + block * self.places;
    const std::size_t each = (self.n - 1) / self.blocks + 1, end = std::min(self.n, (block + 1) * each);
    for (std::size_t i = block * each; i < end; ++i) {
      const std::ptrdiff_t place = place_of(i);
      if (place >= 0) own[place] += static_cast<Count>(value_of(i));
    }
  }
};
template <class Count>
struct SumOfOwn {
  const Count* own;
  std::size_t blocks, places;
  Count* counts;
  void operator()(std::size_t place) const {
    Count sum = counts[place];
    for (std::size_t block = 0; block < blocks; ++block) sum += own[block * places + place];
    counts[place] = sum;
  }
};

template <class Count, class PlaceOf, class ValueOf>
void addOnCpu(Device& device, std::size_t n, const PlaceOf& place_of, const ValueOf& value_of, Count* counts,
              std::size_t places) {
  using Own = AddToOwn<Count, PlaceOf, ValueOf>;
  const std::size_t threads = static_cast<std::size_t>(device.info().threads);
  // Several blocks a thread balance the load, where there are few counts compared with the elements.
  const std::size_t wanted = threads == 1 ? 1 : 16 * threads * places <= n ? 4 * threads : threads;
  const std::size_t blocks = std::min(wanted, (n - 1) / kParallelGrain + 1);
  if (blocks == 1) {
    const Own loop{place_of, value_of, n, 1, places, counts};
    device.countLaunches();
    Own::run(&loop, 0);
  } else if (blocks * places <= n) {
    std::vector<Count> own(blocks * places);
    const Own loop{place_of, value_of, n, blocks, places, own.data()};
    device.countLaunches();
    runBlocks(device, blocks, &Own::run, &loop);
    forEachOnCpu(device, places, SumOfOwn<Count>{own.data(), blocks, places, counts}, kParallelGrain / blocks);
  } else {  // clearing and summing that many counts would take longer than counting
    forEachOnCpu(device, n, AddEach<Count, PlaceOf, ValueOf>{place_of, value_of, counts}, kParallelGrain);
  }
}

#if SIMSCOPE_HAVE_CUDA

namespace kernels {

// Each block of threads counts in its shared memory and adds its counts to the total at the end. Own: Count, or 32 bits
// where a block's counts fit.
template <class Own, class Count, class PlaceOf, class ValueOf>
__global__ void __launch_bounds__(kThreads)
    addByBlocks(std::size_t n, PlaceOf place_of, ValueOf value_of, Count* counts, unsigned places) {
  extern __shared__ unsigned long long block_counts[];
  Own* const own = reinterpret_cast<Own*>(block_counts);
  for (unsigned place = threadIdx.x; place < places; place += kThreads) own[place] = 0;
  __syncthreads();
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kThreads;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * kThreads + threadIdx.x; i < n; i += stride) {
    const std::ptrdiff_t place = place_of(i);
    if (place >= 0) addAtomically(own[place], static_cast<Own>(value_of(i)));
  }
  __syncthreads();
  for (unsigned place = threadIdx.x; place < places; place += kThreads) {
    if (own[place] != 0) addAtomically(counts[place], static_cast<Count>(own[place]));
  }
}

}  // namespace kernels

template <class Count, class PlaceOf, class ValueOf>
void addOnCuda(Device& device, std::size_t n, const PlaceOf& place_of, const ValueOf& value_of, Count* counts,
               std::size_t places) {
  using Own = std::conditional_t<std::is_same_v<ValueOf, One>, std::uint32_t, Count>;
  constexpr std::size_t kShared = 48 * 1024;  // bytes that any kernel may have
  const auto processors = static_cast<std::size_t>(device.info().threads);
  // A block that counts fewer elements than there are places would write more than it reads.
  const std::size_t worthwhile = n / std::max<std::size_t>(places, kThreads);
  if (places * sizeof(Own) > kShared || worthwhile < processors) {
    forEachOnCuda(device, n, AddEach<Count, PlaceOf, ValueOf>{place_of, value_of, counts});
    return;
  }
  const std::size_t blocks = std::max(std::min(worthwhile, 8 * processors), n >> 31);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernels::addByBlocks<Own><<<static_cast<unsigned>(blocks), kThreads, places * sizeof(Own), stream>>>(
      n, place_of, value_of, counts, static_cast<unsigned>(places));
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
  device.countLaunches();
}

#endif  // SIMSCOPE_HAVE_CUDA

template <class Count, class PlaceOf, class ValueOf>
void addAtPlaces(Device& device, std::size_t n, const PlaceOf& place_of, const ValueOf& value_of, Count* counts,
                 std::size_t places) {
  static_assert(std::is_same_v<Count, std::uint32_t> || std::is_same_v<Count, std::uint64_t>,
                "counts are std::uint32_t or std::uint64_t");
  if (n == 0 || places == 0) return;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) return addOnCuda(device, n, place_of, value_of, counts, places);
#endif
  addOnCpu(device, n, place_of, value_of, counts, places);
}

}  // namespace detail

template <class BinOf, class Count>
void histogram(Device& device, std::size_t n, const BinOf& bin_of, Count* counts, int bins) {
  if (bins <= 0) return;
  const auto places = static_cast<std::size_t>(bins);
  device.zero(counts, places * sizeof(Count));
  detail::addAtPlaces(device, n, detail::PlaceOfBin<BinOf>{bin_of, bins}, detail::One{}, counts, places);
}

template <class CellOf, class ValueOf, class Count>
void scatter(Device& device, std::size_t n, const CellOf& cell_of, const ValueOf& value_of, Count* plane, int width,
             int height) {
  if (width <= 0 || height <= 0) return;
  detail::addAtPlaces(device, n, detail::PlaceOfCell<CellOf>{cell_of, width, height}, value_of, plane,
                      static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
}

template <class CellOf, class Count>
void scatter(Device& device, std::size_t n, const CellOf& cell_of, Count* plane, int width, int height) {
  scatter(device, n, cell_of, detail::One{}, plane, width, height);
}

template <class BinOf, class Count>
void histogram(const DevicePtr& device, std::size_t n, const BinOf& bin_of, Count* counts, int bins) {
  histogram(*device, n, bin_of, counts, bins);
}

template <class CellOf, class ValueOf, class Count>
void scatter(const DevicePtr& device, std::size_t n, const CellOf& cell_of, const ValueOf& value_of, Count* plane,
             int width, int height) {
  scatter(*device, n, cell_of, value_of, plane, width, height);
}

template <class CellOf, class Count>
void scatter(const DevicePtr& device, std::size_t n, const CellOf& cell_of, Count* plane, int width, int height) {
  scatter(*device, n, cell_of, detail::One{}, plane, width, height);
}

}  // namespace simscope::compute
