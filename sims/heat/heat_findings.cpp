#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include <fmt/format.h>

#include "sims/heat/exact.h"
#include "sims/heat/heat.h"

namespace simscope::heat {
namespace {

double extentOf(const Parameters& p) {
  return (p.initial == Initial::TwoSpots ? 4 : 2) * p.spot_size;
}

// The spot whose temperature at the centre is right to 4·10⁻⁴ at all times. The error falls as (dx/spot)²; its largest
// value over time is 0.65 of that for sharp edges (which cut cells), 0.15 for Gaussians and waves, 0.09 between two
// spots (measured for r from 0.005 to 2).
double resolvedSpot(const Parameters& p) {
  const bool sharp = p.initial == Initial::Square || p.initial == Initial::Random;
  return (sharp ? 40 : p.initial == Initial::TwoSpots ? 16 : 20) * p.spacing;
}
// The same, or nothing where it does not fit on the field.
std::string resolvedSpotText(const Parameters& p) {
  Parameters larger = p;
  larger.spot_size = resolvedSpot(p);
  return extentOf(larger) <= p.length() ? toText(larger.spot_size) : "";
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p) {
  std::vector<Finding> findings;
  const auto note = [&](Finding::Level level, std::string code, std::string message, std::string key,
                        std::string value) {
    findings.push_back({level, std::move(code), std::move(message), std::move(key), std::move(value)});
  };
  const bool spot = p.initial == Initial::Square || p.initial == Initial::Gaussian || p.initial == Initial::TwoSpots;

  const double extent = extentOf(p);
  if (spot && extent > p.length()) {
    note(Finding::Level::Warning, "spot_too_large",
         fmt::format("The spots and their surroundings ({:g}) do not fit on the field ({:g}).", extent, p.length()),
         "spot_size", toText(p.length() / 8));
  } else if (spot && !exactHolds(p)) {
    // The cure: doubled until the edge is far enough, where so large a field is allowed.
    const ParameterInfo& points = description().parameters->at(description().defaults().find("grid_points"));
    Parameters larger = p;
    while (!exactHolds(larger) && 2 * larger.grid_points <= points.maximum) larger.grid_points *= 2;
    const bool cured = exactHolds(larger);
    note(Finding::Level::Note, "edge_reached",
         "The spot reaches the edge of the field at the start, so no exact solution is shown.",
         cured ? "grid_points" : "", cured ? std::to_string(larger.grid_points) : "");
  }
  const bool narrow = p.initial == Initial::Gaussian || p.initial == Initial::TwoSpots || p.initial == Initial::Stripes;
  if (narrow && p.spot_size < 4 * p.spacing) {
    note(Finding::Level::Warning, "unresolved",
         fmt::format("Spots of {:g} are narrower than four cells ({:g}); the grid does not resolve them.", p.spot_size,
                     4 * p.spacing),
         "spot_size", resolvedSpotText(p).empty() ? toText(8 * p.spacing) : resolvedSpotText(p));
  }
  if (p.scheme == Scheme::Explicit && p.time_step_fraction > 0.5) {
    note(Finding::Level::Note, "alternating_cells",
         "Above half the stability limit, differences between neighbouring cells change sign at every step; they "
         "decay, but not smoothly.",
         "time_step_fraction", "0.5");
  }
  if (p.scheme == Scheme::Adi && p.time_step_fraction > 2) {
    note(Finding::Level::Note, "ringing",
         fmt::format("Steps of r = α dt/dx² = {:g} are stable, but sharp edges ring for about {:.0f} steps: each step "
                     "multiplies the finest waves by {:.2f} and changes their sign. Smooth fields are not affected.",
                     p.meshRatio(), std::ceil(2 * p.meshRatio()),
                     std::abs((1 - 2 * p.meshRatio()) / (1 + 2 * p.meshRatio()))),
         "time_step_fraction", "2");
  }
  return findings;
}

std::optional<Finding> roundingFinding(const Parameters& p, const RoundingSums& rounding, double r, double maximum,
                                       double minimum) {
  const double share = 1 - rounding.made / rounding.wanted, step = rounding.wanted / rounding.cells;
  // What a share of all changes amounts to in the end: that share of the differences which are there. Where sources
  // keep these up, it is less: what |∇²u| would still level, |∇²u|/k², in the slowest wave that fits on the field, k =
  // π/N.
  const double k = std::numbers::pi / p.grid_points, levelled = step / r / (k * k);
  const double error = share * std::min(maximum - minimum, levelled), largest = std::max(maximum, -minimum);
  constexpr double kShare = 0.002, kError = 5e-4;
  if (!(share > kShare && error > kError * largest)) return std::nullopt;
  return Finding{
      Finding::Level::Warning, "rounding",
      fmt::format(
          "Single precision loses {:.3g} % of the temperatures' changes: a step changes them by {:.1g} on "
          "average, and their last place is {:.1g}. Temperatures may end up wrong by {:.1g}. Choose precision = "
          "double, or longer steps.",
          100 * share, step, largest * std::numeric_limits<float>::epsilon() / 2, error),
      "precision", "double"};
}

std::optional<Finding> coarseFinding(const Parameters& p, double centre_off, double error_l2) {
  const bool centre = std::abs(centre_off) > kCentreError * p.spot_temperature;
  const bool small = p.spot_size < resolvedSpot(p), rings = p.scheme == Scheme::Adi && p.time_step_fraction > 2;
  if (!centre && (rings || !(error_l2 > kFieldError))) return std::nullopt;  // that sharp edges ring is said already
  const std::string spot = small ? resolvedSpotText(p) : "";
  Finding found{Finding::Level::Warning, "coarse_field",
                (centre ? fmt::format("The temperature at the centre is off by {:.2g}", std::abs(centre_off))
                        : fmt::format("The field is off by {:.2g} of itself", error_l2)) +
                    (small   ? fmt::format(": the grid is too coarse for {:.3g} cells across a spot or stripe.",
                                           p.spot_size / p.spacing)
                     : rings ? fmt::format(": steps of r = α dt/dx² = {:.3g} are too long for it.", p.meshRatio())
                             : ": cells or steps are too large for it."),
                "", ""};
  if (!spot.empty()) {
    found.key = "spot_size", found.value = spot;
  } else if (rings) {
    found.key = "time_step_fraction", found.value = "2";
  }
  return found;
}

}  // namespace simscope::heat
