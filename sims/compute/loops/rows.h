// Loops over some rows of a field: a rank's, or all of them.
//
//   forRows(device, width, first, count, f)   f(x, y) for x in [0, width) and y in [first, first + count); or f(x, y,
//                                   i) with the element's place i = (y - first)·width + x among those of these rows.
//                                   A last argument as parallelFor2d's.
//   reduceRows(device, cuts, width, from, identity, f, combine)   combine over f(x, y) of rows from `from` on, of which
//                                   rank r has those that cutsOf() (sims/compute/ranks/slab.h) says; waits. All ranks
//                                   get the same: on the CPU row after row in order, equal for any number of ranks; on
//                                   CUDA rank after rank, so that the last bits depend on the number of ranks.
// Device sources (*.cu) only, as sims/compute/loops/parallel.h. Thread: inside Device::run; enqueued, except the sums.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/ranks/slab.h"

namespace simscope::compute {

namespace detail {

template <class F>
struct FromRow {
  F f;
  int first;
  SIMSCOPE_HD auto operator()(int x, int y) const { return f(x, first + y); }
};
template <class F>
struct FromRowWithPlace {
  F f;
  int first;
  SIMSCOPE_HD auto operator()(int x, int y, std::size_t i) const { return f(x, first + y, i); }
};

}  // namespace detail

template <class F>
void forRows(Device& device, int width, int first, int count, const F& f, std::size_t grain = kParallelGrain) {
  if constexpr (std::is_invocable_v<const F&, int, int, std::size_t>) {
    parallelFor2d(device, width, count, detail::FromRowWithPlace<F>{f, first}, grain);
  } else {
    parallelFor2d(device, width, count, detail::FromRow<F>{f, first}, grain);
  }
}

template <class T, class F, class Combine>
T reduceRows(Device& device, std::span<const int> cuts, int width, int from, T identity, const F& f,
             const Combine& combine) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (cuts.back() <= 0 || width <= 0) return identity;
  if (!device.ranks()) return reduce2d(device, width, cuts.back(), identity, detail::FromRow<F>{f, from}, combine);
  const Cut own = ownCut(device, cuts);
  if (device.isCuda()) {
    const T mine = reduce2d(device, width, own.count, identity, detail::FromRow<F>{f, from + own.first}, combine);
    T result = identity;
    for (const T& each : fromAll(device, mine)) result = combine(result, each);
    return result;
  }
  // Rank 0 has room for all.
  std::vector<T> partials(static_cast<std::size_t>(own.first > 0 ? own.count : cuts.back()), identity);
  if (own.count > 0) {
    using Row = detail::FromRow<F>;
    const detail::RowPartials<T, Row, Combine> each{Row{f, from + own.first}, combine, identity, width,
                                                    partials.data()};
    detail::forEachOnCpu(device, static_cast<std::size_t>(own.count), each,
                         kParallelGrain / static_cast<std::size_t>(width) + 1);
  }
  gatherRows(device, cuts, partials.data(), sizeof(T));
  T result = identity;
  for (const T& partial : partials) result = combine(result, partial);
  shareFromFirst(device, &result, sizeof result);
  return result;
}

}  // namespace simscope::compute
