#include "sims/nbody/few/few.h"

#include <algorithm>
#include <cmath>

#include "sims/nbody/few/radau.h"

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

template <class Team>
SIMSCOPE_HD void leaveTrail(TrailRing& trail, Team& team) {
  if (++trail.since_last != trail.stride) return;
  trail.since_last = 0;
  team.each([&](int i) {
    float* const to = trail.places + 3 * (static_cast<std::size_t>(i) * kTrailSamples + trail.next);
    for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(team.x()[3 * i + k]);
  });
  trail.next = (trail.next + 1) % kTrailSamples;
}

// The run of one team of workers, one body each. A pull is computed at one place in the code only, at the end of a part
// and the beginning of the next, so that its bits do not depend on the batches of steps.
// team.each(f): f(i) for every body, all of them done before it returns.
template <class Team>
SIMSCOPE_HD void advance(const FewSteps& work, const Parts& parts, Team& team) {
  const System& s = work.system;
  const int total = work.steps * parts.count;
  TrailRing trail = work.trail;
  const double duration2 = work.time_step * work.time_step;
  double longest = 0;  // (dt/τ)² with 1/τ² = |G m|/r³, of one body or, on the host, of all
  int longest_part = 0;
  for (int part = 0; part <= total; ++part) {
    const bool ends = part > 0, begins = part < total;
    const double before = ends ? parts.durations[(part - 1) % parts.count] / 2 : 0;
    const double now = begins ? parts.durations[part % parts.count] : 0;
    team.each([&](int i) {
      const Pull pull = pullOfFew(team.x(), team.strength(), s.n, i, s.softening2);
      const double g[3] = {pull.x, pull.y, pull.z}, response = team.response(i);
      const double ratio2 = std::fabs(response) * pull.nearest * duration2;
      if (begins && ratio2 > longest) {
        longest = ratio2;
        longest_part = part;
      }
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
    if ((part + 1) % parts.count == 0) leaveTrail(trail, team);
  }
  if (longest > 0) {
    LongestStep::keep(work.longest,
                      LongestStep::packed(longest * longest, work.first_step + longest_part / parts.count));
  }
}

// The same by steps of adaptive length.
template <class Team>
SIMSCOPE_HD void advanceByRadau(const FewSteps& work, const RadauTable& table, Team& team) {
  TrailRing trail = work.trail;
  for (int step = 0; step < work.steps; ++step) {
    radauStep(table, work.time_step, team);
    leaveTrail(trail, team);
  }
}

// An acceleration of a body, and about how long it lasts.
template <class Team>
SIMSCOPE_HD void accelerationAt(const System& s, Team& team, int i, double* a) {
  const Pull pull = pullOfFew(team.x(), team.strength(), s.n, i, s.softening2);
  const double response = team.response(i);
  a[0] = response * pull.x;
  a[1] = response * pull.y;
  a[2] = response * pull.z;
}
// The shortest time in which another body passes by or falls onto this one.
SIMSCOPE_HD inline double lastingOf(const System& s, const double* x, const double* v, int i) {
  double least = HUGE_VAL;
  for (int j = 0; j < s.n; ++j) {
    if (j == i) continue;
    double r2 = s.softening2, v2 = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = x[3 * j + k] - x[3 * i + k], w = v[3 * j + k] - v[3 * i + k];
      r2 += d * d;
      v2 += w * w;
    }
    const double both = std::fabs(s.response(i) * s.strength()[j]) + std::fabs(s.response(j) * s.strength()[i]);
    if (both > 0) least = std::fmin(least, std::sqrt(r2 * std::sqrt(r2) / both));
    if (v2 > 0) least = std::fmin(least, std::sqrt(r2 / v2));
  }
  return least;
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
  SIMSCOPE_HD RadauBody& body(int i) { return bodies_[i]; }
  SIMSCOPE_HD void acceleration(int i, double* a) { accelerationAt(system_, *this, i, a); }
  SIMSCOPE_HD void showVelocities() const {}
  SIMSCOPE_HD double lasting(int i) const { return lastingOf(system_, system_.x, system_.v, i); }
  template <class F>
  SIMSCOPE_HD double least(const F& f) const {
    double found = HUGE_VAL;
    for (int i = 0; i < system_.n; ++i) found = std::fmin(found, f(i));
    return found;
  }
  template <class F>
  SIMSCOPE_HD double largest(const F& f) const {
    double found = 0;
    for (int i = 0; i < system_.n; ++i) found = std::fmax(found, f(i));
    return found;
  }

 private:
  System system_;
  double moved_[3 * kFew];
  RadauBody bodies_[kFew];
};

#if SIMSCOPE_HAVE_CUDA

class BlockTeam {
 public:
  // v and values: for steps of adaptive length.
  __device__ BlockTeam(const System& system, double* x, double* strength, double* v = nullptr, double* values = nullptr)
      : system_(system), x_(x), strength_(strength), places_of_v_(v), values_(values) {
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
  __device__ RadauBody& body(int) { return body_; }
  __device__ void acceleration(int i, double* a) { accelerationAt(system_, *this, i, a); }
  // Of the velocities as of the beginning of the step.
  __device__ double lasting(int i) const { return lastingOf(system_, x_, places_of_v_, i); }
  __device__ void showVelocities() {
    const int i = static_cast<int>(threadIdx.x);
    if (i < system_.n) {
      for (int k = 0; k < 3; ++k) places_of_v_[3 * i + k] = v_[k];
    }
    __syncthreads();
  }
  template <class F>
  __device__ double least(const F& f) {
    return over(f, [](double a, double b) { return fmin(a, b); });
  }
  template <class F>
  __device__ double largest(const F& f) {
    return over(f, [](double a, double b) { return fmax(a, b); });
  }
  __device__ void writeBack() const {
    const int i = static_cast<int>(threadIdx.x);
    if (i >= system_.n) return;
    for (int k = 0; k < 3; ++k) {
      system_.x[3 * i + k] = x_[3 * i + k];
      system_.v[3 * i + k] = v_[k];
    }
  }

 private:
  // The same for all threads.
  template <class F, class Choose>
  __device__ double over(const F& f, const Choose& choose) {
    const int i = static_cast<int>(threadIdx.x);
    if (i < system_.n) values_[i] = f(i);
    __syncthreads();
    double found = values_[0];
    for (int j = 1; j < system_.n; ++j) found = choose(found, values_[j]);
    __syncthreads();
    return found;
  }

  const System& system_;
  double *x_, *strength_, *places_of_v_, *values_;  // shared memory
  double v_[3], moved_[3], response_ = 0;
  RadauBody body_;
};

__global__ void __launch_bounds__(kFew) advanceOneBlock(const FewSteps work, const Parts parts) {
  __shared__ double x[3 * kFew], strength[kFew];
  BlockTeam team(work.system, x, strength);
  advance(work, parts, team);
  team.writeBack();
}

__global__ void __launch_bounds__(kFew) advanceOneBlockByRadau(const FewSteps work, const RadauTable table) {
  __shared__ double x[3 * kFew], strength[kFew], v[3 * kFew], values[kFew];
  BlockTeam team(work.system, x, strength, v, values);
  advanceByRadau(work, table, team);
  team.writeBack();
}

#endif

}  // namespace kernels

void advanceFew(compute::Device& device, const FewSteps& work) {
  kernels::Parts parts{0, {}};
  for (const double share : substepsOf(work.integrator)) parts.durations[parts.count++] = share * work.time_step;
  // Launches short enough for a device that also draws the desktop.
  const bool adaptive = work.integrator == Integrator::Radau15;
  const int longest = adaptive ? 64 : 8192;
  FewSteps batch = work;
  for (int left = work.steps; left > 0; left -= batch.steps) {
    batch.steps = std::min(left, longest);
#if SIMSCOPE_HAVE_CUDA
    if (device.isCuda()) {
      const auto stream = static_cast<cudaStream_t>(device.stream());
      if (adaptive) {
        kernels::advanceOneBlockByRadau<<<1, kFew, 0, stream>>>(batch, radauTable());
      } else {
        kernels::advanceOneBlock<<<1, kFew, 0, stream>>>(batch, parts);
      }
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    }
#endif
    if (!device.isCuda()) {
      kernels::HostTeam team(batch.system);
      if (adaptive) {
        kernels::advanceByRadau(batch, radauTable(), team);
      } else {
        kernels::advance(batch, parts, team);
      }
    }
    device.countLaunches();
    batch.trail = batch.trail.after(batch.steps);
    batch.first_step += batch.steps;
  }
}

}  // namespace simscope::nbody
