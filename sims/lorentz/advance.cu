#include "sims/lorentz/advance.h"

#include <algorithm>

#include "sims/compute/loops/parallel.h"
#include "sims/lorentz/advance_cpu.h"
#include "sims/lorentz/push.h"

namespace simscope::lorentz {

#if SIMSCOPE_HAVE_CUDA
namespace kernels {

constexpr unsigned kThreads = 256;
static_assert(kTracers <= kThreads);

// Each array is read and written once, neighbouring threads side by side; in between, a particle is in registers.
// Tracers are in the first block, and only that one checks whether a sample is due.
template <class Push>
__global__ void __launch_bounds__(kThreads)
    pushAll(const Push push, const Particles all, const bool both, const History history, const int steps) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x, n = all.n;
  if (i >= n) return;
  Particle p{{all.x[i], all.x[n + i], all.x[2 * n + i]},
             {all.x_carry[i], all.x_carry[n + i], all.x_carry[2 * n + i]},
             {all.u[i], all.u[n + i], all.u[2 * n + i]},
             {all.u_carry[i], all.u_carry[n + i], all.u_carry[2 * n + i]}};
  const float charge = both && (i & 1) ? -1.0f : 1.0f;
  if (blockIdx.x == 0) {
    int next = history.next, since = history.since;
    for (int step = 0; step < steps; ++step) {
      push.step(p, charge);
      if (++since < history.stride) continue;
      since = 0;
      if (i < kTracers) {
        float* const to = history.data + 6 * (i * kSamples + next);
        to[0] = p.x.x, to[1] = p.x.y, to[2] = p.x.z, to[3] = p.u.x, to[4] = p.u.y, to[5] = p.u.z;
      }
      next = next + 1 < kSamples ? next + 1 : 0;
    }
  } else {
    for (int step = 0; step < steps; ++step) push.step(p, charge);
  }
  all.x[i] = p.x.x, all.x[n + i] = p.x.y, all.x[2 * n + i] = p.x.z;
  all.x_carry[i] = p.x_carry.x, all.x_carry[n + i] = p.x_carry.y, all.x_carry[2 * n + i] = p.x_carry.z;
  all.u[i] = p.u.x, all.u[n + i] = p.u.y, all.u[2 * n + i] = p.u.z;
  all.u_carry[i] = p.u_carry.x, all.u_carry[n + i] = p.u_carry.y, all.u_carry[2 * n + i] = p.u_carry.z;
}

}  // namespace kernels

namespace {

struct Launch {
  compute::Device& device;
  const Setup& setup;
  const Particles& particles;
  const History& history;
  int steps;
  template <class Push>
  void operator()(const Push& push) const {
    const auto blocks = static_cast<unsigned>((particles.n + kernels::kThreads - 1) / kernels::kThreads);
    kernels::pushAll<<<blocks, kernels::kThreads, 0, static_cast<cudaStream_t>(device.stream())>>>(
        push, particles, setup.both, history, steps);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device.countLaunches();
  }
};

}  // namespace
#endif

void advance(compute::Device& device, const Setup& setup, const Particles& particles, const History& history,
             int steps) {
  History ring = history;
  for (int left = steps; left > 0;) {
    const int now = std::min(left, kStepsOfALaunch);
#if SIMSCOPE_HAVE_CUDA
    if (device.isCuda()) {
      withPush(setup, Launch{device, setup, particles, ring, now});
    } else {
      advanceOnCpu(device, setup, particles, ring, now);
    }
#else
    advanceOnCpu(device, setup, particles, ring, now);
#endif
    ring = ring.after(now);
    left -= now;
  }
}

}  // namespace simscope::lorentz
