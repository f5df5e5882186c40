// Loops over the cells of a field, for device sources: one functor f(x, y), two executors.
//
//   forEachCell(device, width, height, f)   calls f(x, y) for every cell: rows over the CPU's threads, cells over
//   CUDA's. reduceCells(device, width, height, identity, f, combine)   combine over f(x, y); waits. The order depends
//   on the
//                                           shape alone, so the same bits come out of any number of threads.
#pragma once

#include "sims/compute/parallel.h"

namespace simscope::heat {

template <class F>
struct OneCell {
  F f;
  unsigned width;
  SIMSCOPE_HD auto operator()(std::size_t i) const {
    const auto at = static_cast<unsigned>(i);
    return f(static_cast<int>(at % width), static_cast<int>(at / width));
  }
};

template <class F>
struct OneRow {
  F f;
  int width;
  SIMSCOPE_HD void operator()(std::size_t row) const {
    for (int x = 0; x < width; ++x) f(x, static_cast<int>(row));
  }
};

template <class T, class F, class Combine>
struct RowPartial {
  F f;
  Combine combine;
  T identity;
  int width;
  T* partials;
  SIMSCOPE_HD void operator()(std::size_t row) const {
    constexpr int kLanes = 4;  // independent sums, so that one need not wait for the other
    T lanes[kLanes] = {identity, identity, identity, identity};
    const int y = static_cast<int>(row);
    int x = 0;
    for (; x + kLanes <= width; x += kLanes) {
      for (int lane = 0; lane < kLanes; ++lane) lanes[lane] = combine(lanes[lane], f(x + lane, y));
    }
    for (; x < width; ++x) lanes[0] = combine(lanes[0], f(x, y));
    partials[row] = combine(combine(lanes[0], lanes[1]), combine(lanes[2], lanes[3]));
  }
};

template <class F>
void forEachCell(compute::Device& device, int width, int height, const F& f) {
  if (width <= 0 || height <= 0) return;
  const auto rows = static_cast<std::size_t>(height);
  if (device.isCuda()) {
    compute::parallelFor(device, static_cast<std::size_t>(width) * rows, OneCell<F>{f, static_cast<unsigned>(width)});
  } else {
    const std::size_t grain = compute::kParallelGrain / static_cast<std::size_t>(width) + 1;
    compute::parallelFor(device, rows, OneRow<F>{f, width}, grain);
  }
}

template <class T, class F, class Combine>
T reduceCells(compute::Device& device, int width, int height, T identity, const F& f, const Combine& combine) {
  if (width <= 0 || height <= 0) return identity;
  const auto rows = static_cast<std::size_t>(height);
  if (device.isCuda()) {
    return compute::reduce(device, static_cast<std::size_t>(width) * rows, identity,
                           OneCell<F>{f, static_cast<unsigned>(width)}, combine);
  }
  std::vector<T> partials(rows, identity);
  const std::size_t grain = compute::kParallelGrain / static_cast<std::size_t>(width) + 1;
  compute::parallelFor(device, rows, RowPartial<T, F, Combine>{f, combine, identity, width, partials.data()}, grain);
  T result = identity;
  for (const T& partial : partials) result = combine(result, partial);
  return result;
}

}  // namespace simscope::heat
