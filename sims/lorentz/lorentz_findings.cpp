// Advice.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/lorentz/lorentz.h"

namespace simscope::lorentz {
namespace {

Finding warning(const char* code, std::string message, const char* key, std::string value) {
  return {Finding::Level::Warning, code, std::move(message), key, std::move(value)};
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, std::span<const double> values, std::int64_t steps) {
  std::vector<Finding> found;
  const FirstParticle first = firstParticle(p);
  const double at[] = {first.place, 0, 0}, strength = strengthAt(p.setup(), at);
  const double turn = p.time_step * strength / first.gamma;
  if (p.pusher == Pusher::Euler) {
    found.push_back(warning("euler_gains_energy",
                            fmt::format("Explicit Euler multiplies the energy of the gyration by 1 + (ω dt)² = 1 + "
                                        "{:.2g} in every step; Boris's scheme conserves it.",
                                        turn * turn),
                            "pusher", "boris"));
  }
  constexpr double kMostLoss = 1e-3;
  const double loss = std::pow(turn, 6) / 72 * static_cast<double>(steps);
  if (p.pusher == Pusher::RungeKutta && loss > kMostLoss) {
    found.push_back(warning("runge_kutta_loses_energy",
                            fmt::format("The Runge-Kutta scheme has lost about {:.2g} % of the energy of the gyration "
                                        "so far; Boris's scheme loses none.",
                                        100 * std::min(loss, 1.0)),
                            "pusher", "boris"));
  }
  constexpr double kMostCoarse = 0.02;
  const double shorter = std::min(0.5 * p.time_step, 0.2 * first.gamma / strength);
  const bool curable = shorter >= 1e-6;
  if (values[kCoarseShare] > kMostCoarse || turn > kCoarse) {
    found.push_back(warning("coarse_turns",
                            fmt::format("{:.2g} % of the particles turn by more than {:g} radians per step: the "
                                        "relative error of their phase is (ω dt)²/12, and drifts are less accurate.",
                                        100 * values[kCoarseShare], kCoarse),
                            curable ? "time_step" : "", curable ? fmt::format("{:.2g}", shorter) : ""));
  }
  if (electricWins(p)) {
    const double most = p.light_speed * p.field, cure = std::copysign(0.9 * most, p.electric_field);
    found.push_back(warning("electric_wins",
                            fmt::format("E = {:g} is not below cB = {:g}. No E×B drift exists: charges are accelerated "
                                        "along E without end, and no exact values are given.",
                                        std::abs(p.electric_field), most),
                            "electric_field", fmt::format("{:.3g}", cure)));
  } else if (p.relativistic && p.in(Configuration::Uniform) && p.electric_field != 0) {
    found.push_back({Finding::Level::Note, "turns_in_drifting_frame",
                     "The relativistic gyration is uniform only in the frame that drifts with E×B/B², where time runs "
                     "otherwise. Frequency, phase error, gyroradius, the energy of the gyration, and the beam's width "
                     "have no values with an electric field.",
                     "", ""});
  }
  if (p.in(Configuration::Bottle) || p.in(Configuration::Gradient)) {
    const double share = p.speed / (p.field * p.length);
    if (share > 0.3) {
      found.push_back({Finding::Level::Note, "not_adiabatic",
                       fmt::format("A gyroradius of {:.2g} L is not small: the magnetic moment is not conserved, and "
                                   "the formulas for drifts and bounces are inaccurate.",
                                   share),
                       "", ""});
    }
  }
  return found;
}

}  // namespace simscope::lorentz
