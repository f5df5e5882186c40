// The table of the state, what follows from it, and what the mouse does to it.
#include <cmath>

#include "sims/core/archive.h"
#include "sims/lorentz/lorentz.h"

namespace simscope::lorentz {

void Lorentz::visit(Archive& archive) {
  const auto n = static_cast<std::size_t>(p_.particles);
  archive.buffer("position", "x, then y, then z of all particles", {3, n}, x_, device_);
  archive.buffer("velocity", "γv: x, then y, then z of all particles", {3, n}, u_, device_);
  archive.buffer("position_carry", "rounding error of the summed positions (the sums are too large by it)", {3, n},
                 x_carry_, device_, {}, WhenMissing::Zero);
  archive.buffer("velocity_carry", "rounding error of the summed γv (the sums are too large by it)", {3, n}, u_carry_,
                 device_, {}, WhenMissing::Zero);
  archive.buffer("past", "ring of former positions and γv of the first particles", {kTracers, kSamples, 6}, past_,
                 device_, {}, WhenMissing::Leave);
  long_past_.visit(archive, device_);
  archive.values<double>(
      "invariants", "energies, then canonical momenta, of the first particles at the start", {2, kTracers},
      [this] { return invariants_; }, [this](std::vector<double> values) { invariants_ = std::move(values); }, {},
      WhenMissing::Leave);
  archive.number("next", next_, {0, kSamples - 1});
  archive.number("since", since_, {0, static_cast<double>(strideOf(p_) - 1)});
  archive.number("samples", samples_, {1, kSamples});
  archive.number("launched", launched_, {0, 1e9});
  archive.number("energy_reference", energy_reference_);
  archive.number("energy_scale", energy_scale_, {1e-300, 1e300});
  archive.number("gyration_start", gyration_start_);
  archive.number("guide_start", guide_start_);
  archive.number("untouched", untouched_);
}

void Lorentz::loaded(const State& state) {
  setup_ = p_.setup();
  stride_ = strideOf(p_);
  long_past_.loaded();
  const bool known = state.find("run") && state.find("past") && state.find("invariants");
  if (known) return;
  // Particles from elsewhere: nothing is known of their past.
  startHistory();
  takeReferences();
  untouched_ = false;
}

std::vector<LaunchReading> launchReadings(const ParameterSet& set, const Brush& brush, const Frame&) {
  const Parameters p = binding().read(set);
  const double u = p.typicalSpeed() / p.halfEdge() * std::hypot(brush.dx, brush.dy, brush.dz);
  const double gamma = std::sqrt(1 + u * u * static_cast<double>(p.setup().inverse_c2));
  return {{.symbol = "v", .value = u / gamma, .unit = "length/time"},
          {.symbol = "E", .value = u * u / (gamma + 1), .unit = "mass·length²/time²"}};
}

// A drag sets one of the first particles, but never the very first, on its way: half an edge of the cube gives the
// speed that hardly a particle exceeds.
bool Lorentz::stroke(const Brush& brush) {
  if (brush.tool != "launch") return false;
  const int which = 1 + launched_ % (kTracers - 1);
  launched_ = (launched_ + 1) % 1'000'000;
  const double before = energyOf(tracers()[static_cast<std::size_t>(which)], which);
  const double per_length = p_.typicalSpeed() / p_.halfEdge();
  const double x[] = {brush.x, brush.y, brush.z};
  const double u[] = {per_length * brush.dx, per_length * brush.dy, per_length * brush.dz};
  const auto n = static_cast<std::size_t>(p_.particles);
  std::vector<float> sample(6);
  for (std::size_t k = 0; k < 3; ++k) {
    sample[k] = static_cast<float>(x[k]), sample[3 + k] = static_cast<float>(u[k]);
    const std::size_t at = k * n + static_cast<std::size_t>(which);
    const float none = 0;
    device_->upload(x_.data() + at, &sample[k], sizeof(float));
    device_->upload(u_.data() + at, &sample[3 + k], sizeof(float));
    device_->upload(x_carry_.data() + at, &none, sizeof none);
    device_->upload(u_carry_.data() + at, &none, sizeof none);
  }
  // It has always been here, as far as its past knows.
  std::vector<float> past;
  past.reserve(std::size_t{6} * kSamples);
  for (int k = 0; k < kSamples; ++k) past.insert(past.end(), sample.begin(), sample.end());
  device_->upload(past_.data() + std::size_t{6} * kSamples * static_cast<std::size_t>(which), past.data(),
                  past.size() * sizeof(float));
  const Tracer now = tracers()[static_cast<std::size_t>(which)];
  const double after = energyOf(now, which);
  energy_reference_ += after - before;
  invariants_[static_cast<std::size_t>(which)] = after;
  invariants_[static_cast<std::size_t>(kTracers + which)] =
      canonicalMomentum(setup_, now.x, now.u, setup_.charge(static_cast<unsigned>(which)));
  untouched_ = false;
  return true;
}

}  // namespace simscope::lorentz
