// The table of the state, and what follows from it; trails.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sims/compute/loops/whole.h"
#include "sims/core/archive.h"

#include "sims/nbody/initial.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody {
namespace {

constexpr StateRange kPositive{std::numeric_limits<double>::denorm_min()};
constexpr StateRange kNotNegative{0};
constexpr double kMostStride = 1e9;
constexpr int kMostGroups = 1'000'000;
constexpr std::size_t kMostBodies = std::size_t{1} << 28;

}  // namespace

void NBody::visit(Archive& archive) {
  // The number of bodies is that of the state; the mouse may have added some.
  const std::size_t n = archive.extent("position", 0, static_cast<std::size_t>(bodies()), kMostBodies);
  const std::size_t least = static_cast<std::size_t>(bodyCount(p_));
  const bool charged = p_.force == Force::Coulomb;
  incoming_.reset();
  if (n != static_cast<std::size_t>(bodies())) {
    if (isFixedSystem(p_.initial) && n < least) {
      archive.refuse("position", fmt::format("has {} bodies, but its parameters describe {}", n, least));
    }
    incoming_.emplace(device_, static_cast<int>(n), charged);
  }
  Bodies& held = incoming_ ? *incoming_ : bodies_;
  archive.buffer("position", "position of each body", {n, 3}, held.x, device_);
  archive.buffer("velocity", "velocity of each body", {n, 3}, held.v, device_);
  archive.buffer("mass", "mass of each body", {n}, held.mass, device_, charged ? kPositive : kNotNegative);
  if (charged) archive.buffer("charge", "charge of each body", {n}, held.charge, device_);
  archive.buffer("group", "group that each body started in", {n}, held.group, device_, {0, kMostGroups},
                 WhenMissing::Zero);
  archive.then([this] { takeBodies(); });
  if (held.few()) {
    const std::size_t samples =
        archive.extent("trails", 1, static_cast<std::size_t>(trail_.samples), std::size_t{kTrailSamples});
    archive.values<float>(
        "trails", "former positions of each body, oldest first", {n, samples, 3}, [this] { return trailsInOrder(); },
        [this, samples](const std::vector<float>& places) { putTrails(places, static_cast<int>(samples)); }, {},
        WhenMissing::Leave);
  }
  archive.buffer("initial_profile", "mass within each shell at the start, as a share of the total", {kBins},
                 initial_profile_, device_, {}, WhenMissing::Leave);

  archive.values<double>(
      "momentum_reference", "the momentum that an exact integration would give", {3},
      [this] { return std::vector<double>(reference_.momentum.begin(), reference_.momentum.end()); },
      [this](const std::vector<double>& momentum) { std::copy_n(momentum.begin(), 3, reference_.momentum.begin()); },
      {}, WhenMissing::Leave);

  archive.values<double>(
      "longest_step",
      "dt over the time of the closest encounter, to the fourth, of the step where it was largest; its "
      "number",
      {2},
      [this] {
        const std::uint64_t kept = longest_step_.toHost()[0];
        if (kept == 0) return std::vector<double>{0, 0};
        return std::vector<double>{double{std::bit_cast<float>(static_cast<std::uint32_t>(kept >> 32))},
                                   static_cast<double>(0xffffffff - (kept & 0xffffffff))};
      },
      [this](const std::vector<double>& values) {
        longest_step_.upload(std::vector{
            values[0] > 0 ? LongestStep::packed(values[0], static_cast<std::int64_t>(std::min(values[1], 0xffffffffp0)))
                          : std::uint64_t{0}});
      },
      kNotNegative, WhenMissing::Leave);
  archive.number("clock_time", clock_.time);
  archive.number("clock_step", clock_.step, {0, static_cast<double>(archive.steps(steps_))});
  archive.number("energy_reference", reference_.energy);
  const bool untouched = archive.number("untouched", untouched_);
  if (archive.loading() && archive.has("run") && isFixedSystem(p_.initial) && untouched && n != least) {
    archive.refuse("position",
                   fmt::format("has {} bodies, but a run of its parameters without launches has {}", n, least));
  }
  const int stride = archive.number("trail_stride", trail_.stride, {1, kMostStride});
  const int since = archive.number("trail_since_last", trail_.since_last, {0, kMostStride});
  if (archive.loading() && since >= stride) {
    archive.refuse("run",
                   fmt::format("is {} at trail_since_last; it must be less than trail_stride, {}", since, stride));
  }
  archive.number("total_mass", total_mass_, kNotNegative);
  archive.number("half_edge", scales_.half_edge, {1e-9, 1e12});
  archive.number("speed", scales_.speed, kPositive);
  archive.number("acceleration", scales_.acceleration, kPositive);
  archive.number("least_mass", scales_.least_mass, kNotNegative);
  archive.number("most_mass", scales_.most_mass, kNotNegative);
  archive.number("usual_mass", scales_.usual_mass, kPositive);
  archive.number("usual_size", scales_.usual_size, {1e-9, 1e9});
  archive.number("groups", scales_.groups, {1, kMostGroups}, true);
}

// The bodies of the state become the simulation's; what may run out of memory comes first.
void NBody::takeBodies() {
  Bodies& held = incoming_ ? *incoming_ : bodies_;
  compareStrengths(held);
  solve(held);
  if (incoming_) bodies_ = std::move(*incoming_);
  incoming_.reset();
  potential_known_ = true;
  startTrails();
}

void NBody::loaded(const State& state) {
  if (!state.find("run")) {
    // Bodies from elsewhere: nothing is known of their past.
    clock_ = {state.time, state.steps};
    untouched_ = false;
    setScales();
    reference_ = conserved();
  } else if (!state.find("momentum_reference")) {
    reference_.momentum = conserved().momentum;
  }
  if (!state.find("longest_step")) longest_step_.zero();
  if (!state.find("initial_profile")) {
    profileOf(*device_, system(), scales_.half_edge, total_mass_, shells_.data(), initial_profile_.data());
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
