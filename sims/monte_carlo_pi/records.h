// The numbers of darts at which a run is recorded: twenty a decade, from 10 on, so that a curve over the logarithm of
// that number has a bounded length for any run. Any thread.
#pragma once

#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::monte_carlo_pi {

inline constexpr int kPerDecade = 20;
inline constexpr std::uint64_t kMostDarts = std::uint64_t{1} << 53;  // of a chain: a double holds them
inline constexpr int kRecords = 300;  // up to 10^15.95; the next one is beyond kMostDarts

// Record r is at 10^(1 + r/20) darts, rounded.
inline double decadesOf(double record) {
  return 1 + record / kPerDecade;
}
// Ascending; 0 ≤ r < kRecords. In integers, so that all machines agree.
SIMSCOPE_HD inline std::uint64_t dartsOf(int record) {
  // 10^(15 + k/20), rounded
  constexpr std::uint64_t kTwentieths[kPerDecade] = {
      1000000000000000, 1122018454301963, 1258925411794167, 1412537544622754, 1584893192461113,
      1778279410038923, 1995262314968880, 2238721138568340, 2511886431509580, 2818382931264454,
      3162277660168379, 3548133892335755, 3981071705534973, 4466835921509631, 5011872336272723,
      5623413251903491, 6309573444801932, 7079457843841379, 7943282347242815, 8912509381337455};
  std::uint64_t unit = 1;  // of the last digit kept
  for (int decade = 1 + record / kPerDecade; decade < 15; ++decade) unit *= 10;
  return (kTwentieths[record % kPerDecade] + unit / 2) / unit;
}
// The number of records of at most `darts` darts.
inline int recordsUpTo(std::uint64_t darts) {
  int low = 0, high = kRecords;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (dartsOf(middle) <= darts) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace simscope::monte_carlo_pi
