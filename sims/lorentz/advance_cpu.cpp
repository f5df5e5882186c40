#include <algorithm>

#include "sims/compute/lanes/flush_denormals.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/lorentz/advance_cpu.h"
#include "sims/lorentz/lanes.h"

namespace simscope::lorentz {
namespace {

static_assert(kTracers <= kLanes);

struct Pass {
  const Setup& setup;
  const Particles& particles;
  const History& history;
  int steps;

  // Several blocks of lanes: waking a thread should pay.
  static constexpr std::int64_t kBlock = 8 * kLanes;
  static void run(const void* context, std::size_t index) {
    const Pass& self = *static_cast<const Pass*>(context);
    const Particles& p = self.particles;
    const compute::FlushDenormals flush;
    LaneBlock block{};
    float* const bases[] = {p.x, p.x_carry, p.u, p.u_carry};
    for (int k = 0; k < 12; ++k) block.arrays[k] = bases[k / 3] + k % 3 * p.n;
    block.steps = self.steps;
    block.samples = kSamples;
    block.stride = self.history.stride;
    const auto begin = static_cast<std::int64_t>(index) * kBlock, end = std::min(p.n, begin + kBlock);
    for (std::int64_t first = begin; first < end; first += kLanes) {
      block.first = static_cast<long>(first);
      block.count = static_cast<int>(std::min<std::int64_t>(kLanes, end - first));
      block.history = first == 0 ? self.history.data : nullptr;
      block.tracers = kTracers;
      block.next = self.history.next;
      block.since = self.history.since;
      supportedLanes().widest().run(self.setup, block);
    }
  }
};

}  // namespace

void advanceOnCpu(compute::Device& device, const Setup& setup, const Particles& particles, const History& history,
                  int steps) {
  const Pass pass{setup, particles, history, steps};
  device.countLaunches();
  compute::detail::runBlocks(device, static_cast<std::size_t>((particles.n + Pass::kBlock - 1) / Pass::kBlock),
                             &Pass::run, &pass);
}

}  // namespace simscope::lorentz
