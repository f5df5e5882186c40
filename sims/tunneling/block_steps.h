// A batch of split-operator steps on one multiprocessor. Host and device: tests run the same phases on the host.
#pragma once

#include "sims/compute/fourier/block_fft.h"
#include "sims/tunneling/absorbed.h"
#include "sims/tunneling/physics.h"

namespace simscope::tunneling {

using compute::BlockShape;
using compute::BlockTables;
using compute::makeBlockTables;

// `team` as in block_fft.h; `lane` has, besides the members for the transforms,
//   lane.kinetic(q)                  exp(-ik²Δt/2) - 1 at frequency(t, q)
//   lane.potential(q)                the factor of half a potential step, less 1, at natural(t, q)
//   lane.left, lane.right            the probability that absorbing edges have taken
// The caller has made the first half potential step.
template <int N, class T, class Team>
SIMSCOPE_HD inline void propagate(Team& team, int steps, bool absorbing) {
  for (int step = 0; step < steps; ++step) {
    const bool last = step + 1 == steps;
    compute::transformForward<N, T>(team);
    team.each([](auto& lane) {
      constexpr T kShare = T(1) / N;
      SIMSCOPE_UNROLL
      for (int q = 0; q < kRows; ++q) lane.z[q] = turned(kShare * lane.z[q], lane.kinetic(q));
    });
    compute::transformInverse<N, T>(team);
    team.each([last, absorbing](auto& lane) {
      const auto half = [&](int q) { return lane.potential(q); };
      if (absorbing) {
        scaleAndTally(lane.z, half, lane.left, lane.right);
        if (!last) scaleAndTally(lane.z, half, lane.left, lane.right);
      } else {
        turnEach(lane.z, half);
        if (!last) turnEach(lane.z, half);
      }
    });
  }
}

}  // namespace simscope::tunneling
