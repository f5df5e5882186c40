#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/loops/detail/scan_sort_cuda.h"

namespace simscope::compute::detail {

template <class T>
void scanOnCuda(Device& device, bool inclusive, const T* values, T* sums, int n, void* scratch, std::size_t& bytes) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  SIMSCOPE_CUDA_CHECK(inclusive ? cub::DeviceScan::InclusiveSum(scratch, bytes, values, sums, n, stream)
                                : cub::DeviceScan::ExclusiveSum(scratch, bytes, values, sums, n, stream));
  if (scratch) device.countLaunches();
}

template <class Key>
void sortOnCuda(Device& device, Pairs<Key>& pairs, int n, int bits, void* scratch, std::size_t& bytes) {
  const auto stream = static_cast<cudaStream_t>(device.stream());
  cub::DoubleBuffer<Key> keys(pairs.keys, pairs.other_keys);
  cub::DoubleBuffer<std::uint32_t> values(pairs.values, pairs.other_values);
  SIMSCOPE_CUDA_CHECK(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, values, n, 0, bits, stream));
  if (!scratch) return;
  pairs = {keys.Current(), values.Current(), keys.Alternate(), values.Alternate()};
  device.countLaunches();
}

template void scanOnCuda(Device&, bool, const std::uint32_t*, std::uint32_t*, int, void*, std::size_t&);
template void scanOnCuda(Device&, bool, const std::uint64_t*, std::uint64_t*, int, void*, std::size_t&);
template void sortOnCuda(Device&, Pairs<std::uint8_t>&, int, int, void*, std::size_t&);
template void sortOnCuda(Device&, Pairs<std::uint32_t>&, int, int, void*, std::size_t&);
template void sortOnCuda(Device&, Pairs<std::uint64_t>&, int, int, void*, std::size_t&);

}  // namespace simscope::compute::detail
