// The passes over memory of a split-operator step in the plane, as parts of kernels (sims/compute/fourier/plane_fft.h):
// one over the rows (back from their frequencies, potential, forward again) and one over the columns (forward, kinetic
// factor, back). Host and device: tests run all threads.
#pragma once

#include "sims/compute/fourier/plane_fft.h"

namespace simscope::schrodinger2d {

using compute::Complex;

// The kind of a row pass: the first of a batch reads the plane itself, the last writes it.
enum class RowPass { Begin, Between, End };

template <class T>
struct RowArguments {
  Complex<T>* psi;            // N × N
  const Complex<T>* factors;  // N × N: of half a potential step; between two steps there are two of these
  compute::PlaneTwiddles<T> twiddles;
};

template <int N, class T, RowPass pass, class Team>
SIMSCOPE_HD inline void rowPass(Team& team, const RowArguments<T>& a) {
  const auto row = [](const auto& lane) { return static_cast<std::size_t>(lane.line) * N; };
  team.each([&](auto& lane) {
    const Complex<T>* const from = a.psi + row(lane);
    compute::fillEach(lane.z, [&](int q) { return from[lane.place(q)]; });
  });
  if constexpr (pass != RowPass::Begin) compute::transformInverse<N, T>(team);
  team.each([&](auto& lane) {
    const Complex<T>* const factors = a.factors + row(lane);
    const auto factor = [&](int q) { return factors[lane.place(q)]; };
    if constexpr (pass == RowPass::Between) {
      compute::scaleTwice(lane.z, factor);
    } else {
      compute::scaleEach(lane.z, factor);
    }
  });
  if constexpr (pass != RowPass::End) compute::transformForward<N, T>(team);
  team.each([&](auto& lane) {
    Complex<T>* const to = a.psi + row(lane);
    compute::takeEach(lane.z, [&](int q, Complex<T> z) { to[lane.place(q)] = z; });
  });
}

template <class T>
struct ColumnArguments {
  Complex<T>* psi;                     // rows in register order
  const Complex<T>*along_x, *along_y;  // the kinetic factors, both in register order; their product holds 1/N²
  compute::PlaneTwiddles<T> twiddles;
};

template <int N, class T, class Team>
SIMSCOPE_HD inline void columnPass(Team& team, const ColumnArguments<T>& a) {
  const auto at = [](const auto& lane, int q) { return static_cast<std::size_t>(lane.place(q)) * N + lane.line; };
  team.each([&](auto& lane) { compute::fillEach(lane.z, [&](int q) { return a.psi[at(lane, q)]; }); });
  compute::transformForward<N, T>(team);
  team.each([&](auto& lane) {
    const Complex<T> x = a.along_x[lane.line];
    compute::scaleEach(lane.z, [&](int q) { return x * a.along_y[lane.place(q)]; });
  });
  compute::transformInverse<N, T>(team);
  team.each([&](auto& lane) { compute::takeEach(lane.z, [&](int q, Complex<T> z) { a.psi[at(lane, q)] = z; }); });
}

}  // namespace simscope::schrodinger2d
