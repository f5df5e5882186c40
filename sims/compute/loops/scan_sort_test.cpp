#include "sims/compute/loops/scan_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

// Around a vector's length, a grain's, and a block's of either sort, and beyond them.
const std::vector<std::size_t> kCounts = {0, 1, 2, 31, 257, 4096, 16383, 16385, 65536, 65537, 300007};

template <class T>
std::vector<T> randomWords(std::size_t n, std::uint64_t below) {
  std::vector<T> words(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Uniform4 draw = uniform4(21, 0, i);
    const auto high = static_cast<std::uint64_t>(draw.u[0] * 4294967296.0) << 32;
    const std::uint64_t word = high | static_cast<std::uint64_t>(draw.u[1] * 4294967296.0);
    words[i] = static_cast<T>(below == 0 ? word : word % below);
  }
  return words;
}

class Memory {
 public:
  Memory(const DevicePtr& device, std::size_t bytes) : buffer_(device, bytes) {}
  Scratch scratch() { return {buffer_.data(), buffer_.size()}; }

 private:
  Buffer<unsigned char> buffer_;
};

template <class T>
void expectScans(const DevicePtr& device, std::uint64_t below) {
  for (const std::size_t n : kCounts) {
    const std::vector<T> values = randomWords<T>(n, below);
    std::vector<T> up_to(n), before(n);
    std::inclusive_scan(values.begin(), values.end(), up_to.begin());
    std::exclusive_scan(values.begin(), values.end(), before.begin(), T{0});
    const Buffer<T> from(device, values);
    Buffer<T> sums(device, n), own(device, values);
    Memory memory(device, scanScratchBytes<T>(*device, n));
    inclusiveScan(*device, from.data(), sums.data(), n, memory.scratch());
    EXPECT_TRUE(sums.toHost() == up_to) << n;
    exclusiveScan(*device, from.data(), sums.data(), n, memory.scratch());
    EXPECT_TRUE(sums.toHost() == before) << n;
    exclusiveScan(*device, own.data(), own.data(), n, memory.scratch());
    EXPECT_TRUE(own.toHost() == before) << n << ", in place";
  }
}

template <class Key>
struct Sorted {
  std::vector<Key> keys;
  std::vector<std::uint32_t> values;
};

// The places of the keys go along as values.
template <class Key>
Sorted<Key> sorted(const DevicePtr& device, const std::vector<Key>& keys, int bits) {
  const std::size_t n = keys.size();
  std::vector<std::uint32_t> places(n);
  std::iota(places.begin(), places.end(), 0u);
  Buffer<Key> own_keys(device, keys), other_keys(device, n);
  Buffer<std::uint32_t> own_values(device, places), other_values(device, n);
  Memory memory(device, sortScratchBytes<Key>(*device, n));
  Pairs<Key> pairs{own_keys.data(), own_values.data(), other_keys.data(), other_values.data()};
  sortPairs(*device, pairs, n, bits, memory.scratch());
  EXPECT_TRUE(pairs.keys == own_keys.data() || pairs.keys == other_keys.data());
  Sorted<Key> result{std::vector<Key>(n), std::vector<std::uint32_t>(n)};
  device->download(result.keys.data(), pairs.keys, n * sizeof(Key));
  device->download(result.values.data(), pairs.values, n * sizeof(std::uint32_t));
  return result;
}

template <class Key>
void expectSorts(const DevicePtr& device, std::uint64_t below, int bits) {
  for (const std::size_t n : kCounts) {
    const std::vector<Key> keys = randomWords<Key>(n, below);
    Sorted<Key> expected{keys, std::vector<std::uint32_t>(n)};
    std::iota(expected.values.begin(), expected.values.end(), 0u);
    std::stable_sort(expected.values.begin(), expected.values.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::stable_sort(expected.keys.begin(), expected.keys.end());
    const Sorted<Key> found = sorted(device, keys, bits);
    EXPECT_TRUE(found.keys == expected.keys) << n << " keys of " << bits << " bits";
    EXPECT_TRUE(found.values == expected.values) << n << " keys of " << bits << " bits: values, in their order";
  }
}

class ScanSortTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(ScanSortTest);

TEST_P(ScanSortTest, ScansAreTheSumsOfALoop) {
  expectScans<std::uint32_t>(device_, 100);
  expectScans<std::uint32_t>(device_, 0);  // sums wrap around
  expectScans<std::uint64_t>(device_, 0);
}

TEST_P(ScanSortTest, SortsByKeyAndKeepsEqualKeysInTheirOrder) {
  expectSorts<std::uint8_t>(device_, 20, 5);
  expectSorts<std::uint8_t>(device_, 0, 0);
  expectSorts<std::uint32_t>(device_, 2, 1);
  expectSorts<std::uint32_t>(device_, 1000, 10);
  expectSorts<std::uint32_t>(device_, 0, 32);
  expectSorts<std::uint64_t>(device_, 50, 63);
  expectSorts<std::uint64_t>(device_, 0, 64);
}

TEST_P(ScanSortTest, LeavesAPairThatIsInOrder) {
  const Sorted<std::uint64_t> found = sorted<std::uint64_t>(device_, {3, 3, 4, ~0ull, ~0ull}, 64);
  EXPECT_EQ(found.keys, (std::vector<std::uint64_t>{3, 3, 4, ~0ull, ~0ull}));
  EXPECT_EQ(found.values, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST_P(ScanSortTest, TooLittleScratchMemoryIsRefusedAndChangesNothing) {
  constexpr std::size_t kPairs = 100000;
  const std::vector<std::uint32_t> words = randomWords<std::uint32_t>(kPairs, 0);
  Buffer<std::uint32_t> keys(device_, words), values(device_, words), other_keys(device_, kPairs),
      other_values(device_, kPairs);
  const std::size_t bytes = sortScratchBytes<std::uint32_t>(*device_, kPairs);
  Memory memory(device_, bytes);
  Pairs<std::uint32_t> pairs{keys.data(), values.data(), other_keys.data(), other_values.data()};
  EXPECT_THROW(sortPairs(*device_, pairs, kPairs, 0, {memory.scratch().memory, bytes - 1024}), UsageError);
  EXPECT_THROW(sortPairs(*device_, pairs, kPairs, 0, {}), UsageError);
  EXPECT_THROW(sortPairs(*device_, pairs, kPairs, 33, memory.scratch()), UsageError);
  EXPECT_THROW(sortPairs(*device_, pairs, kPairs, -1, memory.scratch()), UsageError);
  EXPECT_THROW(sortPairs(*device_, pairs, std::size_t{1} << 31, 0, memory.scratch()), UsageError);
  EXPECT_EQ(pairs.keys, keys.data());
  EXPECT_EQ(keys.toHost(), words);
  EXPECT_EQ(values.toHost(), words);
  if (device_->isCuda()) {
    EXPECT_THROW(exclusiveScan(*device_, keys.data(), values.data(), kPairs, {}), UsageError);
  }
  EXPECT_THROW(exclusiveScan(*device_, keys.data(), values.data(), std::size_t{1} << 31, memory.scratch()), UsageError);
}

TEST(ScanSortOnTheCpu, IsTheSameForAnyThreadCount) {
  const std::vector<std::uint64_t> keys = randomWords<std::uint64_t>(300007, 1000);
  const Sorted<std::uint64_t> one = sorted(Device::open("cpu", 1), keys, 63);
  const Sorted<std::uint64_t> three = sorted(Device::open("cpu", 3), keys, 63);
  EXPECT_EQ(one.keys, three.keys);
  EXPECT_EQ(one.values, three.values);
}

TEST(ScanSortScratch, NeedsNoDeviceToBeKnownForTheCpu) {
  const DevicePtr device = Device::open("cpu", 1);
  EXPECT_EQ(sortScratchBytes<std::uint64_t>(Backend::Cpu, 1000), sortScratchBytes<std::uint64_t>(*device, 1000));
  EXPECT_EQ(scanScratchBytes<std::uint32_t>(Backend::Cpu, 1000), scanScratchBytes<std::uint32_t>(*device, 1000));
}

}  // namespace
}  // namespace simscope::compute
