// The whole state as host arrays, and back; trails.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sims/compute/whole.h"
#include "sims/core/state_reader.h"

#include "sims/nbody/initial.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody {
namespace {

// The array "run".
enum RunValue {
  kTime,
  kStep,
  kEnergyReference,
  kUntouched,
  kTrailStride,
  kTrailSinceLast,
  kTotalMass,
  kHalfEdge,
  kSpeed,
  kAcceleration,
  kLeastMass,
  kMostMass,
  kUsualMass,
  kUsualSize,
  kGroups,
  kRunValues
};

constexpr StateRange kPositive{std::numeric_limits<double>::denorm_min()};
constexpr StateRange kNotNegative{0};
constexpr double kMostStride = 1e9;
constexpr int kMostGroups = 1'000'000;

std::array<StateField, kRunValues> runFields(std::int64_t steps) {
  return {{{"clock_time"},
           {"clock_step", {0, static_cast<double>(steps)}, true},
           {"energy_reference"},
           {"untouched", kYesOrNo, true},
           {"trail_stride", {1, kMostStride}, true},
           {"trail_since_last", {0, kMostStride}, true},
           {"total_mass", kNotNegative},
           {"half_edge", {1e-9, 1e12}},
           {"speed", kPositive},
           {"acceleration", kPositive},
           {"least_mass", kNotNegative},
           {"most_mass", kNotNegative},
           {"usual_mass", kPositive},
           {"usual_size", {1e-9, 1e9}},
           {"groups", {1, kMostGroups}, true}}};
}

template <class T>
StateArray arrayOf(std::string name, std::vector<std::size_t> shape, const std::vector<T>& values) {
  return simscope::arrayOf(std::move(name), kDtypeOf<T>, std::move(shape), values);
}

}  // namespace

State NBody::save() {
  const auto n = static_cast<std::size_t>(bodies());
  State state;
  state.simulation = description().id;
  state.parameters = parameters_;
  state.seed = seed_;
  state.steps = steps_;
  state.time = time();
  state.arrays.push_back(arrayOf("position", {n, 3}, bodies_.x.toHost()));
  state.arrays.push_back(arrayOf("velocity", {n, 3}, bodies_.v.toHost()));
  state.arrays.push_back(arrayOf("mass", {n}, bodies_.mass.toHost()));
  if (!bodies_.charge.empty()) state.arrays.push_back(arrayOf("charge", {n}, bodies_.charge.toHost()));
  state.arrays.push_back(arrayOf("group", {n}, bodies_.group.toHost()));
  if (bodies_.few()) {
    state.arrays.push_back(arrayOf("trails", {n, static_cast<std::size_t>(trail_.samples), 3}, trailsInOrder()));
  }
  state.arrays.push_back(arrayOf("initial_profile", {kBins}, initial_profile_.toHost()));
  const std::vector<double> run{clock_.time,
                                static_cast<double>(clock_.step),
                                energy_reference_,
                                untouched_ ? 1.0 : 0.0,
                                static_cast<double>(trail_.stride),
                                static_cast<double>(trail_.since_last),
                                total_mass_,
                                scales_.half_edge,
                                scales_.speed,
                                scales_.acceleration,
                                scales_.least_mass,
                                scales_.most_mass,
                                scales_.usual_mass,
                                scales_.usual_size,
                                scales_.groups};
  state.arrays.push_back(arrayOf("run", {kRunValues}, run));
  return state;
}

void NBody::load(const State& state) {
  const StateReader reader(description().id, state);
  // The number of bodies is that of the state; the mouse may have added some.
  const StateReader::Shape& shape = reader.array("position").shape;
  constexpr std::size_t kMostBodies = std::size_t{1} << 28;
  if (shape.empty() || shape[0] < 1 || shape[0] > kMostBodies) reader.refuse("position", "must have the shape n × 3");
  const std::size_t n = shape[0], least = static_cast<std::size_t>(bodyCount(p_));
  if (isFixedSystem(p_.initial) && n < least) {
    reader.refuse("position", fmt::format("has {} bodies; its parameters describe {}", n, least));
  }
  const std::vector<double> x = reader.values<double>("position", {n, 3});
  const std::vector<double> v = reader.values<double>("velocity", {n, 3});
  const bool charged = p_.force == Force::Coulomb;
  const std::vector<double> mass = reader.values<double>("mass", {n}, charged ? kPositive : kNotNegative);
  std::vector<double> charge;
  if (charged) charge = reader.values<double>("charge", {n});
  std::vector<int> group(n, 0);
  if (reader.has("group")) group = reader.values<int>("group", {n}, {0, kMostGroups});
  std::vector<double> run;
  if (reader.has("run")) {
    run = reader.fields("run", runFields(state.steps));
    if (!(run[kTrailSinceLast] < run[kTrailStride])) {
      reader.refuse("run", fmt::format("is {} at [{}], trail_since_last; it must be less than trail_stride, {}",
                                       run[kTrailSinceLast], int{kTrailSinceLast}, run[kTrailStride]));
    }
    if (isFixedSystem(p_.initial) && run[kUntouched] != 0 && n != least) {
      reader.refuse("position", fmt::format("has {} bodies; an untouched run of its parameters has {}", n, least));
    }
  }
  std::vector<float> profile, trails;
  if (reader.has("initial_profile")) profile = reader.values<float>("initial_profile", {kBins});
  std::size_t samples = 0;
  if (reader.has("trails") && n <= kFew) {
    const StateReader::Shape& places = reader.array("trails").shape;
    samples = places.size() == 3 ? places[1] : 0;
    if (samples < 1 || samples > kTrailSamples) {
      reader.refuse("trails", fmt::format("must have 1 to {} samples of each body", int{kTrailSamples}));
    }
    trails = reader.values<float>("trails", {n, samples, 3});
  }

  const auto fill = [&](Bodies& bodies) {
    bodies.x.upload(x);
    bodies.v.upload(v);
    bodies.mass.upload(mass);
    if (charged) bodies.charge.upload(charge);
    bodies.group.upload(group);
    compareStrengths(bodies);
    solve(bodies);
  };
  if (const int count = static_cast<int>(n); count == bodies()) {
    fill(bodies_);
  } else {
    Bodies loaded(device_, count, charged);
    fill(loaded);
    bodies_ = std::move(loaded);
  }
  potential_known_ = true;
  seed_ = state.seed;
  steps_ = state.steps;
  if (!run.empty()) {
    clock_ = {run[kTime], static_cast<std::int64_t>(run[kStep])};
    energy_reference_ = run[kEnergyReference];
    untouched_ = run[kUntouched] != 0;
    total_mass_ = run[kTotalMass];
    scales_ = {run[kHalfEdge], run[kSpeed],     run[kAcceleration], run[kLeastMass],
               run[kMostMass], run[kUsualMass], run[kUsualSize],    run[kGroups]};
  } else {
    // Bodies from elsewhere: nothing is known of their past.
    clock_ = {state.time, state.steps};
    untouched_ = false;
    setScales();
    energy_reference_ = energy();
  }
  if (!profile.empty()) {
    initial_profile_.upload(profile);
  } else {
    profileOf(*device_, system(), scales_.half_edge, total_mass_, shells_.data(), initial_profile_.data());
  }
  startTrails();
  if (!trails.empty()) putTrails(trails, static_cast<int>(samples));
  if (!run.empty()) {
    trail_.stride = static_cast<int>(run[kTrailStride]);
    trail_.since_last = static_cast<int>(run[kTrailSinceLast]);
  }
}

// Every trail begins where its body is now.
void NBody::startTrails() {
  trail_ = {};
  const double stride = trailDuration(p_) / (kTrailSamples * p_.time_step);
  trail_.stride = compute::wholeWithin(std::round(stride), 1, static_cast<int>(kMostStride));
  if (!bodies_.few()) return;
  const std::vector<double> x = bodies_.x.toHost();
  putTrails({x.begin(), x.end()}, 1);
}

// Body by body, oldest sample first.
std::vector<float> NBody::trailsInOrder() const {
  const std::vector<float> ring = bodies_.trails.toHost();
  // A body that was thrown beyond what a float holds: a state holds numbers only.
  constexpr float kFarthest = std::numeric_limits<float>::max();
  std::vector<float> places;
  places.reserve(3 * static_cast<std::size_t>(bodies() * trail_.samples));
  for (int body = 0; body < bodies(); ++body) {
    for (int k = trail_.samples; k > 0; --k) {
      const int sample = (trail_.next - k + kTrailSamples) % kTrailSamples;
      const auto at = ring.begin() + 3 * (body * kTrailSamples + sample);
      for (int axis = 0; axis < 3; ++axis) places.push_back(std::clamp(at[axis], -kFarthest, kFarthest));
    }
  }
  return places;
}

void NBody::putTrails(const std::vector<float>& places, int samples) {
  std::vector<float> ring(bodies_.trails.size());
  for (int body = 0; body < bodies(); ++body) {
    std::copy_n(places.begin() + 3 * body * samples, 3 * samples, ring.begin() + 3 * body * kTrailSamples);
  }
  bodies_.trails.upload(ring);
  trail_.samples = samples;
  trail_.next = samples % kTrailSamples;
}

}  // namespace simscope::nbody
