// The loop of the CPU's kernels; included by the source of each instruction set, whose own type `Set` keeps the
// functions made from these templates apart.
#pragma once

#include "sims/compute/loops/unroll.h"
#include "sims/lorentz/lanes.h"
#include "sims/lorentz/push.h"

namespace simscope::lorentz {

template <class Set, class Push>
void runLanes(const Push push, const Setup& setup, const LaneBlock& block) {
  alignas(64) float state[12][kLanes], charge[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    // Idle lanes repeat a particle, because other numbers could be slow.
    const long from = block.first + (lane < block.count ? lane : 0);
    for (int k = 0; k < 12; ++k) state[k][lane] = block.arrays[k][from];
    charge[lane] = setup.both && (from & 1) ? -1.0f : 1.0f;
  }
  const int width = (block.count + 15) / 16 * 16;
  int next = block.next, since = block.since;
  for (int step = 0; step < block.steps; ++step) {
    SIMSCOPE_INDEPENDENT
    for (int lane = 0; lane < width; ++lane) {
      Particle p{{state[0][lane], state[1][lane], state[2][lane]},
                 {state[3][lane], state[4][lane], state[5][lane]},
                 {state[6][lane], state[7][lane], state[8][lane]},
                 {state[9][lane], state[10][lane], state[11][lane]}};
      push.step(p, charge[lane]);
      state[0][lane] = p.x.x, state[1][lane] = p.x.y, state[2][lane] = p.x.z;
      state[3][lane] = p.x_carry.x, state[4][lane] = p.x_carry.y, state[5][lane] = p.x_carry.z;
      state[6][lane] = p.u.x, state[7][lane] = p.u.y, state[8][lane] = p.u.z;
      state[9][lane] = p.u_carry.x, state[10][lane] = p.u_carry.y, state[11][lane] = p.u_carry.z;
    }
    if (!block.history || ++since < block.stride) continue;
    since = 0;
    for (int tracer = 0; tracer < block.tracers; ++tracer) {
      float* const to = block.history + 6 * (static_cast<long>(tracer) * block.samples + next);
      for (int k = 0; k < 3; ++k) to[k] = state[k][tracer], to[3 + k] = state[6 + k][tracer];
    }
    next = next + 1 < block.samples ? next + 1 : 0;
  }
  for (int k = 0; k < 12; ++k) {
    for (int lane = 0; lane < block.count; ++lane) block.arrays[k][block.first + lane] = state[k][lane];
  }
}

template <class Set>
void runLanesOf(const Setup& setup, const LaneBlock& block) {
  withPush(setup, [&](const auto& push) { runLanes<Set>(push, setup, block); });
}

}  // namespace simscope::lorentz
