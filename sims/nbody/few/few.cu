#include "sims/nbody/few/few.h"

#include <algorithm>

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::nbody {
namespace kernels {

// Kick-drift-kick parts of a step.
struct Parts {
  int count;
  double durations[3];
};

// The run of one team of workers, one body each. A pull is computed at one place in the code only, at the end of a part
// and the beginning of the next, so that its bits do not depend on the batches of steps.
// team.each(f): f(i) for every body, all of them done before it returns.
template <class Team>
SIMSCOPE_HD void advance(const FewSteps& work, const Parts& parts, Team& team) {
  const System& s = work.system;
  const int total = work.steps * parts.count;
  TrailRing trail = work.trail;
  for (int part = 0; part <= total; ++part) {
    const bool ends = part > 0, begins = part < total;
    const double before = ends ? parts.durations[(part - 1) % parts.count] / 2 : 0;
    const double now = begins ? parts.durations[part % parts.count] : 0;
    team.each([&](int i) {
      const Pull pull = pullOfFew(team.x(), team.strength(), s.n, i, s.softening2);
      const double g[3] = {pull.x, pull.y, pull.z}, response = team.response(i);
      double* const v = team.v(i);
      for (int k = 0; k < 3; ++k) {
        const double acceleration = response * g[k];
        if (ends) v[k] += before * acceleration;
        if (begins) v[k] += now / 2 * acceleration;
        team.moved(i)[k] = team.x()[3 * i + k] + now * v[k];
      }
    });
    if (!begins) break;
    team.each([&](int i) {
      for (int k = 0; k < 3; ++k) team.x()[3 * i + k] = team.moved(i)[k];
    });
    if ((part + 1) % parts.count == 0 && ++trail.since_last == trail.stride) {
      trail.since_last = 0;
      team.each([&](int i) {
        float* const to = trail.places + 3 * (static_cast<std::size_t>(i) * kTrailSamples + trail.next);
        for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(team.x()[3 * i + k]);
      });
      trail.next = (trail.next + 1) % kTrailSamples;
    }
  }
}

// One thread instead of all.
class HostTeam {
 public:
  explicit HostTeam(const System& system) : system_(system) {}
  template <class F>
  SIMSCOPE_HD void each(const F& f) const {
    for (int i = 0; i < system_.n; ++i) f(i);
  }
  SIMSCOPE_HD double* x() const { return system_.x; }
  SIMSCOPE_HD const double* strength() const { return system_.strength(); }
  SIMSCOPE_HD double response(int i) const { return system_.response(i); }
  SIMSCOPE_HD double* v(int i) const { return system_.v + 3 * i; }
  SIMSCOPE_HD double* moved(int i) { return moved_ + 3 * i; }

 private:
  System system_;
  double moved_[3 * kFew];
};

#if SIMSCOPE_HAVE_CUDA

class BlockTeam {
 public:
  __device__ BlockTeam(const System& system, double* x, double* strength)
      : system_(system), x_(x), strength_(strength) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < system.n) {
      for (int k = 0; k < 3; ++k) {
        x_[3 * i + k] = system.x[3 * i + k];
        v_[k] = system.v[3 * i + k];
      }
      strength_[i] = system.strength()[i];
      response_ = system.response(i);
    }
    __syncthreads();
  }
  template <class F>
  __device__ void each(const F& f) const {
    if (static_cast<int>(threadIdx.x) < system_.n) f(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
  __device__ double* x() const { return x_; }
  __device__ const double* strength() const { return strength_; }
  __device__ double response(int) const { return response_; }
  __device__ double* v(int) { return v_; }
  __device__ double* moved(int) { return moved_; }
  __device__ void writeBack() const {
    const int i = static_cast<int>(threadIdx.x);
    if (i >= system_.n) return;
    for (int k = 0; k < 3; ++k) {
      system_.x[3 * i + k] = x_[3 * i + k];
      system_.v[3 * i + k] = v_[k];
    }
  }

 private:
  const System& system_;
  double *x_, *strength_;  // shared memory
  double v_[3], moved_[3], response_ = 0;
};

__global__ void __launch_bounds__(kFew) advanceOneBlock(const FewSteps work, const Parts parts) {
  __shared__ double x[3 * kFew], strength[kFew];
  BlockTeam team(work.system, x, strength);
  advance(work, parts, team);
  team.writeBack();
}

#endif

}  // namespace kernels

void advanceFew(compute::Device& device, const FewSteps& work) {
  kernels::Parts parts{0, {}};
  for (const double share : substepsOf(work.integrator)) parts.durations[parts.count++] = share * work.time_step;
  // Launches short enough for a device that also draws the desktop.
  constexpr int kLongest = 8192;
  FewSteps batch = work;
  for (int left = work.steps; left > 0; left -= batch.steps) {
    batch.steps = std::min(left, kLongest);
#if SIMSCOPE_HAVE_CUDA
    if (device.isCuda()) {
      kernels::advanceOneBlock<<<1, kFew, 0, static_cast<cudaStream_t>(device.stream())>>>(batch, parts);
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    }
#endif
    if (!device.isCuda()) {
      kernels::HostTeam team(batch.system);
      kernels::advance(batch, parts, team);
    }
    device.countLaunches();
    batch.trail = batch.trail.after(batch.steps);
  }
}

}  // namespace simscope::nbody
