#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/nbody/initial.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody {
namespace {

// The largest of 1, 2, 5 times a power of ten that is no larger.
double roundDown(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= value * (1 + 1e-12)) return digit * power;
  }
  return power;
}

const ParameterInfo& infoOf(const char* key) {
  return description().parameters->at(description().defaults().find(key));
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, std::span<const double> values, double energy_reference,
                                 bool cuda) {
  std::vector<Finding> findings;
  const auto find = [&](Finding::Level level, std::string code, std::string message, const char* key = "",
                        std::string value = {}) {
    findings.push_back({level, std::move(code), std::move(message), value.empty() ? "" : key, std::move(value)});
  };
  // The cure by a smaller step, where there is one that is allowed.
  const auto smallerStep = [&](double step) {
    const double cure = roundDown(step);
    return cure >= infoOf("time_step").minimum && cure < p.time_step ? toText(cure) : std::string();
  };
  const double n = values[kBodies];

  // Within ε of each other bodies swing with ω² ≈ a/ε; leapfrog is stable for ω dt < 2, and good well below.
  const double fastest = std::sqrt(p.softening / values[kLargestAcceleration]);
  if (n > kFew && p.softening > 0 && p.time_step > 0.5 * fastest) {
    find(Finding::Level::Warning, "time_step_large",
         fmt::format("The step dt = {:g} is too long for the closest encounters, which last about √(ε/a) = {:.2g}.",
                     p.time_step, fastest),
         "time_step", smallerStep(0.2 * fastest));
  }
  if (std::abs(values[kEnergyDrift]) > 0.01) {
    find(Finding::Level::Warning, "energy_drift",
         fmt::format("The total energy has changed from {:.4g} to {:.4g}, by {:.2g} % of the larger of it and the "
                     "kinetic energy; smaller steps conserve it better.",
                     energy_reference, values[kTotalEnergy], 100 * std::abs(values[kEnergyDrift])),
         "time_step", smallerStep(p.time_step / 2));
  }
  if (n > kFew && p.integrator == Integrator::Radau15) {
    find(Finding::Level::Warning, "adaptive_many",
         fmt::format("Gauss–Radau integrates up to {} bodies; these {:.0f} are integrated by Yoshida's scheme.", kFew,
                     n),
         "integrator", "yoshida4");
  }
  if (n > kFew && !(p.softening > 0)) {
    find(Finding::Level::Warning, "no_softening",
         "Without softening, two bodies sooner or later come too close for any step.", "softening", "0.01");
  }
  const double limit = cuda ? 600'000 : 40'000;
  if (p.method == Method::Direct && n > limit) {
    find(Finding::Level::Note, "direct_slow",
         fmt::format(
             "All pairs of {:.0f} bodies need {:.2g} interactions per step; the tree needs a small fraction of them.",
             n, n * n),
         "method", "tree");
  }
  if (n > kFew && p.method == Method::Tree && p.opening_angle > 0.8) {
    find(Finding::Level::Note, "coarse_tree",
         fmt::format("With an opening angle of {:g}, some forces are wrong by one per cent or more.", p.opening_angle),
         "opening_angle", "0.5");
  }
  const bool orbits = p.initial == Initial::Kepler || p.initial == Initial::FigureEight;
  if (orbits && p.softening > 1e-6) {
    find(Finding::Level::Note, "softened_orbit",
         fmt::format("The exact orbit is for point masses; a softening of {:g} rotates it slowly.", p.softening),
         "softening", "0");
  }
  return findings;
}

}  // namespace simscope::nbody
