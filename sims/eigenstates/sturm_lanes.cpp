#include <oneapi/tbb/parallel_for.h>

#include "sims/eigenstates/sturm.h"

namespace simscope::eigenstates {
namespace {

// Eigenvalues that a thread bisects side by side: while one division is under way, others begin. Two to a register, as
// every x86-64 has them; wider ones divide no more numbers in the same time.
using Pair = double __attribute__((vector_size(16)));
using PairMask = std::int64_t __attribute__((vector_size(16)));
constexpr int kPairs = 4, kLanes = 2 * kPairs;

struct Interval {
  std::int64_t low, high;
  std::uint64_t width() const { return static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low); }
  std::int64_t middle() const { return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + width() / 2); }
};

// How many eigenvalues lie below each of the places.
void countLanes(const double* diagonal, int n, double off2, const double* lambda, std::int64_t* below) {
  Pair at[kPairs], pivot[kPairs];
  PairMask count[kPairs];
  for (int k = 0; k < kPairs; ++k) {
    at[k] = Pair{lambda[2 * k], lambda[2 * k + 1]};
    pivot[k] = diagonal[0] - at[k];
    count[k] = pivot[k] < 0.0;  // -1 where it is
  }
  const Pair square{off2, off2};
  for (int i = 1; i < n; ++i) {
    const Pair d{diagonal[i], diagonal[i]};
    for (int k = 0; k < kPairs; ++k) {
      pivot[k] = (d - at[k]) - square / pivot[k];
      count[k] += pivot[k] < 0.0;
    }
  }
  for (int k = 0; k < kPairs; ++k) below[2 * k] = -count[k][0], below[2 * k + 1] = -count[k][1];
}

}  // namespace

void bisect(const double* diagonal, int n, double off2, double low, double high, double* eigenvalues, int count) {
  tbb::parallel_for(0, (count + kLanes - 1) / kLanes, [&](int group) {
    const int first = group * kLanes;
    Interval lanes[kLanes];
    for (Interval& lane : lanes) lane = {orderOf(low), orderOf(high)};
    for (bool more = true; more;) {
      double lambda[kLanes];
      std::int64_t below[kLanes];
      for (int k = 0; k < kLanes; ++k) lambda[k] = fromOrder(lanes[k].middle());
      countLanes(diagonal, n, off2, lambda, below);
      more = false;
      for (int k = 0; k < kLanes; ++k) {
        const std::int64_t middle = lanes[k].middle();
        (below[k] > first + k ? lanes[k].high : lanes[k].low) = middle;
        more = more || lanes[k].width() > 1;
      }
    }
    for (int k = 0; k < kLanes && first + k < count; ++k) eigenvalues[first + k] = fromOrder(lanes[k].high);
  });
}

}  // namespace simscope::eigenstates
