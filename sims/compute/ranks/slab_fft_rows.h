// The passes of SlabFft over rows. Device sources (*.cu) only, as sims/compute/loops/parallel.h.
#pragma once

#include "sims/compute/fourier/block_fft.h"
#include "sims/compute/loops/rows.h"
#include "sims/compute/loops/unroll.h"
#include "sims/compute/ranks/slab_fft.h"

namespace simscope::compute {

namespace detail {

// In place and in order. turns: exp(-2πi a/N) at a, hop = N/Q of them apart for the Q-th roots.
template <int Q, bool Inverse, class T>
SIMSCOPE_HD inline void smallTransform(Complex<T> (&z)[Q], const Complex<T>* turns, std::size_t hop) {
  if constexpr (Q <= 16) {
    smallDft<Inverse>(z);
  } else {
    Complex<T> even[Q / 2], odd[Q / 2];
    SIMSCOPE_UNROLL
    for (int j = 0; j < Q / 2; ++j) {
      even[j] = z[j] + z[j + Q / 2];
      odd[j] = twiddle<Inverse>(z[j] - z[j + Q / 2], turns[static_cast<std::size_t>(j) * hop]);
    }
    smallTransform<Q / 2, Inverse>(even, turns, 2 * hop);
    smallTransform<Q / 2, Inverse>(odd, turns, 2 * hop);
    SIMSCOPE_UNROLL
    for (int j = 0; j < Q / 2; ++j) z[2 * j] = even[j], z[2 * j + 1] = odd[j];
  }
}

// Shared by the passes: the columns j + wt of a row in the field's order, or element j of each part.
template <class T, int Q>
struct RowParts {
  Complex<T>* at[Q];  // this rank's rows of each part
  const Complex<T>* turns;
  int width;

  SIMSCOPE_HD void split(Complex<T> (&z)[Q], int j, std::size_t i) const {
    smallTransform<Q, false>(z, turns, static_cast<std::size_t>(width));
    SIMSCOPE_UNROLL
    for (int f = 0; f < Q; ++f) at[f][i] = twiddle<false>(z[f], turns[static_cast<std::size_t>(j) * f]);
  }
  SIMSCOPE_HD void join(Complex<T> (&z)[Q], int j, std::size_t i) const {
    SIMSCOPE_UNROLL
    for (int f = 0; f < Q; ++f) z[f] = twiddle<true>(at[f][i], turns[static_cast<std::size_t>(j) * f]);
    smallTransform<Q, true>(z, turns, static_cast<std::size_t>(width));
  }
};

template <class T, int Q, class F>
struct BeginRows {
  RowParts<T, Q> parts;
  F load;
  SIMSCOPE_HD void operator()(int j, int y, std::size_t i) const {
    Complex<T> z[Q];
    SIMSCOPE_UNROLL
    for (int t = 0; t < Q; ++t) z[t] = load(j + t * parts.width, y);
    parts.split(z, j, i);
  }
};
template <class T, int Q, class F>
struct BetweenRows {
  RowParts<T, Q> parts;
  F change;
  SIMSCOPE_HD void operator()(int j, int y, std::size_t i) const {
    Complex<T> z[Q];
    parts.join(z, j, i);
    SIMSCOPE_UNROLL
    for (int t = 0; t < Q; ++t) z[t] = change(j + t * parts.width, y, z[t]);
    parts.split(z, j, i);
  }
};
template <class T, int Q, class F>
struct EndRows {
  RowParts<T, Q> parts;
  F store;
  SIMSCOPE_HD void operator()(int j, int y, std::size_t i) const {
    Complex<T> z[Q];
    parts.join(z, j, i);
    SIMSCOPE_UNROLL
    for (int t = 0; t < Q; ++t) store(j + t * parts.width, y, z[t]);
  }
};
template <class T, int Q, class F>
struct EndParts {
  RowParts<T, Q> parts;
  F store;
  SIMSCOPE_HD void operator()(int m, int y, std::size_t i) const {
    SIMSCOPE_UNROLL
    for (int f = 0; f < Q; ++f) store(Q * m + f, y, parts.at[f][i]);
  }
};

}  // namespace detail

template <class T>
template <template <class, int, class> class Pass, class F>
void SlabFft<T>::overRows(const F& f) {
  const auto with = [&]<int Q>(std::integral_constant<int, Q>) {
    if (rests_ != Q) return;
    detail::RowParts<T, Q> parts{{}, turns_.data(), width()};
    for (std::size_t rest = 0; rest < Q; ++rest) parts.at[rest] = parts_[rest];
    forRows(*device_, width(), slab_.first, slab_.count, Pass<T, Q, F>{parts, f}, kParallelGrain / Q);
  };
  with(std::integral_constant<int, 8>());
  with(std::integral_constant<int, 16>());
  with(std::integral_constant<int, 32>());
  with(std::integral_constant<int, 64>());
}

template <class T>
template <class Load>
void SlabFft<T>::begin(const Load& load) {
  overRows<detail::BeginRows>(load);
}
template <class T>
template <class Change>
void SlabFft<T>::between(const Change& change) {
  overRows<detail::BetweenRows>(change);
}
template <class T>
template <class Store>
void SlabFft<T>::end(const Store& store) {
  overRows<detail::EndRows>(store);
}
template <class T>
template <class Store>
void SlabFft<T>::endParts(const Store& store) {
  overRows<detail::EndParts>(store);
}

}  // namespace simscope::compute
