#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sims/projectiles/projectiles.h"

namespace simscope::projectiles {

double longestStep(const Parameters& p) {
  const double rate = p.linear() + p.quadratic() * p.speed_max;
  return rate > 0 ? 0.2 / rate : std::numeric_limits<double>::infinity();
}

std::vector<Finding> findingsFor(const Parameters& p, double longest) {
  std::vector<Finding> found;
  if (p.drag == Drag::None) return found;
  if (p.time_step > longestStep(p)) {
    const std::string cure = fmt::format("{:.2g}", 0.9 * longestStep(p));
    found.push_back({Finding::Level::Warning, "long_step",
                     fmt::format("Drag reduces the fastest launch's speed by a fifth in {:.3g} s: steps of {:g} s are "
                                 "too long. Choose {} s.",
                                 longestStep(p), p.time_step, cure),
                     "time_step", cure});
  }
  // Each step may round a place by half of its last bit, all in one direction.
  constexpr double kRounding = 3e-8, kVisible = 1e-3;
  if (p.precision == Precision::Single && longest / p.time_step * kRounding > kVisible) {
    found.push_back({Finding::Level::Warning, "rounding",
                     fmt::format("The longest flight takes {:.3g} steps, each rounded to single precision: ranges may "
                                 "be wrong by one part in a thousand. Choose longer steps, or double precision.",
                                 longest / p.time_step),
                     "precision", "double"});
  }
  return found;
}

}  // namespace simscope::projectiles
