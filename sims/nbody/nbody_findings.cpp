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
                                 bool cuda, const LongestSteps& steps) {
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

  const bool few = n <= kFew, adaptive = few && p.integrator == Integrator::Radau15;
  // Many: leapfrog is stable for dt < 2 √(ε/a), and good well below. Few: of an ellipse with e = 0.9 such steps keep
  // the places to some per cent for a few turns.
  const double most = !few ? 0.5 : p.integrator == Integrator::Leapfrog ? 0.1 : 0.2;
  const char* const lasts = few ? "√(r³/(G m))" : "√(ε/a)";
  // What was met spoils what came after, also where it is over.
  if (const bool now = !adaptive && steps.now > most; now || steps.met > most) {
    const double ratio = now ? steps.now : steps.met;
    if (now) {
      find(Finding::Level::Warning, "time_step_large",
           fmt::format("The step dt = {:g} is too long for the closest encounters, which last about {} = {:.2g}.",
                       p.time_step, lasts, p.time_step / ratio));
    } else {
      find(Finding::Level::Warning, "time_step_large",
           fmt::format("The step was {:.2g} times as long as the closest encounter, which lasts about {}: at most {:g} "
                       "times is accurate.",
                       ratio, lasts, most));
    }
    Finding& found = findings.back();
    if (few && !adaptive) found.key = "integrator", found.value = "radau15";
    if (!few)
      found.value = smallerStep(0.4 * most * p.time_step / ratio), found.key = found.value.empty() ? "" : "time_step";
    if (!now) found.first_step = found.last_step = steps.step;
  }
  if (std::abs(values[kEnergyDrift]) > 0.01) {
    find(Finding::Level::Warning, "energy_drift",
         fmt::format("The total energy has changed from {:.4g} to {:.4g}, by {:.3g} % of the larger of it and the "
                     "kinetic energy; {} conserve it better.",
                     energy_reference, values[kTotalEnergy], 100 * std::abs(values[kEnergyDrift]),
                     few && !adaptive ? "Gauss–Radau's steps" : "smaller steps"),
         few && !adaptive ? "integrator" : "time_step", few && !adaptive ? "radau15" : smallerStep(p.time_step / 2));
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
  const bool orbits = !std::isnan(values[kOrbitError]) || !std::isnan(values[kReturnError]);
  if (orbits && p.softening > 1e-6) {
    find(Finding::Level::Note, "softened_orbit",
         fmt::format("The exact orbit is for point masses; a softening of {:g} rotates it slowly.", p.softening),
         "softening", "0");
  } else if (orbits && findings.empty()) {
    for (const Diagnostic which : {kOrbitError, kReturnError}) {
      const double promised = description().diagnostics[which].bound;
      if (!(values[which] > promised)) continue;
      find(Finding::Level::Warning, "orbit_off",
           fmt::format(
               "The bodies are {:.2g} from their exact places, more than {:g}: the errors of all steps add up. {} "
               "keep nearer to them.",
               values[which], promised, adaptive ? "Smaller steps" : "Gauss–Radau's steps"),
           adaptive ? "time_step" : "integrator", adaptive ? smallerStep(p.time_step / 2) : "radau15");
    }
  }
  return findings;
}

}  // namespace simscope::nbody
