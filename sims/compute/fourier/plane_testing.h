// For tests: runs kernels made of plane_fft.h on the host.
#pragma once

#include <vector>

#include "sims/compute/fourier/plane_fft.h"

namespace simscope::compute::testing {

// Runs each phase for every thread in turn, the last first, so that a phase that relies on another thread's values of
// the same phase fails.
template <int N, Lines kind, int kLines>
struct HostTeam {
  using Block = PlaneBlock<N, double, kind, kLines>;
  std::vector<PlaneLane<N, double>> lanes;
  std::vector<Complex<double>> memory{Block::kPitch * kLines};

  HostTeam(int block, PlaneTwiddles<double> twiddles) {
    for (int thread = 0; thread < Block::kThreads; ++thread) {
      lanes.push_back(Block::lane(thread, block, memory.data(), twiddles));
    }
  }
  template <class Phase>
  void each(const Phase& phase) {
    for (auto lane = lanes.rbegin(); lane != lanes.rend(); ++lane) phase(*lane);
  }
  Complex<double>* shared(const PlaneLane<N, double>& lane) { return lane.memory; }
  void blockBarrier() {}
  void warpBarrier() {}
};

// pass(team) for the first `blocks` blocks; by default all blocks of the plane.
template <int N, Lines kind, int kLines, class Pass>
void onEveryBlock(const PlaneTwiddles<double>& twiddles, const Pass& pass,
                  int blocks = PlaneBlock<N, double, kind, kLines>::kBlocks) {
  for (int block = 0; block < blocks; ++block) {
    HostTeam<N, kind, kLines> team(block, twiddles);
    pass(team);
  }
}

}  // namespace simscope::compute::testing
