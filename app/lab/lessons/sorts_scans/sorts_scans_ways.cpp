#include <algorithm>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "app/lab/lessons/sorts_scans/sorts_scans.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/scan_sort.h"

namespace simscope::lab::sorts_scans {
namespace {

constexpr double kMostByOne = 3e5;

std::uint32_t mixedBits(std::size_t i) {
  auto x = static_cast<std::uint32_t>(i) * 0x9e3779b9u + 0x7f4a7c15u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

template <class T, class Of>
std::vector<T> filled(std::size_t n, const Of& of) {
  std::vector<T> all(n);
  for (std::size_t i = 0; i < n; ++i) all[i] = of(i);
  return all;
}

// Keys with the places where they come from, and where both are sorted.
template <class Key>
struct Sorted {
  compute::Buffer<Key> keys, first, second;
  compute::Buffer<std::uint32_t> places, first_places, second_places;
  compute::Buffer<unsigned char> scratch;
  compute::Pairs<Key> pairs = {};

  Sorted(const compute::DevicePtr& device, const std::vector<Key>& all)
      : keys(device, all),
        first(device, all.size()),
        second(device, all.size()),
        places(device, filled<std::uint32_t>(all.size(), [](std::size_t i) { return static_cast<std::uint32_t>(i); })),
        first_places(device, all.size()),
        second_places(device, all.size()),
        scratch(device, compute::sortScratchBytes<Key>(*device, all.size())) {}

  void ready(std::size_t n) {
    compute::Device& device = *keys.device();
    device.copy(first.data(), keys.data(), n * sizeof(Key));
    device.copy(first_places.data(), places.data(), n * sizeof(std::uint32_t));
    pairs = {first.data(), first_places.data(), second.data(), second_places.data()};
  }
  void sort(std::size_t n, int bits) {
    compute::sortPairs(*keys.device(), pairs, n, bits, {scratch.data(), scratch.bytes()});
  }
  template <class KeyOf>
  void check(const std::string& what, std::size_t n, KeyOf key_of) const {
    std::vector<Key> sorted(n);
    std::vector<std::uint32_t> from(n);
    keys.device()->download(sorted.data(), pairs.keys, n * sizeof(Key));
    keys.device()->download(from.data(), pairs.values, n * sizeof(std::uint32_t));
    requireSorted<Key>(what, sorted, from, key_of);
  }
};

template <class Key, class KeyOf>
void addSort(std::vector<Way>& ways, std::string title, const compute::DevicePtr& device, std::size_t most, int bits,
             KeyOf key_of) {
  const auto sorted = std::make_shared<Sorted<Key>>(device, filled<Key>(most, key_of));
  ways.push_back({.title = title,
                  .device = device,
                  .prepare = tasks([sorted, bits](std::size_t n) { sorted->sort(n, bits); },
                                   [sorted, title, key_of](std::size_t n) { sorted->check(title, n, key_of); },
                                   [sorted](std::size_t n) { sorted->ready(n); }),
                  .bytes = 2.0 * (sizeof(Key) + sizeof(std::uint32_t)),
                  .most = static_cast<double>(most)});
}

struct Scanned {
  compute::Buffer<std::uint32_t> counts, sums;
  compute::Buffer<unsigned char> scratch;
  void check(const std::string& what, std::size_t n) const {
    std::vector<std::uint32_t> got(n);
    sums.device()->download(got.data(), sums.data(), n * sizeof(std::uint32_t));
    std::uint32_t sum = 0;
    std::size_t right = 0;
    while (right < n && got[right] == sum) sum += countOf(right++);
    requireRight(right == n, what + " is wrong at " + std::to_string(right) + ": its time is not valid");
  }
};

void addByOne(std::vector<Way>& ways, const compute::DevicePtr& cpu, std::size_t most) {
  const std::size_t all = std::min(most, static_cast<std::size_t>(kMostByOne));
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  const auto unsorted = std::make_shared<std::vector<Pair>>(filled<Pair>(all, [](std::size_t i) {
    return Pair{keyOf(i), static_cast<std::uint32_t>(i)};
  }));
  const auto pairs = std::make_shared<std::vector<Pair>>(all);
  const std::string title = "CPU, one thread, std::stable_sort";
  const auto ready = [=](std::size_t n) { std::copy_n(unsorted->begin(), n, pairs->begin()); };
  const auto sort = [=](std::size_t n) {
    std::stable_sort(pairs->begin(), pairs->begin() + static_cast<std::ptrdiff_t>(n),
                     [](const Pair& a, const Pair& b) { return a.first < b.first; });
  };
  const auto check = [=](std::size_t n) {
    std::vector<std::uint32_t> keys(n), places(n);
    for (std::size_t i = 0; i < n; ++i) std::tie(keys[i], places[i]) = (*pairs)[i];
    requireSorted<std::uint32_t>(title, keys, places, keyOf);
  };
  ways.push_back({.title = title,
                  .device = cpu,
                  .prepare = tasks(sort, check, ready),
                  .bytes = 2.0 * sizeof(Pair),
                  .most = static_cast<double>(all)});
}

}  // namespace

std::uint32_t keyOf(std::size_t i) {
  return mixedBits(i);
}
std::uint8_t chargeOf(std::size_t i) {
  return static_cast<std::uint8_t>(mixedBits(i) % 3);
}
std::uint32_t countOf(std::size_t i) {
  return mixedBits(i) >> 20;
}

void addWays(std::vector<Way>& ways, const compute::DevicePtr& device, std::size_t most) {
  const bool gpu = device->isCuda();
  const std::string where = gpu ? "GPU, CUB, " : "CPU, oneTBB, ";
  if (!gpu) addByOne(ways, device, most);
  addSort<std::uint32_t>(ways, where + "sort by 32 bits", device, most, 32, keyOf);
  addSort<std::uint8_t>(ways, (gpu ? "GPU, CUB, " : "CPU, buckets, ") + std::string("sort by charge"), device, most,
                        kChargeBits, chargeOf);
  const auto scanned = std::make_shared<Scanned>(
      Scanned{{device, filled<std::uint32_t>(most, countOf)},
              {device, most},
              {device, std::max<std::size_t>(1, compute::scanScratchBytes<std::uint32_t>(*device, most))}});
  const std::string title = where + "scan";
  const auto scan = [scanned, device](std::size_t n) {
    compute::exclusiveScan(*device, scanned->counts.data(), scanned->sums.data(), n,
                           {scanned->scratch.data(), scanned->scratch.bytes()});
  };
  ways.push_back({.title = title,
                  .device = device,
                  .prepare = tasks(scan, [scanned, title](std::size_t n) { scanned->check(title, n); }),
                  .bytes = 2.0 * sizeof(std::uint32_t),
                  .most = static_cast<double>(most)});
}

}  // namespace simscope::lab::sorts_scans
