// What is measured, and advice.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "sims/pinn/pinn.h"

namespace simscope::pinn {
namespace {

Finding warning(const char* code, std::string message, const char* key, const std::string& value) {
  return {Finding::Level::Warning, code, std::move(message), key, value};
}

// What the parameters alone tell: solutions that such networks do not find.
void addOfProblem(const Parameters& p, std::vector<Finding>& found) {
  const double periods = p.frequency * p.length / (2 * std::numbers::pi);
  if (p.problem == Problem::Oscillator && periods > 2.4) {
    found.push_back(warning(
        "many_periods",
        fmt::format("Over {:.1f} periods the network is likely to settle on u = 0, which also satisfies the equation.",
                    periods),
        "length", fmt::format("{:.3g}", std::clamp(12 / p.frequency, 0.5, 10.0))));
  }
  const double needed = std::ceil(8 * periods) + 1;
  if (p.problem == Problem::Oscillator && p.points < needed) {
    found.push_back(warning("few_points",
                            "There are fewer than 8 points per period: oscillations between them are not detected.",
                            "points", fmt::format("{:.0f}", needed)));
  }
  if (p.problem == Problem::Decay && p.rate * p.length > 12) {
    found.push_back(warning(
        "short_layer",
        fmt::format(
            "The solution changes only within 1/k = {:.2g} of an interval of {:g}: the network is likely to miss it.",
            1 / p.rate, p.length),
        "length", fmt::format("{:.3g}", std::clamp(10 / p.rate, 0.5, 10.0))));
  }
  if (p.problem != Problem::Burgers) return;
  const double wide = 4 * p.viscosity, apart = 2 / (std::sqrt(p.points) - 1);
  if (p.sampling == Sampling::Grid && apart > wide) {
    found.push_back(warning("thin_front",
                            fmt::format("The front becomes {:.2g} wide, but the grid's points are {:.2g} apart: errors "
                                        "between them are not detected.",
                                        wide, apart),
                            "sampling", "random"));
  } else if (p.viscosity < 0.01 && p.points < 1000) {
    found.push_back(
        warning("few_in_front",
                fmt::format("The front becomes {:.2g} wide, and few of the {} points lie in it.", wide, p.points),
                "points", "1024"));
  }
}

// What the trained network tells: it is far from the exact solution, and why. `rates`: many are tried side by side.
struct Outcome {
  double error, equation, conditions;  // mean squares of the residuals, those of the conditions without their weight
  std::int64_t iterations;
};
Finding wrongSolution(const Parameters& p, const Outcome& at) {
  constexpr double kSmall = 1e-3;  // of residuals whose solution is right where they are measured
  const std::string wrong =
      fmt::format("After {} iterations the solution is off by {:.0f} %. ", at.iterations, 100 * at.error);
  if (at.equation + at.conditions < kSmall && p.points < kMostPoints) {
    return warning("wrong_between_points",
                   wrong + fmt::format("Its residual is small at the {} points: it is wrong between them.", p.points),
                   "points", fmt::format("{}", std::min(4 * p.points, kMostPoints)));
  }
  if (p.condition_weight < 1 && at.conditions > 10 * at.equation) {
    return warning("conditions_ignored",
                   wrong + "It satisfies the equation, but not the conditions: their weight is too small.",
                   "condition_weight", p.physics().partial() ? "10" : "1");
  }
  if (p.condition_weight > 10 && at.equation > 10 * at.conditions) {
    return warning("equation_ignored",
                   wrong + "It satisfies the conditions, but not the equation: their weight is too large.",
                   "condition_weight", p.physics().partial() ? "10" : "1");
  }
  constexpr double kLargeRate = 0.05;
  if (!p.sweeps() && p.optimizer == Optimizer::Adam && p.learning_rate > kLargeRate) {
    return warning("rate_too_large", wrong + "Its weights are thrown about: the learning rate is too large.",
                   "learning_rate", fmt::format("{:.2g}", p.learning_rate / 10));
  }
  return {Finding::Level::Note, "not_there_yet", wrong + "It needs more iterations, or a larger network.", "", ""};
}

}  // namespace

void Pinn::diagnostics(std::span<double> values) {
  std::fill(values.begin(), values.end(), std::numeric_limits<double>::quiet_NaN());
  const auto put = [&](Diagnostic which, double value) { values[static_cast<std::size_t>(which)] = value; };
  evaluateCurve();
  const int best = best_.toHost()[1];
  const std::vector<Score> scores = scores_.toHost(), start = start_.toHost();
  const Score& score = scores[static_cast<std::size_t>(best)];
  put(Diagnostic::Loss, static_cast<double>(score.loss));
  put(Diagnostic::Equation, static_cast<double>(score.parts[0]));
  put(Diagnostic::Initial, static_cast<double>(score.parts[1]));
  if (physics_.partial()) put(Diagnostic::Boundary, static_cast<double>(score.parts[2]));
  put(Diagnostic::StartLoss, static_cast<double>(start[static_cast<std::size_t>(best)].loss));
  put(Diagnostic::Error, static_cast<double>(score.error));
  put(Diagnostic::ErrorExact, 0);
  put(Diagnostic::Farthest, static_cast<double>(score.farthest));
  float probe = 0;
  device_->download(&probe, curve_.data() + kCurve * kJet, sizeof probe);
  put(Diagnostic::Value, static_cast<double>(probe));
  put(Diagnostic::ValueExact, value_exact_);
  double norm = 0;
  for (const float g : gradientOf(best)) norm += static_cast<double>(g) * static_cast<double>(g);
  put(Diagnostic::Gradient, std::sqrt(norm));
  if (p_.networks == 1) return;
  put(Diagnostic::BestRate, p_.rateOf(best));
  double diverged = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    diverged += !(scores[k].loss < std::max(10 * start[k].loss, 10.0f)) ? 1 : 0;
  }
  put(Diagnostic::Diverged, diverged);
}

std::vector<Finding> Pinn::check(std::span<const double> values) const {
  std::vector<Finding> found;
  const auto value = [&](Diagnostic which) { return values[static_cast<std::size_t>(which)]; };
  const double loss = value(Diagnostic::Loss), start = value(Diagnostic::StartLoss);
  const bool all_diverge = !(loss < std::max(10 * start, 10.0));
  if (all_diverge) {
    found.push_back(
        warning("diverging",
                fmt::format("The loss has grown from {:.3g} to {:.3g}: the learning rate is too large.", start, loss),
                "learning_rate", fmt::format("{:.2g}", std::max(p_.learning_rate / 10, 1e-6))));
  } else if (p_.networks > 1 && value(Diagnostic::Diverged) > 0) {
    found.push_back({Finding::Level::Note, "some_diverge",
                     fmt::format("{:.0f} of {} networks diverge: their learning rates are too large, or their initial "
                                 "weights are unsuitable.",
                                 value(Diagnostic::Diverged), p_.networks),
                     "", ""});
  }
  constexpr int kPatience = 500;
  constexpr double kWrong = 0.1;  // what presets stay below
  bool slow = false;
  if (p_.optimizer == Optimizer::Descent && steps_ >= kPatience && value(Diagnostic::Error) > 0.02 && !all_diverge) {
    found.push_back(warning("slow_descent",
                            fmt::format("After {} iterations of gradient descent the error is still {:.0f} %. Adam "
                                        "scales the step of each weight and is faster.",
                                        steps_, 100 * value(Diagnostic::Error)),
                            "optimizer", "adam"));
    slow = true;
  }
  if (steps_ >= kPatience && value(Diagnostic::Error) > kWrong && !all_diverge && !slow) {
    const double boundary = physics_.partial() ? value(Diagnostic::Boundary) : 0;
    found.push_back(wrongSolution(
        p_, {value(Diagnostic::Error), value(Diagnostic::Equation), value(Diagnostic::Initial) + boundary, steps_}));
  }
  addOfProblem(p_, found);
  return found;
}

}  // namespace simscope::pinn
