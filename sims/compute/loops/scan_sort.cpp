#include "sims/compute/loops/scan_sort.h"

#include <fmt/format.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/parallel_sort.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/loops/detail/scan_sort_cuda.h"
#endif

namespace simscope::compute {
namespace {

constexpr std::size_t kScanGrain = 16384, kSortGrain = 4096, kBucketBlock = 65536;
constexpr int kFewBits = 8;
constexpr std::size_t kMostElements = std::numeric_limits<std::int32_t>::max();
constexpr std::size_t kCubTables = std::size_t{1} << 20;  // with some words for every tile of elements

// A pair on its way: `from` keeps equal keys in their order.
template <class Key>
struct Placed {
  Key key;
  std::uint32_t from, value;
  bool operator<(const Placed& other) const { return key != other.key ? key < other.key : from < other.from; }
};

[[noreturn]] void throwTooLittle(const char* call, const Scratch& scratch, std::size_t bytes) {
  throw UsageError(fmt::format("{}: {} bytes of scratch memory are too few; {} are needed", call,
                               scratch.memory ? scratch.bytes : 0, bytes));
}

void requireCount(const char* call, std::size_t n) {
  if (n <= kMostElements) return;
  throw UsageError(fmt::format("{}: n = {} is out of range: choose at most {}", call, n, kMostElements));
}

template <class Body>
void forRanges(std::size_t n, std::size_t grain, const Body& body) {
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n, grain),
                    [&](const auto& range) { body(range.begin(), range.end()); });
}

template <class T>
void scanOnCpu(Device& device, bool inclusive, const T* values, T* sums, std::size_t n) {
  const auto part = [=](const tbb::blocked_range<std::size_t>& range, T sum, bool last_time) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) {
      const T before = sum;
      sum += values[i];
      if (last_time) sums[i] = inclusive ? sum : before;
    }
    return sum;
  };
  device.run(
      [&] { tbb::parallel_scan(tbb::blocked_range<std::size_t>(0, n, kScanGrain), T{0}, part, std::plus<T>()); });
  device.countLaunches();
}

template <class T>
void scan(const char* call, Device& device, bool inclusive, const T* values, T* sums, std::size_t n,
          [[maybe_unused]] const Scratch& scratch) {
  requireCount(call, n);
  if (n == 0) return;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    std::size_t bytes = scratch.memory ? scratch.bytes : 0;
    const std::size_t needed = scanScratchBytes<T>(device, n);
    if (bytes < needed) throwTooLittle(call, scratch, needed);
    detail::scanOnCuda(device, inclusive, values, sums, static_cast<int>(n), scratch.memory, bytes);
    return;
  }
#endif
  scanOnCpu(device, inclusive, values, sums, n);
}

template <class Key>
void placeByComparing(const Pairs<Key>& pairs, std::size_t n, Placed<Key>* placed) {
  forRanges(n, kSortGrain, [=](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      placed[i] = {pairs.keys[i], static_cast<std::uint32_t>(i), pairs.values[i]};
    }
  });
  tbb::parallel_sort(placed, placed + n);
}

// Where there are few different keys, each has a bucket, and a pair is moved once: oneTBB has only a sort that
// compares.
template <class Key>
void placeInBuckets(const Pairs<Key>& pairs, std::size_t n, int bits, Placed<Key>* placed) {
  const std::size_t buckets = std::size_t{1} << bits, blocks = (n - 1) / kBucketBlock + 1;
  std::vector<std::uint32_t> next(blocks * buckets);  // how many there are; then where the next one goes
  const auto each = [&](const auto& body) {
    forRanges(blocks, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t block = first; block < last; ++block) {
        std::uint32_t* const own = next.data() + block * buckets;
        const std::size_t end = std::min(n, (block + 1) * kBucketBlock);
        for (std::size_t i = block * kBucketBlock; i < end; ++i) body(i, own[pairs.keys[i] & (buckets - 1)]);
      }
    });
  };
  each([](std::size_t, std::uint32_t& count) { ++count; });
  std::uint32_t sum = 0;
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
    for (std::size_t block = 0; block < blocks; ++block) {
      sum += std::exchange(next[block * buckets + bucket], sum);
    }
  }
  each([&](std::size_t i, std::uint32_t& to) { placed[to++] = {pairs.keys[i], 0, pairs.values[i]}; });
}

template <class Key>
void sortOnCpu(Device& device, const Pairs<Key>& pairs, std::size_t n, int bits, Placed<Key>* placed) {
  device.run([&] {
    if (bits <= kFewBits) {
      placeInBuckets(pairs, n, bits, placed);
    } else {
      placeByComparing(pairs, n, placed);
    }
    forRanges(n, kSortGrain, [=](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        pairs.keys[i] = placed[i].key;
        pairs.values[i] = placed[i].value;
      }
    });
  });
  device.countLaunches();
}

}  // namespace

template <class T>
std::size_t scanScratchBytes(Backend backend, std::size_t n) {
  return backend == Backend::Cpu ? 0 : n / 64 + kCubTables;
}

template <class T>
std::size_t scanScratchBytes([[maybe_unused]] Device& device, std::size_t n) {
  requireCount("scanScratchBytes", n);
  std::size_t bytes = 0;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda() && n > 0) {
    std::size_t other = 0;
    const T* const values = nullptr;
    T* const sums = nullptr;
    detail::scanOnCuda(device, true, values, sums, static_cast<int>(n), nullptr, bytes);
    detail::scanOnCuda(device, false, values, sums, static_cast<int>(n), nullptr, other);
    bytes = std::max(bytes, other);
  }
#endif
  return bytes;
}

template <class T>
void exclusiveScan(Device& device, const T* values, T* sums, std::size_t n, const Scratch& scratch) {
  scan("exclusiveScan", device, false, values, sums, n, scratch);
}

template <class T>
void inclusiveScan(Device& device, const T* values, T* sums, std::size_t n, const Scratch& scratch) {
  scan("inclusiveScan", device, true, values, sums, n, scratch);
}

template <class Key>
std::size_t sortScratchBytes(Backend backend, std::size_t n) {
  return backend == Backend::Cpu ? n * sizeof(Placed<Key>) : n + kCubTables;
}

template <class Key>
std::size_t sortScratchBytes(Device& device, std::size_t n) {
  requireCount("sortScratchBytes", n);
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    std::size_t bytes = 0;
    Pairs<Key> none;
    if (n > 0) detail::sortOnCuda(device, none, static_cast<int>(n), 8 * sizeof(Key), nullptr, bytes);
    return bytes;
  }
#endif
  return sortScratchBytes<Key>(device.info().backend, n);
}

template <class Key>
void sortPairs(Device& device, Pairs<Key>& pairs, std::size_t n, int bits, const Scratch& scratch) {
  constexpr int kBits = 8 * sizeof(Key);
  requireCount("sortPairs", n);
  if (bits < 0 || bits > kBits) {
    throw UsageError(
        fmt::format("sortPairs: bits = {} is out of range: choose 1 to {}, or 0 for all; the nearest is {}", bits,
                    kBits, bits < 0 ? 0 : kBits));
  }
  if (bits == 0) bits = kBits;
  if (n == 0) return;
  const std::size_t bytes = scratch.memory ? scratch.bytes : 0;
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    const std::size_t least = sortScratchBytes<Key>(device, n);
    if (bytes < least) throwTooLittle("sortPairs", scratch, least);
    std::size_t used = bytes;
    detail::sortOnCuda(device, pairs, static_cast<int>(n), bits, scratch.memory, used);
    return;
  }
#endif
  const std::size_t needed = sortScratchBytes<Key>(Backend::Cpu, n);
  if (bytes < needed) throwTooLittle("sortPairs", scratch, needed);
  sortOnCpu(device, pairs, n, bits, static_cast<Placed<Key>*>(scratch.memory));
}

#define SIMSCOPE_INSTANTIATE(T)                                                    \
  template std::size_t scanScratchBytes<T>(Device&, std::size_t);                  \
  template std::size_t scanScratchBytes<T>(Backend, std::size_t);                  \
  template void exclusiveScan(Device&, const T*, T*, std::size_t, const Scratch&); \
  template void inclusiveScan(Device&, const T*, T*, std::size_t, const Scratch&);
SIMSCOPE_INSTANTIATE(std::uint32_t)
SIMSCOPE_INSTANTIATE(std::uint64_t)
#undef SIMSCOPE_INSTANTIATE
#define SIMSCOPE_INSTANTIATE(Key)                                   \
  template std::size_t sortScratchBytes<Key>(Device&, std::size_t); \
  template std::size_t sortScratchBytes<Key>(Backend, std::size_t); \
  template void sortPairs(Device&, Pairs<Key>&, std::size_t, int, const Scratch&);
SIMSCOPE_INSTANTIATE(std::uint8_t)
SIMSCOPE_INSTANTIATE(std::uint32_t)
SIMSCOPE_INSTANTIATE(std::uint64_t)
#undef SIMSCOPE_INSTANTIATE

}  // namespace simscope::compute
