// A kinetic step down the columns of a piece (sims/compute/ranks/slab_fft.h) in one pass over memory, or three: L = R·N
// rows are R sections of N rows, and a block of threads takes N rows on chip (sims/compute/fourier/plane_fft.h). Where
// R > 1 a pass before splits the columns: section s gets
//     exp(-2πi js/L) Σ_t exp(-2πi ts/R) z[j + Nt],   j < N,   whose transform has the frequencies Rm + s, m < N,
// and a pass after it joins them. Host and device: tests run all threads.
// Source: W. M. Gentleman, G. Sande, AFIPS 29 (1966) 563 (decimation in frequency).
#pragma once

#include <span>
#include <vector>

#include "sims/compute/fourier/plane_fft.h"
#include "sims/compute/ranks/rows_there.h"
#include "sims/schrodinger2d/propagation/forgotten.h"

namespace simscope::schrodinger2d {

using compute::Complex;

template <class T>
struct PieceArguments {
  Complex<T>* piece;                   // L × width
  const Complex<T>* across;            // kinetic factors of the columns
  const Complex<T>* down;              // of the rows, each section in register order; the products of both hold 1/L²
  compute::PlaneTwiddles<T> twiddles;  // of N
  int width;
  compute::RowsThere<T> there;  // destination of the rows; in place if there is more than one section
};

// One section, for kLines columns.
template <int N, class T, class Team>
SIMSCOPE_HD inline void piecePass(Team& team, const PieceArguments<T>& a, int section) {
  // The address of a register's element, a constant number of rows from the next. It is computed again for the store,
  // because sixteen addresses do not fit in the registers meanwhile.
  using Shape = compute::BlockShape<N>;
  const auto firstOf = [&](const auto& lane, int width) {
    return a.piece + (static_cast<std::size_t>(section * N + lane.place(0)) * static_cast<std::size_t>(width) +
                      static_cast<std::size_t>(lane.line));
  };
  team.each([&](auto& lane) {
    const Complex<T>* const from = firstOf(lane, a.width);
    compute::fillEach(lane.z, [&](int q) { return from[q * Shape::kThreads * a.width]; });
  });
  compute::transformForward<N, T>(team);
  team.each([&](auto& lane) {
    const Complex<T> x = a.across[lane.line];
    const Complex<T>* const down = a.down + section * N;
    compute::scaleEach(lane.z, [&](int q) { return x * down[lane.place(q)]; });
  });
  compute::transformInverse<N, T>(team);
  if (a.there.ranks > 1) {
    return team.each([&](auto& lane) {
      const int width = forgotten(a.width);
      compute::takeEach(lane.z, [&](int q, Complex<T> z) {
        const int row = lane.place(0) + q * Shape::kThreads;
        a.there.of(row)[static_cast<std::ptrdiff_t>(row) * width + lane.line] = z;
      });
    });
  }
  team.each([&](auto& lane) {
    const int width = forgotten(a.width);
    Complex<T>* const to = firstOf(lane, width);
    compute::takeEach(lane.z, [&](int q, Complex<T> z) { to[q * Shape::kThreads * width] = z; });
  });
}

// For element i = j·width + column, j < N: R elements, `apart` elements from each other.
template <class T>
struct SectionArguments {
  Complex<T>* piece;
  const Complex<T>* turns;      // exp(-2πi a/L), a < L
  int rows;                     // N
  std::size_t apart;            // N·width
  compute::RowsThere<T> there;  // destination of the joined rows
};
template <class T, int R>
struct SplitColumns {
  SectionArguments<T> a;
  SIMSCOPE_HD void operator()(int, int j, std::size_t i) const {
    Complex<T> z[R];
    SIMSCOPE_UNROLL
    for (int t = 0; t < R; ++t) z[t] = a.piece[i + static_cast<std::size_t>(t) * a.apart];
    compute::smallDft<false>(z);
    SIMSCOPE_UNROLL
    for (int s = 0; s < R; ++s) {
      a.piece[i + static_cast<std::size_t>(s) * a.apart] =
          compute::twiddle<false>(z[s], a.turns[static_cast<std::size_t>(j) * static_cast<std::size_t>(s)]);
    }
  }
};
template <class T, int R>
struct JoinColumns {
  SectionArguments<T> a;
  SIMSCOPE_HD void operator()(int, int j, std::size_t i) const {
    Complex<T> z[R];
    SIMSCOPE_UNROLL
    for (int s = 0; s < R; ++s) {
      z[s] = compute::twiddle<true>(a.piece[i + static_cast<std::size_t>(s) * a.apart],
                                    a.turns[static_cast<std::size_t>(j) * static_cast<std::size_t>(s)]);
    }
    compute::smallDft<true>(z);
    SIMSCOPE_UNROLL
    for (int t = 0; t < R; ++t) a.there.of(j + t * a.rows)[i + static_cast<std::size_t>(t) * a.apart] = z[t];
  }
};

// The factors `along_y` of frequency 0 … L-1 in the order that sections read them.
template <int N, class T>
std::vector<Complex<T>> orderedForSections(std::span<const Complex<T>> along_y, const std::vector<int>& frequency) {
  const std::size_t sections = along_y.size() / N;
  std::vector<Complex<T>> ordered;
  ordered.reserve(along_y.size());
  for (std::size_t s = 0; s < sections; ++s) {
    for (const int each : frequency) ordered.push_back(along_y[sections * static_cast<std::size_t>(each) + s]);
  }
  return ordered;
}

}  // namespace simscope::schrodinger2d
