// A rank's rows of ψ between their parts (sims/compute/ranks/slab_fft.h) and the plane in one pass over memory: a block
// of threads takes a row of N = Q·w points on chip, as Q parts of w (sims/compute/fourier/plane_fft.h, a part as a
// line). Frequencies are in register order within the parts: place m of the part of remainder f holds the frequency
// Q·BlockTables::frequency[m] + f. Host and device: tests run all threads.
#pragma once

#include <cstddef>

#include "sims/compute/fourier/plane_fft.h"
#include "sims/schrodinger2d/propagation/forgotten.h"
#include "sims/schrodinger2d/propagation/fused_passes.h"

namespace simscope::schrodinger2d {

template <class T, int Q>
struct PartArguments {
  Complex<T>* psi;                     // the rank's rows, each of N numbers; begin reads, end writes
  const Complex<T>* factors;           // of those rows: of half a potential step
  Complex<T>* parts[Q];                // the rank's rows of each part: the input,
  Complex<T>* there[Q];                // and the output
  const Complex<T>* turns;             // exp(-2πi a/N), a < N
  compute::PlaneTwiddles<T> twiddles;  // of w
};

// Block number r: row r of the rank.
template <int W, int Q, class T, RowPass pass, int kPitch, class Team>
SIMSCOPE_HD inline void partPass(Team& team, const PartArguments<T, Q>& a) {
  using Shape = compute::BlockShape<W>;
  constexpr int kLaneCount = Shape::kThreads * Q, kGroups = 16 / Q;
  constexpr std::size_t kRow = std::size_t{W} * Q;
  const auto part = [](const auto& lane) { return lane.line % Q; };
  const auto row = [](const auto& lane) { return static_cast<std::size_t>(lane.line / Q); };
  const auto placed = [](int i) { return i + i / 16; };
  if constexpr (pass != RowPass::Begin) {
    team.each([&](auto& lane) {
      const Complex<T>* const from = a.parts[part(lane)] + row(lane) * W;
      compute::fillEach(lane.z, [&](int q) { return from[lane.place(q)]; });
    });
    compute::transformInverse<W, T>(team);
    team.blockBarrier();
    team.each([&](auto& lane) {
      Complex<T>* const line = team.shared(lane);
      const int f = part(lane);
      // exp(-2πi jf/N) of j = t + q·kThreads.
      const Complex<T> first = a.turns[lane.t * f], step = a.turns[Shape::kThreads * f];
      compute::takeEach(lane.z, [&](int q, Complex<T> z) {
        const Complex<T> turn = q == 0 ? first : first * compute::power(step, q);
        line[placed(Shape::natural(lane.t, q))] = compute::twiddle<true>(z, turn);
      });
    });
    team.blockBarrier();
  }
  // Elements j + Wt of the row, t < Q, are made of element j of all parts.
  team.each([&](auto& lane) {
    Complex<T>* const lines = team.shared(lane) - part(lane) * kPitch;
    const std::size_t first = row(lane) * kRow;
    const int groups = forgotten(kGroups);
    for (int group = 0; group < groups; ++group) {
      const int j = part(lane) * Shape::kThreads + lane.t + group * kLaneCount;
      Complex<T> z[Q];
      if constexpr (pass == RowPass::Begin) {
        SIMSCOPE_UNROLL
        for (int t = 0; t < Q; ++t) {
          const std::size_t at = first + static_cast<std::size_t>(j + t * W);
          z[t] = a.psi[at] * a.factors[at];
        }
      } else {
        SIMSCOPE_UNROLL
        for (int f = 0; f < Q; ++f) z[f] = lines[f * kPitch + placed(j)];
        compute::smallDft<true>(z);
        SIMSCOPE_UNROLL
        for (int t = 0; t < Q; ++t) {
          const std::size_t at = first + static_cast<std::size_t>(j + t * W);
          const Complex<T> factor = a.factors[at];
          z[t] = z[t] * factor;
          if constexpr (pass == RowPass::End) a.psi[at] = z[t];
          if constexpr (pass == RowPass::Between) z[t] = z[t] * factor;
        }
      }
      if constexpr (pass != RowPass::End) {
        compute::smallDft<false>(z);
        const Complex<T> turn = a.turns[j];
        lines[placed(j)] = z[0];
        SIMSCOPE_UNROLL
        for (int f = 1; f < Q; ++f) {
          lines[f * kPitch + placed(j)] = compute::twiddle<false>(z[f], compute::power(turn, f));
        }
      }
    }
  });
  if constexpr (pass != RowPass::End) {
    team.blockBarrier();
    team.each([&](auto& lane) {
      lane.t = forgotten(lane.t);  // else the compiler would keep the twiddles of the way back for this
      const Complex<T>* const line = team.shared(lane);
      compute::fillEach(lane.z, [&](int q) { return line[placed(Shape::natural(lane.t, q))]; });
    });
    team.blockBarrier();
    compute::transformForward<W, T>(team);
    team.each([&](auto& lane) {
      Complex<T>* const to = a.there[part(lane)] + row(lane) * W;
      compute::takeEach(lane.z, [&](int q, Complex<T> z) { to[lane.place(q)] = z; });
    });
  }
}

}  // namespace simscope::schrodinger2d
