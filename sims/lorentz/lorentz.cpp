#include "sims/lorentz/lorentz.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sims/compute/loops/whole.h"
#include "sims/lorentz/initial.h"
#include "sims/lorentz/lanes.h"
#include "sims/lorentz/present.h"

namespace simscope::lorentz {
namespace {}  // namespace

int strideOf(const Parameters& p) {
  const FirstParticle first = firstParticle(p);
  const double at[] = {first.place, 0, 0};
  const double turn = 2 * std::numbers::pi * first.gamma / strengthAt(p.setup(), at);
  const double in_a_turn = p.in(Configuration::Tokamak)  ? 5
                           : p.in(Configuration::Dipole) ? 20
                           : p.in(Configuration::Bottle) ? 24
                                                         : 48;
  return compute::wholeWithin(std::round(turn / (in_a_turn * p.time_step)), 1, 1'000'000'000);
}

int shownSamples(const Parameters& p) {
  return p.in(Configuration::Tokamak) ? kSamples : p.in(Configuration::Bottle) ? 800 : 640;
}

int plottedSamples(const Parameters& p) {
  return p.in(Configuration::Uniform) || p.in(Configuration::Gradient) ? 512 : 1024;
}

double startLine(const Parameters& p) {
  const double push = p.electric_field * p.field;
  if (!p.in(Configuration::Uniform) || push == 0) return 0;
  return push > 0 ? 0.6 * p.extent : -0.6 * p.extent;
}

Lorentz::Lorentz(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(lorentz::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  setup_ = p_.setup();
  const std::size_t values = 3 * static_cast<std::size_t>(p_.particles);
  for (compute::Buffer<float>* each : {&x_, &x_carry_, &u_, &u_carry_}) *each = {device_, values};
  past_ = {device_, std::size_t{6} * kTracers * kSamples};
  long_past_ = LongPast(device_);
  invariants_.assign(std::size_t{2} * kTracers, 0.0);
}

void Lorentz::reset(std::uint64_t seed) {
  seed_ = seed;
  steps_ = 0;
  untouched_ = true;
  launched_ = 0;
  {
    const Start start = makeStart(device_, p_, seed);
    x_.upload(start.x);
    u_.upload(start.u);
  }
  x_carry_.zero();
  u_carry_.zero();
  startHistory();
  takeReferences();
}

Particles Lorentz::particles() {
  return {x_.data(), x_carry_.data(), u_.data(), u_carry_.data(), p_.particles};
}

History Lorentz::history() {
  return {past_.data(), next_, stride_, since_};
}

Totals Lorentz::totals() {
  return measure(*device_, setup_, particles(), time(), startLine(p_));
}

std::vector<Lorentz::Tracer> Lorentz::tracers() const {
  std::vector<Tracer> all(kTracers);
  const auto n = static_cast<std::size_t>(p_.particles);
  float row[kTracers];
  for (std::size_t k = 0; k < 6; ++k) {
    device_->download(row, (k < 3 ? x_ : u_).data() + k % 3 * n, sizeof row);
    for (std::size_t i = 0; i < kTracers; ++i) (k < 3 ? all[i].x[k] : all[i].u[k - 3]) = row[i];
  }
  return all;
}

// The past begins with the present.
void Lorentz::startHistory() {
  stride_ = strideOf(p_);
  since_ = 0;
  std::vector<float> ring(past_.size());
  const std::vector<Tracer> now = tracers();
  for (std::size_t i = 0; i < kTracers; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      ring[6 * i * kSamples + k] = static_cast<float>(now[i].x[k]);
      ring[6 * i * kSamples + 3 + k] = static_cast<float>(now[i].u[k]);
    }
  }
  past_.upload(ring);
  samples_ = next_ = 1;
  long_past_.clear();
  long_past_.add(*device_, past_.data(), 0, 1);
}

double Lorentz::energyOf(const Tracer& t, int index) const {
  const double u2 = t.u[0] * t.u[0] + t.u[1] * t.u[1] + t.u[2] * t.u[2];
  const double gamma = std::sqrt(1 + u2 * setup_.inverse_c2);
  return u2 / (gamma + 1) - double{setup_.charge(static_cast<unsigned>(index))} * setup_.electric * t.x[0];
}

void Lorentz::takeInvariants(const std::vector<Tracer>& all) {
  for (int i = 0; i < kTracers; ++i) {
    const Tracer& t = all[static_cast<std::size_t>(i)];
    invariants_[static_cast<std::size_t>(i)] = energyOf(t, i);
    invariants_[static_cast<std::size_t>(kTracers + i)] =
        canonicalMomentum(setup_, t.x, t.u, setup_.charge(static_cast<unsigned>(i)));
  }
}

void Lorentz::takeReferences() {
  const Totals now = totals();
  energy_reference_ = now.kinetic + now.potential;
  energy_scale_ = now.kinetic > 0 ? now.kinetic : 1;
  gyration_start_ = now.gyration;
  guide_start_ = now.guide;
  takeInvariants(tracers());
}

// The errors so far are kept: the change of energy by the change itself is not an error.
void Lorentz::change(const ParameterSet& parameters) {
  const Parameters next = binding().read(parameters);
  const bool same =
      next.field == p_.field && (!p_.in(Configuration::Uniform) || next.electric_field == p_.electric_field);
  if (same) {
    p_ = next;
    return;
  }
  const Totals before = totals();
  p_ = next;
  setup_ = p_.setup();
  const Totals after = totals();
  energy_reference_ += after.potential - before.potential;
  takeInvariants(tracers());
  untouched_ = false;
  // The past has samples a share of a turn apart, and a state says how far it is from the last one.
  if (strideOf(p_) != stride_) startHistory();
}

void Lorentz::step(int n) {
  const bool bounces = !p_.in(Configuration::Uniform) && !p_.in(Configuration::Gradient);
  while (n > 0) {
    const History before = history();
    // No sample of the ring is overwritten before it is looked at.
    const std::int64_t most = std::int64_t{kSamples} * stride_;
    const int now = bounces ? static_cast<int>(std::min<std::int64_t>(n, most)) : n;
    advance(*device_, setup_, particles(), before, now);
    const History after = before.after(now);
    const int samples = before.samplesIn(now);
    if (bounces) long_past_.add(*device_, past_.data(), before.next, samples);
    samples_ = static_cast<int>(std::min<std::int64_t>(kSamples, std::int64_t{samples_} + samples));
    next_ = after.next;
    since_ = after.since;
    steps_ += now;
    n -= now;
  }
}

void Lorentz::present(Frame& frame) {
  presentParticles(frame, {p_, setup_, particles(), history(), samples_, time(), untouched_});
}

std::vector<Sample> Lorentz::pastOfFirst() const {
  std::vector<float> ring(std::size_t{6} * kSamples);
  device_->download(ring.data(), past_.data(), ring.size() * sizeof(float));
  std::vector<Sample> past(static_cast<std::size_t>(samples_));
  for (int i = 0; i < samples_; ++i) {
    const int age = samples_ - 1 - i, sample = (next_ - 1 - age + 2 * kSamples) % kSamples;
    const float* const from = ring.data() + 6 * sample;
    past[static_cast<std::size_t>(i)] = {
        (static_cast<double>(steps_ - since_) - static_cast<double>(age) * stride_) * p_.time_step,
        {from[0], from[1], from[2]},
        {from[3], from[4], from[5]}};
  }
  return past;
}

void Lorentz::diagnostics(std::span<double> values) {
  std::fill(values.begin(), values.begin() + kDiagnosticCount, kNaN);
  const auto set = [&](Diagnostic which, double value) { values[which] = std::isfinite(value) ? value : kNaN; };
  const Totals now = totals();
  const double n = p_.particles;
  set(kKineticEnergy, now.kinetic / n);
  set(kEnergyError, (now.kinetic + now.potential - energy_reference_) / energy_scale_);
  const std::vector<Tracer> all = tracers();
  double energy = 0, momentum = 0;
  for (int i = 0; i < kTracers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double kept = canonicalMomentum(setup_, all[at].x, all[at].u, setup_.charge(static_cast<unsigned>(i)));
    energy = std::max(energy, std::abs(energyOf(all[at], i) - invariants_[at]));
    momentum = std::max(momentum, std::abs(kept - invariants_[kTracers + at]));
  }
  const bool straight = p_.in(Configuration::Uniform) || p_.in(Configuration::Gradient);
  const bool moves = untouched_ && steps_ > 0;
  set(kTracerEnergyError, energy * n / energy_scale_);
  set(kMomentumError, momentum / (p_.speed * (straight ? 1 : p_.halfEdge())));
  set(kCoarseShare, now.moving > 0 ? now.coarse / now.moving : 0);

  const std::vector<Sample> recorded = pastOfFirst();
  gyration_ = {now.turn, now.moving > 0 ? now.wide / now.moving : 0};
  gyration_.turns = time() * p_.field / (2 * std::numbers::pi);
  // The fields are those of the past only where nobody has changed them.
  for (std::size_t i = 0; untouched_ && i < recorded.size(); ++i) {
    const Sample& s = recorded[i];
    const double gamma = std::sqrt(1 + (s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2]) * setup_.inverse_c2);
    const double turn = setup_.time_step * strengthAt(setup_, {s.x[0], s.x[1], s.x[2]}) / gamma;
    if (turn > gyration_.met) gyration_.met = turn, gyration_.met_at = std::llround(s.time / p_.time_step);
  }
  Measured past = measureOrbit(p_, recorded);
  if (std::isnan(past.bounce_period)) {
    const Measured longer = measureOrbit(p_, long_past_.toHost(*device_, steps_, history(), p_.time_step));
    past.bounce_period = longer.bounce_period, past.longitude_rate = longer.longitude_rate;
    if (!std::isnan(longer.banana_width)) past.banana_width = longer.banana_width;
  }
  set(kMomentVariation, past.moment_variation);
  set(kMomentDrift, past.moment_drift);
  if (p_.in(Configuration::Uniform)) {
    const double growth = growthOfStep(p_);
    if (untouched_ && gyration_start_ > 0 && std::isfinite(growth)) {
      set(kGyration, now.gyration / gyration_start_);
      set(kGyrationExact, std::pow(1 + growth, static_cast<double>(steps_)));
    }
    const bool classical = !p_.relativistic || p_.electric_field == 0;
    if (moves && classical) {
      const double exact = cyclotronFrequency(p_);
      set(kFrequency, past.turn_rate);
      set(kFrequencyExact, exact);
      set(kPhaseError, past.turn_rate / exact - 1);
      set(kPhaseErrorExact, phaseErrorOf(p_));
      const FirstParticle first = firstParticle(p_);
      if (p_.electric_field == 0) set(kRadius, past.radius);
      if (p_.electric_field == 0) set(kRadiusExact, first.across / p_.field);
    }
    if (untouched_ && classical && p_.beam() && p_.cloud == 0) {
      set(kSpread, std::sqrt(now.spread2 / n));
      set(kSpreadExact, std::sqrt(now.spread2_exact / n));
    }
  }
  const bool drifts = p_.in(Configuration::Gradient) || (p_.in(Configuration::Uniform) && p_.electric_field != 0);
  if (moves && drifts && !electricWins(p_)) {
    set(kDrift, (now.guide - guide_start_) / (n * time()));
    set(kDriftExact, now.drift / n);
  }
  if (p_.in(Configuration::Bottle) || p_.in(Configuration::Dipole)) {
    set(kLost, 1 - now.moving / n);
    if (untouched_) set(kLostExact, lostShare(p_));
    if (moves) set(kBounceExact, bouncePeriod(p_));
  }
  if (!p_.in(Configuration::Uniform) && moves) set(kBounce, past.bounce_period);
  if (p_.in(Configuration::Dipole) && moves) {
    set(kLongitude, past.longitude_rate);
    set(kLongitudeExact, longitudeRate(p_));
  }
  if (p_.in(Configuration::Tokamak) && moves) {
    set(kBanana, past.banana_width);
    if (!std::isnan(past.banana_width)) set(kBananaExact, bananaWidth(p_));
  }
}

std::vector<Finding> Lorentz::check(std::span<const double> values) const {
  return findingsFor(p_, values, gyration_);
}

bool Lorentz::finite() {
  return totals().bad == 0;
}

std::string Lorentz::likelyCauseOfNaN() const {
  return fmt::format(
      "Steps of dt = {:g} made a particle's numbers overflow. Reset, with pusher = boris or a smaller time_step.",
      p_.time_step);
}

Throughput Lorentz::throughput() const {
  // Instructions of a step, counted in the source, a root or a reciprocal as one: uniform, gradient, bottle, dipole,
  // tokamak; γ takes six.
  constexpr double kInstructions[] = {36, 45, 74, 81, 95};
  const double n = p_.particles, push = kInstructions[static_cast<int>(p_.configuration)] + (p_.relativistic ? 6 : 0);
  const double each = p_.pusher == Pusher::RungeKutta ? 2 * push : push;
  // Whatever a launch makes of it, the state crosses the memory once in so many steps.
  const double bytes = 96 * n / kStepsOfALaunch;
  return {.unit = "particles/s",
          .work_per_step = n,
          .bytes_per_step = bytes,
          .flops_per_step = 1.4 * each * n,
          .lane_operations_per_step = each * n};
}

std::string Lorentz::method() const {
  const char* const scheme = p_.pusher == Pusher::Boris   ? "Boris"
                             : p_.pusher == Pusher::Euler ? "Euler"
                                                          : "Runge-Kutta";
  return fmt::format("{}, {}", scheme,
                     device_->isCuda() ? "in registers for all steps of a launch" : supportedLanes().widest().name);
}

}  // namespace simscope::lorentz
