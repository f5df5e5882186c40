#include "sims/nbody/present.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/whole.h"

namespace simscope::nbody {
namespace functors {

// One of every `every` bodies. Arrays that are not wanted are null.
struct Show {
  System system;
  std::size_t every;
  double usual_mass, usual_size;
  float *bodies, *speed, *velocity, *mass, *acceleration, *group;
  SIMSCOPE_HD void operator()(std::size_t shown) const {
    const std::size_t i = shown * every;
    if (bodies) {
      const double* const x = system.x + 3 * i;
      for (int k = 0; k < 3; ++k) bodies[4 * shown + k] = static_cast<float>(x[k]);
      // The sixth root of the mass: a sun with a million times its planets' mass is ten times as wide.
      const double size = std::sqrt(std::cbrt(system.mass[i] / usual_mass));
      bodies[4 * shown + 3] = static_cast<float>(usual_size * (size < 0.3 ? 0.3 : size > 4 ? 4 : size));
    }
    if (speed) {
      const double* const v = system.v + 3 * i;
      speed[shown] = static_cast<float>(std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    if (velocity) {
      for (int k = 0; k < 3; ++k) velocity[3 * shown + k] = static_cast<float>(system.v[3 * i + k]);
    }
    if (mass) mass[shown] = static_cast<float>(system.mass[i]);
    if (acceleration) {
      const Pull pull = system.pull(static_cast<int>(i));
      const double response = system.response(static_cast<int>(i));
      const double pull2 = pull.x * pull.x + pull.y * pull.y + pull.z * pull.z;
      acceleration[shown] = static_cast<float>(std::sqrt(response * response * pull2));
    }
    if (group) group[shown] = static_cast<float>(system.group[i]);
  }
};

// Oldest first; a trail that is not full yet begins with repetitions of its oldest sample.
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

void presentTrails(Frame& frame, const Presented& what) {
  if (!what.trail.places || !frame.wants("trails")) {
    std::erase_if(frame.channels, [](const Channel& channel) { return channel.key == "trails"; });
    return;
  }
  const int n = what.system.n;
  Channel& trails = frame.channel("trails", kTrailSamples, n, 3);
  compute::parallelFor(*frame.device, static_cast<std::size_t>(n) * kTrailSamples,
                       functors::Unroll{what.trail, what.trail_samples, trails.data.data()});
}

void presentProfile(Frame& frame, const Presented& what) {
  compute::Device& device = *frame.device;
  const auto curve = [&](const char* key) -> float* {
    if (!frame.wants(key)) return nullptr;
    Channel& channel = values(frame, key, kBins, 0, 1);
    channel.x_min = 0;
    channel.x_max = what.scales.half_edge;
    return channel.data.data();
  };
  if (float* const profile = curve("mass_within")) {
    profileOf(device, what.system, what.scales.half_edge, what.total_mass, what.shells, profile);
  }
  float* const expected = curve("mass_within_expected");
  if (!expected) return;
  frame.channel("mass_within_expected", kBins).form = what.exact ? 0 : 1;
  if (what.exact) {
    compute::parallelFor(device, kBins, functors::ExactWithin{*what.exact, what.scales.half_edge, expected});
  } else {
    compute::parallelFor(device, kBins, functors::Copy{what.initial_profile, expected});
  }
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
  const int every = (what.system.n + kMostDrawn - 1) / kMostDrawn, drawn = (what.system.n + every - 1) / every;
  // Null: not wanted.
  const auto wanted = [&](const char* key, double low, double high) -> Channel* {
    return frame.wants(key) ? &values(frame, key, drawn, low, high) : nullptr;
  };
  const auto dataOf = [](Channel* channel) { return channel ? channel->data.data() : nullptr; };

  Channel* const bodies = frame.wants("bodies") ? &frame.channel("bodies", drawn, 1, 4) : nullptr;
  if (bodies) {
    bodies->x_min = bodies->y_min = -scales.half_edge;
    bodies->x_max = bodies->y_max = scales.half_edge;
    bodies->every = every;
    bodies->of = what.system.n;
  }
  // The ends of the colours are hard to see and are not used.
  const double last_group = scales.groups - 1;
  Channel* const speed = wanted("speed", 0, scales.speed);
  Channel* const velocity = frame.wants("velocity") ? &frame.channel("velocity", drawn, 1, 3) : nullptr;
  Channel* const mass = wanted("mass", scales.least_mass, scales.most_mass);
  Channel* const acceleration = wanted("acceleration", scales.acceleration / 30, scales.acceleration * 30);
  Channel* const group = wanted("group", -0.25 * last_group, 1.25 * last_group);
  if (group) {
    group->kinds = compute::wholeWithin(scales.groups, 1, 1 << 30);
    const bool named = what.group_names.size() == static_cast<std::size_t>(group->kinds);
    group->kind_names = named ? what.group_names : std::vector<std::string>();
  }
  constexpr std::size_t kShownGrain = 2048;
  if (bodies || speed || velocity || mass || acceleration || group) {
    compute::parallelFor(device, static_cast<std::size_t>(drawn),
                         functors::Show{what.system, static_cast<std::size_t>(every), scales.usual_mass,
                                        scales.usual_size, dataOf(bodies), dataOf(speed), dataOf(velocity),
                                        dataOf(mass), dataOf(acceleration), dataOf(group)},
                         kShownGrain);
  }
  presentTrails(frame, what);
  presentProfile(frame, what);
}

}  // namespace simscope::nbody
