// CUDA's share, by CUB (part of the toolkit). All sizes are upper bounds that the host knows.
#include "sims/nbody/tree/primitives.h"

#if SIMSCOPE_HAVE_CUDA

#include <cub/cub.cuh>

#include <algorithm>

#include "sims/compute/cuda_check.h"
#include "sims/nbody/tree/build.h"

namespace simscope::nbody::tree {
namespace {

// Each of CUB's algorithms, called without workspace, only tells how many bytes of it it needs.

cudaError_t findBounds(const Arrays& a, void* scratch, std::size_t& bytes, cudaStream_t stream) {
  return cub::DeviceReduce::TransformReduce(scratch, bytes, a.sources, a.bounds, a.n, MergeBounds{},
                                            BoundsOf{a.sources}, kNoBounds, stream);
}

cudaError_t findSpread(const Arrays& a, void* scratch, std::size_t& bytes, cudaStream_t stream) {
  return cub::DeviceReduce::TransformReduce(scratch, bytes, a.sources, a.spread, a.n, MergeSpread{},
                                            SpreadOf{a.sources, a.bounds, a.n}, Spread{}, stream);
}

cudaError_t sumCells(const Arrays& a, void* scratch, std::size_t& bytes, cudaStream_t stream) {
  return cub::DeviceScan::ExclusiveSum(scratch, bytes, a.starting, a.first_cell, a.n, stream);
}

cudaError_t sortCells(const Arrays& a, void* scratch, std::size_t& bytes, cudaStream_t stream) {
  static_assert(kNoLevel < 32);
  return cub::DeviceRadixSort::SortPairs(scratch, bytes, static_cast<const std::uint8_t*>(a.level), a.sorted_level,
                                         static_cast<const std::uint32_t*>(a.place), a.order,
                                         static_cast<int>(a.capacity), 0, 5, stream);
}

struct BodySort {
  cub::DoubleBuffer<std::uint64_t> keys;
  cub::DoubleBuffer<std::uint32_t> index;

  explicit BodySort(const Arrays& a) : keys(a.keys, a.other_keys), index(a.index, a.other_index) {}
  cudaError_t operator()(const Arrays& a, void* scratch, std::size_t& bytes, cudaStream_t stream) {
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, index, a.n, 0, 3 * kLevels, stream);
  }
};

template <class Algorithm>
void run(compute::Device& device, const Arrays& a, Algorithm&& algorithm) {
  std::size_t bytes = a.scratch_bytes;
  SIMSCOPE_CUDA_CHECK(algorithm(a, a.scratch, bytes, static_cast<cudaStream_t>(device.stream())));
  device.countLaunches();
}

}  // namespace

std::size_t scratchBytesOnCuda(compute::Device& device, int n) {
  Arrays a{};
  a.n = n;
  a.capacity = cellCapacity(n);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  std::size_t most = 0;
  const auto ask = [&](auto&& algorithm) {
    std::size_t bytes = 0;
    SIMSCOPE_CUDA_CHECK(algorithm(a, nullptr, bytes, stream));
    most = std::max(most, bytes);
  };
  ask(findBounds);
  ask(findSpread);
  ask(sumCells);
  ask(sortCells);
  ask(BodySort(a));
  return most;
}

void boundsOnCuda(compute::Device& device, const Arrays& a) {
  run(device, a, findBounds);
}

void spreadOnCuda(compute::Device& device, const Arrays& a) {
  run(device, a, findSpread);
}

void sortBodiesOnCuda(compute::Device& device, Arrays& a) {
  BodySort sort(a);
  run(device, a, sort);
  a.keys = sort.keys.Current();
  a.other_keys = sort.keys.Alternate();
  a.index = sort.index.Current();
  a.other_index = sort.index.Alternate();
}

void sumCellsOnCuda(compute::Device& device, const Arrays& a) {
  run(device, a, sumCells);
}

void sortCellsOnCuda(compute::Device& device, const Arrays& a) {
  run(device, a, sortCells);
}

}  // namespace simscope::nbody::tree

#endif  // SIMSCOPE_HAVE_CUDA
