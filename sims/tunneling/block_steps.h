// A batch of split-operator steps on one multiprocessor. Host and device: tests run the same phases on the host.
#pragma once

#include "sims/compute/block_fft.h"
#include "sims/tunneling/physics.h"

namespace simscope::tunneling {

using compute::BlockShape;
using compute::BlockTables;
using compute::makeBlockTables;

// `team` as in block_fft.h; `lane` has beside what the transforms ask for
//   lane.kinetic(q)                  exp(-ik²Δt/2)/N at frequency(t, q)
//   lane.potential(q, last)          the full factor at natural(t, q), or the half factor after the last step
// The caller has multiplied z by the half factor.
template <int N, class T, class Team>
SIMSCOPE_HD inline void propagate(Team& team, int steps) {
  for (int step = 0; step < steps; ++step) {
    const bool last = step + 1 == steps;
    compute::transformForward<N, T>(team);
    team.each([](auto& lane) { compute::scaleEach(lane.z, [&](int q) { return lane.kinetic(q); }); });
    compute::transformInverse<N, T>(team);
    team.each([last](auto& lane) { compute::scaleEach(lane.z, [&](int q) { return lane.potential(q, last); }); });
  }
}

}  // namespace simscope::tunneling
