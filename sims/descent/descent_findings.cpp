// Advice.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/descent/descent.h"

namespace simscope::descent {
namespace {

// Rounded down to two digits, so that the cure stays below the limit.
std::string below(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return fmt::format("{:.2g}", std::floor(value / unit) * unit);
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, const Curvature& curvature, bool has_minimum,
                                 std::span<const double> values) {
  std::vector<Finding> found;
  const Rule rule = p.rule(0);
  const bool kink = p.is(Surface::Ackley);
  bool unstable = false;
  if (isLinear(p.method) && has_minimum && !kink && curvature.larger > 0) {
    const double limit = largestRate(rule, curvature.larger);
    // Where plain descent goes fastest; the others a little below their limit.
    const double best =
        p.uses(Method::Plain) && curvature.smaller > 0 ? 2 / (curvature.smaller + curvature.larger) : 0.8 * limit;
    unstable = p.learning_rate > limit * (1 + 1e-9);
    if (unstable) {
      found.push_back({Finding::Level::Warning, "diverges",
                       fmt::format("η = {:g} is above {:.4g}, the stability limit for the minimum's curvature {:.4g}: "
                                   "every iteration multiplies the error by {:.4g}.",
                                   p.learning_rate, limit, curvature.larger, factorOf(rule, curvature.larger)),
                       "learning_rate", below(std::max(best, 1e-6))});
    }
  }
  constexpr double kFew = 1e-3;
  const double diverged = values[kDivergedShare];
  if (!unstable && diverged > kFew && !p.bfgs()) {
    const std::string cure = below(std::max(p.learning_rate / 4, 1.1e-6));
    const bool curable = p.learning_rate > 1e-5;
    found.push_back({Finding::Level::Warning, "starts_diverged",
                     fmt::format("{:.3g} % of the starts have diverged: where f is steepest their steps are too long.",
                                 100 * diverged),
                     curable ? "learning_rate" : "", curable ? cure : ""});
  }
  if (kink && !p.bfgs() && !p.noisy()) {
    found.push_back({Finding::Level::Note, "kink",
                     fmt::format("Ackley's minimum is a tip with slopes of 2.8, not a bowl: at a constant rate, starts "
                                 "oscillate about it by up to {:.2g}.",
                                 1.4 * p.learning_rate),
                     "", ""});
  }
  if (!has_minimum) {
    found.push_back({Finding::Level::Note, "no_minimum",
                     "No minimum was found in the square or around it, so no basins are shown.", "", ""});
  }
  return found;
}

}  // namespace simscope::descent
