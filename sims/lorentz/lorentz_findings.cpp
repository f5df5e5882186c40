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

// What the theory of guiding centres gives. Its errors are those of the gyroradius over B/|∇B|, and of the cloud, which
// is not everywhere on the theory's field line.
struct Theory {
  Diagnostic measured, exact;
  const char* name;
  bool grows;  // towards the exact value, which it may not exceed
};
constexpr Theory kTheories[] = {{kDrift, kDriftExact, "drift velocity", false},
                                {kLost, kLostExact, "share lost", true},
                                {kBounce, kBounceExact, "bounce period", false},
                                {kLongitude, kLongitudeExact, "drift in longitude", false},
                                {kBanana, kBananaExact, "banana's width", false}};

void adviseOnTheory(std::vector<Finding>& found, const Theory& each, std::span<const double> values, double turns) {
  constexpr double kShare = 0.02, kTurns = 50;
  if (each.measured == kDrift && !(turns > kTurns)) return;  // a part of a turn counts before
  const double exact = values[each.exact], off = values[each.measured] - exact;
  const double promised = description().diagnostics[each.exact].tolerance;
  const double most = each.grows ? promised : std::max(promised, kShare * std::abs(exact));
  if (!((each.grows ? off : std::abs(off)) > most)) return;
  found.push_back({Finding::Level::Note, "theory_is_off",
                   fmt::format("The {} is {:.3g}, the theory's {:.3g}. The theory is that of gyroradii and clouds that "
                               "are small beside the length over which B changes.",
                               each.name, values[each.measured], exact),
                   "", ""});
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, std::span<const double> values, const Gyration& gyration) {
  std::vector<Finding> found;
  if (p.pusher == Pusher::Euler) {
    found.push_back(
        warning("euler_gains_energy",
                fmt::format("Explicit Euler multiplies the energy of the gyration by 1 + (ω dt)², up to 1 + "
                            "{:.2g}, in every step; Boris's scheme conserves it.",
                            gyration.turn * gyration.turn),
                "pusher", "boris"));
  }
  constexpr double kMostLoss = 1e-3;
  const double loss = -values[kEnergyError];
  if (p.pusher == Pusher::RungeKutta && loss > kMostLoss) {
    found.push_back(warning("runge_kutta_loses_energy",
                            fmt::format("The Runge-Kutta scheme has lost {:.3g} % of the energy so far; Boris's "
                                        "scheme loses none.",
                                        100 * std::min(loss, 1.0)),
                            "pusher", "boris"));
  }
  constexpr double kMostCoarse = 0.02;
  const bool coarse = values[kCoarseShare] > kMostCoarse;
  if (coarse || gyration.met > kCoarse) {
    const double shorter = p.time_step * std::min(0.5, 0.2 / std::max(gyration.turn, gyration.met));
    const bool curable = shorter >= 1e-6;
    const std::string who = coarse ? fmt::format("{:.3g} % of the particles turn", 100 * values[kCoarseShare])
                                   : std::string("The first particle turns");
    found.push_back(warning("coarse_turns",
                            fmt::format("{} by more than {:g} radians per step: the relative error of their phase is "
                                        "(ω dt)²/12, and drifts are less accurate.",
                                        who, kCoarse),
                            curable ? "time_step" : "", curable ? fmt::format("{:.2g}", shorter) : ""));
    if (!coarse) found.back().first_step = found.back().last_step = gyration.met_at;
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
  constexpr double kMostWide = 1.0 / 3;
  if (gyration.wide > kMostWide) {
    found.push_back(
        {Finding::Level::Note, "not_adiabatic",
         fmt::format("The gyroradius of {:.0f} % of the particles is more than {:g} of the length over which "
                     "B changes: the magnetic moment is not conserved, and the formulas for drifts, bounces, "
                     "and losses are inaccurate.",
                     100 * gyration.wide, kWide),
         "", ""});
  }
  const double momentum = values[kMomentumError], kept = description().diagnostics[kMomentumError].bound;
  if (p.pusher != Pusher::Euler && !coarse && momentum > kept) {
    const double shorter = 0.8 * p.time_step * std::sqrt(kept / momentum);  // the error is of second order
    found.push_back(
        warning("momentum_is_off",
                fmt::format("The canonical momentum, which the fields' symmetry conserves, is off by {:.2g}, "
                            "more than {:g}: steps are too long for places to be right.",
                            momentum, kept),
                shorter >= 1e-6 ? "time_step" : "", shorter >= 1e-6 ? fmt::format("{:.2g}", shorter) : ""));
  }
  if (p.pusher != Pusher::Euler && !coarse) {
    for (const Theory& each : kTheories) adviseOnTheory(found, each, values, gyration.turns);
  }
  return found;
}

}  // namespace simscope::lorentz
