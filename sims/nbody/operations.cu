#include "sims/nbody/operations.h"

#include <atomic>
#include <cmath>

#include "sims/compute/elementary.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/whole.h"

namespace simscope::nbody {
namespace functors {

SIMSCOPE_HD inline Vec4 sourceOf(const System& system, std::size_t i) {
  const double* const x = system.x + 3 * i;
  return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2]),
          static_cast<float>(system.strength()[i])};
}

// The arithmetic of a kick must not depend on the rest of the call, so that batches of steps give the bits of single
// steps.
struct MoveBodies {
  System system;
  Move by;
  Vec4* sources;
  LongestStep longest;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Vec4 f = system.field[i];
    const double g[3] = {static_cast<double>(f.x), static_cast<double>(f.y), static_cast<double>(f.z)};
    const double response = system.response(static_cast<int>(i));
    // Within ε of each other bodies swing with ω² = a/ε.
    const double fourth = response * response * (g[0] * g[0] + g[1] * g[1] + g[2] * g[2]) * longest.scale;
    if (by.begin != 0 && fourth > 0) LongestStep::keep(longest.kept, LongestStep::packed(fourth, longest.step));
    for (int k = 0; k < 3; ++k) {
      const double acceleration = response * g[k];
      double v = system.v[3 * i + k];
      if (by.finish != 0) v += by.finish * acceleration;
      if (by.begin != 0) v += by.begin * acceleration;
      system.v[3 * i + k] = v;
      if (by.drift != 0) system.x[3 * i + k] += by.drift * v;
    }
    if (by.drift != 0) sources[i] = sourceOf(system, i);
  }
};

struct Pack {
  System system;
  Vec4* sources;
  SIMSCOPE_HD void operator()(std::size_t i) const { sources[i] = sourceOf(system, i); }
};

struct TotalsOf {
  System system;
  SIMSCOPE_HD Totals operator()(std::size_t i) const {
    const double* const x = system.x + 3 * i;
    const double* const v = system.v + 3 * i;
    const double m = system.mass[i];
    const Pull pull = system.pull(static_cast<int>(i));
    const double response = system.response(static_cast<int>(i));
    const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    const double a2 = response * response * (pull.x * pull.x + pull.y * pull.y + pull.z * pull.z);
    const double sum = x[0] + x[1] + x[2] + v2 + a2;
    return {m,
            0.5 * m * v2,
            0.5 * system.coupling * system.strength()[i] * pull.potential,
            {m * v[0], m * v[1], m * v[2]},
            {m * (x[1] * v[2] - x[2] * v[1]), m * (x[2] * v[0] - x[0] * v[2]), m * (x[0] * v[1] - x[1] * v[0])},
            std::sqrt(a2),
            v2,
            a2,
            sum - sum == 0 ? 0.0 : 1.0};
  }
};
struct JoinTotals {
  SIMSCOPE_HD Totals operator()(const Totals& a, const Totals& b) const {
    Totals sum{a.mass + b.mass,
               a.kinetic + b.kinetic,
               a.potential + b.potential,
               {},
               {},
               a.largest_acceleration > b.largest_acceleration ? a.largest_acceleration : b.largest_acceleration,
               a.speed2 + b.speed2,
               a.acceleration2 + b.acceleration2,
               a.not_finite + b.not_finite};
    for (int k = 0; k < 3; ++k) {
      sum.momentum[k] = a.momentum[k] + b.momentum[k];
      sum.angular_momentum[k] = a.angular_momentum[k] + b.angular_momentum[k];
    }
    return sum;
  }
};

struct MassOf {
  const double* mass;
  SIMSCOPE_HD MassRange operator()(std::size_t i) const {
    const double m = mass[i];
    return {m, m, m > 0 ? compute::logarithm(m) : 0.0, m > 0 ? 1.0 : 0.0};
  }
};
struct JoinMasses {
  SIMSCOPE_HD MassRange operator()(const MassRange& a, const MassRange& b) const {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most, a.log_sum + b.log_sum,
            a.count + b.count};
  }
};

// Integers are added, so that the order does not matter.
struct AddToShell {
  const double *x, *mass;
  double bins_per_length, units_per_mass;
  std::uint64_t* shells;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double* const at = x + 3 * i;
    const double bin = std::sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]) * bins_per_length;
    if (!(bin < kBins)) return;
    const double whole = mass[i] * units_per_mass;
    const auto share = static_cast<std::uint64_t>(whole > 0 ? (whole < kWhole ? whole : kWhole) : 0);
    const int shell = compute::wholeWithin(bin, 0, kBins - 1);
#if defined(__CUDA_ARCH__)
    atomicAdd(reinterpret_cast<unsigned long long*>(shells + shell), static_cast<unsigned long long>(share));
#else
    std::atomic_ref(shells[shell]).fetch_add(share, std::memory_order_relaxed);
#endif
  }
};

}  // namespace functors

namespace {

std::size_t countOf(const System& system) {
  return static_cast<std::size_t>(system.n);
}

constexpr std::size_t kGrain = 2048;

}  // namespace

void move(compute::Device& device, const System& system, const Move& by, Vec4* sources, const LongestStep& longest) {
  compute::parallelFor(device, countOf(system), functors::MoveBodies{system, by, sources, longest}, kGrain);
}

void packSources(compute::Device& device, const System& system, Vec4* sources) {
  compute::parallelFor(device, countOf(system), functors::Pack{system, sources}, kGrain);
}

Totals measure(compute::Device& device, const System& system) {
  return compute::reduce(device, countOf(system), Totals{}, functors::TotalsOf{system}, functors::JoinTotals{});
}

MassRange massRange(compute::Device& device, const System& system) {
  return compute::reduce(device, countOf(system), MassRange{INFINITY, 0, 0, 0}, functors::MassOf{system.mass},
                         functors::JoinMasses{});
}

void massInShells(compute::Device& device, const System& system, double radius, double total_mass,
                  std::uint64_t* shells) {
  device.zero(shells, kBins * sizeof(std::uint64_t));
  compute::parallelFor(
      device, countOf(system),
      functors::AddToShell{system.x, system.mass, kBins / radius, total_mass > 0 ? kWhole / total_mass : 0, shells},
      kGrain);
}

}  // namespace simscope::nbody
