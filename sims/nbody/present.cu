#include "sims/nbody/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/parallel.h"
#include "sims/compute/whole.h"

namespace simscope::nbody {
namespace functors {

struct Show {
  System system;
  double usual_mass, usual_size;
  float *bodies, *speed, *mass, *acceleration, *group;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double* const x = system.x + 3 * i;
    const double* const v = system.v + 3 * i;
    const Pull pull = system.pull(static_cast<int>(i));
    const double response = system.response(static_cast<int>(i));
    for (int k = 0; k < 3; ++k) bodies[4 * i + k] = static_cast<float>(x[k]);
    // The sixth root of the mass: a sun of a million times its planets' mass is ten times as wide.
    const double size = std::sqrt(std::cbrt(system.mass[i] / usual_mass));
    bodies[4 * i + 3] = static_cast<float>(usual_size * (size < 0.3 ? 0.3 : size > 4 ? 4 : size));
    speed[i] = static_cast<float>(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    mass[i] = static_cast<float>(system.mass[i]);
    const double pull2 = pull.x * pull.x + pull.y * pull.y + pull.z * pull.z;
    acceleration[i] = static_cast<float>(std::sqrt(response * response * pull2));
    group[i] = static_cast<float>(system.group[i]);
  }
};

// Oldest first; a trail that is not full yet begins with its oldest sample many times over.
struct Unroll {
  TrailRing trail;
  int samples;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int body = static_cast<int>(i) / kTrailSamples, place = static_cast<int>(i) % kTrailSamples;
    const int age = kTrailSamples - 1 - place, known = age < samples ? age : samples - 1;
    const int from = (trail.next - 1 - known + 2 * kTrailSamples) % kTrailSamples;
    for (int k = 0; k < 3; ++k) out[3 * i + k] = trail.places[3 * (body * kTrailSamples + from) + k];
  }
};

struct Within {
  const std::uint64_t* shells;
  float* profile;
  SIMSCOPE_HD void operator()(std::size_t k) const {
    std::uint64_t sum = 0;
    for (std::size_t shell = 0; shell < k; ++shell) sum += shells[shell];
    profile[k] = static_cast<float>(static_cast<double>(sum) / kWhole);
  }
};

struct ExactWithin {
  ExactProfile exact;
  double radius;
  float* profile;
  SIMSCOPE_HD void operator()(std::size_t k) const {
    const double r = radius * static_cast<double>(k) / kBins / exact.scale;
    const double root = std::sqrt(1 + r * r);
    const double share = exact.kind == ExactProfile::Kind::Plummer ? r / root : r;
    const double within = share * share * share;
    profile[k] = static_cast<float>(within < 1 ? within : 1);
  }
};

struct Copy {
  const float* from;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t k) const { to[k] = from[k]; }
};

}  // namespace functors

namespace {

Channel& values(Frame& frame, const char* key, int count, double low, double high) {
  Channel& channel = frame.channel(key, count);
  channel.low = low;
  channel.high = high;
  return channel;
}

}  // namespace

void profileOf(compute::Device& device, const System& system, double radius, double total_mass, std::uint64_t* shells,
               float* profile) {
  massInShells(device, system, radius, total_mass, shells);
  compute::parallelFor(device, kBins, functors::Within{shells, profile});
}

void presentBodies(Frame& frame, const Presented& what) {
  compute::Device& device = *frame.device;
  const Scales& scales = what.scales;
  const int n = what.system.n;

  Channel& bodies = frame.channel("bodies", n, 1, 4);
  bodies.x_min = bodies.y_min = -scales.half_edge;
  bodies.x_max = bodies.y_max = scales.half_edge;
  Channel& speed = values(frame, "speed", n, 0, scales.speed);
  Channel& mass = values(frame, "mass", n, scales.least_mass, scales.most_mass);
  Channel& acceleration = values(frame, "acceleration", n, scales.acceleration / 30, scales.acceleration * 30);
  // The ends of the colours, which are hard to see, are left free.
  const double last_group = scales.groups - 1;
  Channel& group = values(frame, "group", n, -0.25 * last_group, 1.25 * last_group);
  group.kinds = compute::wholeWithin(scales.groups, 1, 1 << 30);
  constexpr std::size_t kGrain = 2048;
  compute::parallelFor(device, static_cast<std::size_t>(n),
                       functors::Show{what.system, scales.usual_mass, scales.usual_size, bodies.data.data(),
                                      speed.data.data(), mass.data.data(), acceleration.data.data(), group.data.data()},
                       kGrain);

  if (what.trail.places) {
    Channel& trails = frame.channel("trails", kTrailSamples, n, 3);
    compute::parallelFor(device, static_cast<std::size_t>(n) * kTrailSamples,
                         functors::Unroll{what.trail, what.trail_samples, trails.data.data()});
  } else {
    std::erase_if(frame.channels, [](const Channel& channel) { return channel.key == "trails"; });
  }

  Channel& profile = values(frame, "mass_within", kBins, 0, 1);
  Channel& expected = values(frame, "mass_within_expected", kBins, 0, 1);
  profile.x_min = expected.x_min = 0;
  profile.x_max = expected.x_max = scales.half_edge;
  expected.form = what.exact ? 0 : 1;
  profileOf(device, what.system, scales.half_edge, what.total_mass, what.shells, profile.data.data());
  if (what.exact) {
    compute::parallelFor(device, kBins, functors::ExactWithin{*what.exact, scales.half_edge, expected.data.data()});
  } else {
    compute::parallelFor(device, kBins, functors::Copy{what.initial_profile, expected.data.data()});
  }
}

}  // namespace simscope::nbody
