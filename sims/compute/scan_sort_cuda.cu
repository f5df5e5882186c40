#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "sims/compute/cuda_check.h"
#include "sims/compute/detail/scan_sort_cuda.h"

namespace simscope::compute::detail {

namespace {

// CUB refuses a workspace that is too small with this before it does anything.
bool hadRoom(cudaError_t status) {
  if (status == cudaErrorInvalidValue) return false;
  SIMSCOPE_CUDA_CHECK(status);
  return true;
}

}  // namespace

template <class T>
bool scanOnCuda(Device& device, bool inclusive, const T* values, T* sums, int n, void* scratch, std::size_t& bytes) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  if (!hadRoom(inclusive ? cub::DeviceScan::InclusiveSum(scratch, bytes, values, sums, n, stream)
                         : cub::DeviceScan::ExclusiveSum(scratch, bytes, values, sums, n, stream))) {
    return false;
  }
  if (scratch) device.countLaunches();
  return true;
}

template <class Key>
bool sortOnCuda(Device& device, Pairs<Key>& pairs, int n, int bits, void* scratch, std::size_t& bytes) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  cub::DoubleBuffer<Key> keys(pairs.keys, pairs.other_keys);
  cub::DoubleBuffer<std::uint32_t> values(pairs.values, pairs.other_values);
  if (!hadRoom(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, n, 0, bits, stream))) return false;
  if (!scratch) return true;
  pairs = {keys.Current(), values.Current(), keys.Alternate(), values.Alternate()};
  device.countLaunches();
  return true;
}

template bool scanOnCuda(Device&, bool, const std::uint32_t*, std::uint32_t*, int, void*, std::size_t&);
template bool scanOnCuda(Device&, bool, const std::uint64_t*, std::uint64_t*, int, void*, std::size_t&);
template bool sortOnCuda(Device&, Pairs<std::uint8_t>&, int, int, void*, std::size_t&);
template bool sortOnCuda(Device&, Pairs<std::uint32_t>&, int, int, void*, std::size_t&);
template bool sortOnCuda(Device&, Pairs<std::uint64_t>&, int, int, void*, std::size_t&);

}  // namespace simscope::compute::detail
