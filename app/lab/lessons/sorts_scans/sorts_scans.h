// The timed work of the lesson of sorts and scans, and the checks of its results.
//
// Thread: inside the way's device. Errors: as Device; Error for a wrong result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/sweep.h"

namespace simscope::lab::sorts_scans {

inline constexpr int kChargeBits = 2;

std::uint32_t keyOf(std::size_t i);    // 32 bits, all values
std::uint8_t chargeOf(std::size_t i);  // 0, 1, or 2: negative, none, positive
std::uint32_t countOf(std::size_t i);  // the input of the scan

void addWays(std::vector<Way>& ways, const compute::DevicePtr& device, std::size_t most);

// Throws unless `places` contains each element's index once, in the ascending order of keys(place) (equal to `sorted`),
// with equal keys in their old order.
template <class Key, class KeyOf>
void requireSorted(const std::string& what, std::span<const Key> sorted, std::span<const std::uint32_t> places,
                   const KeyOf& keys) {
  std::vector<bool> seen(places.size());
  std::size_t right = 0;
  for (; right < places.size(); ++right) {
    const std::size_t i = right;
    const std::uint32_t place = places[i];
    if (place >= places.size() || seen[place] || sorted[i] != keys(place)) break;
    seen[place] = true;
    if (i > 0 && (sorted[i] < sorted[i - 1] || (sorted[i] == sorted[i - 1] && place < places[i - 1]))) break;
  }
  requireRight(right == places.size(), what + " is wrong at " + std::to_string(right) + ": its time is not valid");
}

}  // namespace simscope::lab::sorts_scans
