// The whole state as host arrays, and back; trails.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/nbody/initial.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody {
namespace {

constexpr std::size_t kRunValues = 15;

template <class T>
constexpr const char* kDtype = nullptr;
template <>
constexpr const char* kDtype<double> = "<f8";
template <>
constexpr const char* kDtype<float> = "<f4";
template <>
constexpr const char* kDtype<int> = "<i4";

template <class T>
StateArray arrayOf(std::string name, std::vector<std::size_t> shape, const std::vector<T>& values) {
  return simscope::arrayOf(std::move(name), kDtype<T>, std::move(shape), values);
}

// The values of an array that must have this type and shape; UsageError otherwise.
template <class T>
std::vector<T> valuesOf(const StateArray& array, const std::vector<std::size_t>& shape) {
  std::size_t count = 1;
  std::string text;
  for (const std::size_t each : shape) {
    count *= each;
    text += (text.empty() ? "" : " × ") + std::to_string(each);
  }
  if (array.dtype != kDtype<T> || array.shape != shape || array.bytes.size() != count * sizeof(T)) {
    throw UsageError(fmt::format("nbody: the state's array '{}' must be {} values of {}; this one has {} bytes of {}",
                                 array.name, text, kDtype<T>, array.bytes.size(), array.dtype));
  }
  return simscope::valuesOf<T>(array);
}

const StateArray& required(const State& state, const char* name) {
  if (const StateArray* const array = state.find(name)) return *array;
  throw UsageError(fmt::format("nbody: the state has no array '{}'", name));
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
  if (state.simulation != description().id) {
    throw UsageError("nbody: the state belongs to the simulation '" + state.simulation + "'");
  }
  // The number of bodies is that of the state; the mouse may have added some.
  const StateArray& position = required(state, "position");
  if (position.shape.empty() || position.shape[0] < 1 || position.shape[0] > std::size_t{1} << 28) {
    throw UsageError("nbody: the state's array 'position' must have the shape n × 3");
  }
  const std::size_t n = position.shape[0];
  const std::vector<double> x = valuesOf<double>(position, {n, 3});
  const std::vector<double> v = valuesOf<double>(required(state, "velocity"), {n, 3});
  const std::vector<double> mass = valuesOf<double>(required(state, "mass"), {n});
  const bool charged = p_.force == Force::Coulomb;
  std::vector<double> charge;
  if (charged) charge = valuesOf<double>(required(state, "charge"), {n});
  for (const double m : mass) {
    if (!(charged ? m > 0 : m >= 0) || !std::isfinite(m)) {
      throw UsageError(fmt::format("nbody: a mass of {} cannot be moved; masses must be {}", m,
                                   charged ? "larger than 0 for charges" : "0 or more"));
    }
  }
  std::vector<int> group(n, 0);
  if (const StateArray* const array = state.find("group")) group = valuesOf<int>(*array, {n});
  std::vector<double> run;
  if (const StateArray* const array = state.find("run")) run = valuesOf<double>(*array, {kRunValues});
  std::vector<float> profile, trails;
  if (const StateArray* const array = state.find("initial_profile")) profile = valuesOf<float>(*array, {kBins});
  std::size_t samples = 0;
  const StateArray* const trail_array = state.find("trails");
  if (trail_array && n <= kFew) {
    samples = trail_array->shape.size() == 3 ? trail_array->shape[1] : 0;
    if (samples < 1 || samples > kTrailSamples) {
      throw UsageError(fmt::format("nbody: the state's array 'trails' must have 1 to {} samples", kTrailSamples));
    }
    trails = valuesOf<float>(*trail_array, {n, samples, 3});
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
    clock_ = {run[0], static_cast<std::int64_t>(run[1])};
    energy_reference_ = run[2];
    untouched_ = run[3] != 0;
    total_mass_ = run[6];
    scales_ = {run[7], run[8], run[9], run[10], run[11], run[12], run[13], run[14]};
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
  if (!run.empty() && run[4] >= 1 && run[4] < 2e9 && run[5] >= 0 && run[5] < run[4]) {
    trail_.stride = static_cast<int>(run[4]);
    trail_.since_last = static_cast<int>(run[5]);
  }
}

// Every trail begins where its body is now.
void NBody::startTrails() {
  trail_ = {};
  const double stride = trailDuration(p_) / (kTrailSamples * p_.time_step);
  trail_.stride = static_cast<int>(std::clamp(std::round(stride), 1.0, 1e9));
  if (!bodies_.few()) return;
  const std::vector<double> x = bodies_.x.toHost();
  putTrails({x.begin(), x.end()}, 1);
}

// Body by body, oldest sample first.
std::vector<float> NBody::trailsInOrder() const {
  const std::vector<float> ring = bodies_.trails.toHost();
  std::vector<float> places;
  places.reserve(3 * static_cast<std::size_t>(bodies() * trail_.samples));
  for (int body = 0; body < bodies(); ++body) {
    for (int k = trail_.samples; k > 0; --k) {
      const int sample = (trail_.next - k + kTrailSamples) % kTrailSamples;
      const auto at = ring.begin() + 3 * (body * kTrailSamples + sample);
      places.insert(places.end(), at, at + 3);
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
