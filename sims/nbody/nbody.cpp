#include "sims/nbody/nbody.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "sims/compute/elementary.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/nbody/few/radau.h"
#include "sims/nbody/initial.h"

namespace simscope::nbody {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kLeastPotential = 0.01;  // of the kinetic energy, for a virial ratio

double length(const double (&v)[3]) {
  return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

}  // namespace

NBody::NBody(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(nbody::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  bodies_ = Bodies(device_, bodyCount(p_), p_.force == Force::Coulomb);
  shells_ = compute::Buffer<std::uint64_t>(device_, kBins);
  initial_profile_ = compute::Buffer<float>(device_, kBins);
  longest_step_ = compute::Buffer<std::uint64_t>(device_, 1);
  takeSolver(p_);
}

void NBody::takeSolver(const Parameters& p) {
  if (p.method == Method::Tree && tree_) {
    tree_->setOpeningAngle(p.opening_angle);
  } else if (p.method == Method::Tree) {
    std::unique_ptr<TreeSolver> tree = makeTree(device_, p.opening_angle);
    tree_ = tree.get();
    solver_ = std::move(tree);
  } else if (!solver_ || tree_) {
    solver_ = makeDirect(device_);
    tree_ = nullptr;
  }
}

void NBody::reset(std::uint64_t seed) {
  const int count = bodyCount(p_);
  if (bodies() != count) bodies_ = Bodies(device_, count, p_.force == Force::Coulomb);
  seed_ = seed;
  steps_ = 0;
  clock_ = {};
  untouched_ = true;
  longest_step_.zero();
  makeInitial(*device_, p_, seed, bodies_);
  beginAlike();
  compareStrengths(bodies_);
  startTrails();
  solve(bodies_);
  potential_known_ = true;
  setScales();
  profileOf(*device_, system(), scales_.half_edge, total_mass_, shells_.data(), initial_profile_.data());
  reference_ = conserved();
}

// Ranks begin with the bits of rank 0: GPUs fuse products that processors do not, and what ranks make of the start must
// not differ.
void NBody::beginAlike() {
  compute::Ranks* const ranks = device_->ranks();
  if (!ranks) return;
  const auto share = [&](auto& buffer) {
    auto held = buffer.toHost();
    ranks->broadcast(std::as_writable_bytes(std::span(held)));
    buffer.upload(held);
  };
  share(bodies_.x);
  share(bodies_.v);
  share(bodies_.mass);
  share(bodies_.charge);
  share(bodies_.group);
}

void NBody::solve(Bodies& bodies) {
  if (bodies.few()) return;
  packSources(*device_, bodies.system(p_), bodies.sources.data());
  solver_->expectAlike(bodies.alike);
  solver_->field(bodies.sources.data(), bodies.count(), p_.softening, bodies.field.data());
}

// To be told after every change of the masses. Charges are of either sign.
void NBody::compareStrengths(Bodies& bodies) {
  const MassRange masses = massRange(*device_, bodies.system(p_));
  bodies.alike = bodies.charge.empty() && masses.least == masses.most;
}

void NBody::findPotential() {
  if (!potential_known_) solve(bodies_);
  potential_known_ = true;
}

NBody::Conserved NBody::conserved() {
  findPotential();
  const Totals now = measure(*device_, system());
  return {now.kinetic + now.potential, std::to_array(now.momentum)};
}

NBody::Conserved NBody::lost() {
  Conserved lost = conserved();
  lost.energy = reference_.energy - lost.energy;
  for (std::size_t k = 0; k < 3; ++k) lost.momentum[k] = reference_.momentum[k] - lost.momentum[k];
  return lost;
}

void NBody::loseAsBefore(const Conserved& lost) {
  reference_ = conserved();
  reference_.energy += lost.energy;
  for (std::size_t k = 0; k < 3; ++k) reference_.momentum[k] += lost.momentum[k];
}

// From the present state.
void NBody::setScales() {
  const Totals now = measure(*device_, system());
  const MassRange masses = massRange(*device_, system());
  total_mass_ = now.mass;
  scales_ = {};
  scales_.half_edge = halfEdge(p_);
  scales_.usual_size = usualSize(p_);
  scales_.groups = groupCount(p_);
  const double n = bodies(), constant = std::abs(p_.gravitational_constant);
  const auto positive = [](double value, double otherwise) {
    return value > 0 && std::isfinite(value) ? value : otherwise;
  };
  // Bodies at rest will fall: never less than the speed of a circular orbit at the edge.
  scales_.speed =
      positive(2.5 * std::max(std::sqrt(now.speed2 / n), std::sqrt(constant * now.mass / scales_.half_edge)), 1);
  scales_.acceleration = positive(std::sqrt(now.acceleration2 / n), 1);
  if (masses.most > 0) {
    scales_.usual_mass = compute::exponential(masses.log_sum / masses.count);
    const bool equal = !(masses.least < masses.most) || !(masses.least > 0);
    scales_.least_mass = equal ? masses.most / 2 : masses.least;
    scales_.most_mass = equal ? masses.most * 2 : masses.most;
  }
  // Launched bodies have the usual mass, which takes logarithms of fused products: see beginAlike().
  if (device_->ranks()) device_->ranks()->broadcast(std::as_writable_bytes(std::span(&scales_, 1)));
}

void NBody::change(const ParameterSet& parameters) {
  const Parameters changed = binding().read(parameters);
  const bool other_angle = changed.method == Method::Tree && changed.opening_angle != p_.opening_angle;
  const bool solver = changed.method != p_.method || other_angle;
  const bool forces = changed.gravitational_constant != p_.gravitational_constant ||
                      changed.softening != p_.softening || (solver && !bodies_.few());
  const double now = time();
  if (forces) {
    // The drift so far is kept; the change of energy by the change itself is not drift.
    const Parameters before = p_;
    const Conserved former = lost();
    const auto use = [this](const Parameters& parameters_to_use) {
      takeSolver(parameters_to_use);
      p_ = parameters_to_use;
      solve(bodies_);
    };
    try {
      use(changed);
    } catch (...) {
      // Ranks may be out of step now, and end.
      if (!device_->ranks()) use(before);
      throw;
    }
    loseAsBefore(former);
  } else if (solver) {
    takeSolver(changed);  // for when launches have made many of the few
  }
  if (changed.time_step != parameters_.real("time_step")) clock_ = {now, steps_};
  if (changed.gravitational_constant != parameters_.real("gravitational_constant")) untouched_ = false;
  p_ = changed;
}

TrailRing NBody::trailRing() {
  return {bodies_.trails.data(), trail_.next, trail_.stride, trail_.since_last};
}

void NBody::step(int n) {
  if (n <= 0) return;
  if (bodies_.few()) {
    const TrailRing trail = trailRing();
    advanceFew(*device_, {system(), p_.integrator, p_.time_step, n, trail, longest_step_.data(), steps_});
    const TrailRing after = trail.after(n);
    trail_.next = after.next;
    trail_.since_last = after.since_last;
    trail_.samples =
        static_cast<int>(std::min<std::int64_t>(kTrailSamples, std::int64_t{trail_.samples} + trail.samplesIn(n)));
  } else {
    const System all = system();
    solver_->expectAlike(bodies_.alike);
    // ε of a divisor that is not 0: without softening there is no such time.
    const double least = p_.time_step * p_.time_step / std::max(p_.softening, kLeastSoftening);
    const double scale = p_.softening > kLeastSoftening ? least * least : 0;
    double half = 0;
    for (int i = 0; i < n; ++i) {
      for (const double share : substepsOf(p_.integrator)) {
        const double duration = share * p_.time_step;
        move(*device_, all, {half, duration / 2, duration}, bodies_.sources.data(),
             {longest_step_.data(), steps_ + i, scale});
        solver_->force(bodies_.sources.data(), bodies(), p_.softening, bodies_.field.data());
        potential_known_ = false;
        half = duration / 2;
      }
    }
    move(*device_, all, {half, 0, 0}, bodies_.sources.data(), {longest_step_.data(), steps_ + n, 0});
  }
  steps_ += n;
}

std::optional<ExactProfile> NBody::exactNow() const {
  if (!untouched_) return std::nullopt;
  return exactProfile(p_, time());
}

void NBody::present(Frame& frame) {
  frame.launch_rate = launchRate();
  presentBodies(frame, {system(), scales_, groupNames(p_), total_mass_, trailRing(), trail_.samples, shells_.data(),
                        exactNow(), initial_profile_.data()});
}

// Where half of the mass is within, between two shells; NaN where it is not within the cube's inscribed sphere.
double NBody::halfMassRadius() {
  massInShells(*device_, system(), scales_.half_edge, total_mass_, shells_.data());
  const std::vector<std::uint64_t> shells = shells_.toHost();
  const double shell = scales_.half_edge / kBins;
  double within = 0;
  for (int k = 0; k < kBins; ++k) {
    const double mass = static_cast<double>(shells[static_cast<std::size_t>(k)]) / kWhole;
    if (within + mass >= 0.5) return shell * (k + (0.5 - within) / mass);
    within += mass;
  }
  return kNaN;
}

// The largest distance of a body from its exact position; NaN where that is unknown.
double NBody::orbitError() {
  const bool kepler = p_.initial == Initial::Kepler;
  const bool eight = p_.initial == Initial::FigureEight && p_.force == Force::Gravity;
  if (!untouched_ || !(kepler || eight)) return kNaN;
  const std::vector<double> x = bodies_.x.toHost();
  const auto largest = [&](const auto& places) {
    double most = x.size() < 3 * places.size() ? kNaN : 0;
    for (std::size_t i = 0; i < places.size() && 3 * i < x.size(); ++i) {
      const double off[3] = {x[3 * i] - places[i][0], x[3 * i + 1] - places[i][1], x[3 * i + 2] - places[i][2]};
      most = std::max(most, length(off));
    }
    return most;
  };
  return kepler ? largest(keplerPlaces(p_.gravitational_constant, time()))
                : largest(figureEightPlaces(p_.gravitational_constant, time()));
}

void NBody::diagnostics(std::span<double> values) {
  findPotential();
  const Totals now = measure(*device_, system());
  const double total = now.kinetic + now.potential;
  const std::optional<ExactProfile> exact = exactNow();
  values[kKineticEnergy] = now.kinetic;
  values[kPotentialEnergy] = now.potential;
  values[kTotalEnergy] = total;
  // Kinetic and potential energy may all but cancel: what is gained or lost of the total is then measured by what
  // moves.
  const double scale = std::max(std::abs(reference_.energy), now.kinetic);
  values[kEnergyDrift] = scale > 0 ? (total - reference_.energy) / scale : kNaN;
  values[kMomentum] = length(now.momentum);
  const std::array<double, 3>& momentum = reference_.momentum;
  const double gained[3] = {now.momentum[0] - momentum[0], now.momentum[1] - momentum[1],
                            now.momentum[2] - momentum[2]};
  // No sum of m|v| is larger.
  const double most = std::sqrt(2 * total_mass_ * now.kinetic);
  values[kMomentumDrift] = most > 0 ? length(gained) / most : 0;
  values[kAngularMomentum] = length(now.angular_momentum);
  // Among charges of both signs hardly any potential energy is left: no ratio to be read.
  const bool bound = std::abs(now.potential) > kLeastPotential * now.kinetic;
  values[kVirialRatio] = bound ? 2 * now.kinetic / std::abs(now.potential) : kNaN;
  values[kHalfMassRadius] = halfMassRadius();
  values[kHalfMassRadiusExact] = exact ? exact->halfMassRadius() : kNaN;
  const double off = orbitError();
  values[kOrbitError] = p_.initial == Initial::Kepler ? off : kNaN;
  values[kReturnError] = p_.initial == Initial::FigureEight ? off : kNaN;
  values[kLargestAcceleration] = now.largest_acceleration;
  values[kBodies] = bodies();
  steps_met_ = longestSteps(now.largest_acceleration);
}

std::vector<Finding> NBody::check(std::span<const double> values) const {
  return findingsFor(p_, values, reference_.energy, device_->isCuda(), steps_met_);
}

LongestSteps NBody::longestSteps(double largest_acceleration) const {
  LongestSteps found;
  const std::uint64_t kept = longest_step_.toHost()[0];
  found.met = std::sqrt(std::sqrt(double{std::bit_cast<float>(static_cast<std::uint32_t>(kept >> 32))}));
  found.step = kept == 0 ? 0 : 0x100000000 - static_cast<std::int64_t>(kept & 0xffffffff);
  const double dt = p_.time_step;
  if (!bodies_.few()) {
    if (p_.softening > kLeastSoftening) found.now = dt * std::sqrt(largest_acceleration / p_.softening);
    return found;
  }
  const std::vector<double> x = bodies_.x.toHost(), mass = bodies_.mass.toHost(), charge = bodies_.charge.toHost();
  const std::vector<double>& strength = charge.empty() ? mass : charge;
  const double softening = std::max(p_.softening, kLeastSoftening);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const double response = p_.coupling() * (charge.empty() ? 1 : charge[i] / mass[i]);
    const Pull pull = pullOfFew(x.data(), strength.data(), bodies(), static_cast<int>(i), softening * softening);
    found.now = std::max(found.now, dt * std::sqrt(std::abs(response) * pull.nearest));
  }
  return found;
}

bool NBody::finite() {
  return measure(*device_, system()).not_finite == 0;
}

std::string NBody::likelyCauseOfNaN() const {
  return fmt::format(
      "Two bodies came so close that the step dt = {:g} made their numbers overflow (softening = {:g}). Reset, with a "
      "larger softening or a smaller time_step.",
      p_.time_step, p_.softening);
}

Throughput NBody::throughput() const {
  const double n = bodies(), evaluations = bodies_.few() && p_.integrator == Integrator::Radau15
                                               ? kRadauForces
                                               : static_cast<double>(substepsOf(p_.integrator).size());
  // Of one pair, as is usual: 3 differences, 6 for the distance, 3 for its inverse cube with the root as one, 2 for
  // strength and distance, 6 for the sums.
  constexpr double kFlopsPerPair = 20;
  // Places and velocities are read and written, the field and the sources written and read, once an evaluation.
  const double bytes = bodies_.few() ? 0 : n * evaluations * (2 * 48 + 2 * 16 + 2 * 16);
  if (!bodies_.few() && tree_) {
    // A body meets a few hundred others and cells.
    constexpr double kPartners = 600, kFlopsPerPartner = 40;
    return {.unit = "bodies/s",
            .work_per_step = n,
            .bytes_per_step = bytes,
            .flops_per_step = n * evaluations * kPartners * kFlopsPerPartner};
  }
  Throughput t{.unit = "interactions/s", .work_per_step = n * n * evaluations, .bytes_per_step = bytes};
  t.flops_per_step = t.work_per_step * kFlopsPerPair;
  // 12 of arithmetic, and the root, which takes its turn among them. The CUDA kernel multiplies by a strength that all
  // share once for all pairs.
  if (!bodies_.few()) t.lane_operations_per_step = t.work_per_step * (device_->isCuda() && bodies_.alike ? 12 : 13);
  return t;
}

std::string NBody::method() const {
  if (!bodies_.few()) return solver_->method();
  return device_->isCuda() ? "all pairs, double precision, on chip" : "all pairs, double precision, one thread";
}

}  // namespace simscope::nbody
