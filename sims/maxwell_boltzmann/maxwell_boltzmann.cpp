#include "sims/maxwell_boltzmann/maxwell_boltzmann.h"

#include <fmt/format.h>

#include "sims/core/timeline/stepper.h"
#include "sims/maxwell_boltzmann/present.h"

namespace simscope::maxwell_boltzmann {
namespace {

constexpr double kFewest = 20'000;  // molecules whose histogram shows where its top is, to some per cent

}  // namespace

void Gas::describeSpeeds(std::span<double> values, double mean, double mean_square) const {
  const SpeedDistribution exact = speeds();
  const double dimensions = p_.dimensions(), half_mass = 0.5 * p_.mass;
  const Histogram histogram(counts_.toHost(), kSpeeds, binsFor(p_.molecules), 0, p_.speed_axis);
  values[kMeanSpeed] = mean;
  values[kMeanSpeedExact] = exact.mean();
  if (histogram.total() >= kFewest) {
    values[kProbableSpeed] = histogram.top();
    values[kProbableSpeedExact] = exact.mostProbable();
  }
  values[kRootMeanSquare] = std::sqrt(mean_square);
  values[kRootMeanSquareExact] = exact.rootMeanSquare();
  values[kMeanEnergy] = half_mass * mean_square;
  values[kMeanEnergyExact] = 0.5 * dimensions * kBoltzmann * kelvin_;
  values[kTemperature] = 2 * half_mass * mean_square / (dimensions * kBoltzmann);
  values[kDistance] = histogram.distance([&](double v) { return exact.below(v); });
}

std::vector<Finding> Gas::axisFindings() const {
  constexpr double kMost = 0.01;
  const double beyond = 1 - speeds().below(p_.speed_axis);
  if (!(beyond > kMost)) return {};
  const double cure = std::min(5.4 * p_.sigmaAt(kelvin_), 49'000.0);
  const bool cures = 1 - speeds().below(cure) <= kMost;  // the mouse may have heated the gas beyond any axis
  return {{Finding::Level::Warning, "off_the_axis",
           fmt::format("{:.0f} % of the molecules are faster than {:g} m/s, the end of the axis.", 100 * beyond,
                       p_.speed_axis),
           cures ? "speed_axis" : "", cures ? fmt::format("{:.0f}", std::ceil(cure / 100) * 100) : ""}};
}

double memoryOf(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double points =
      p.discs() ? p.molecules : std::min(p.molecules, 2 * kIdealShown) * (1 + 1e-6) + 1e-6 * p.molecules;
  const double frames = 3.0 * sizeof(float) * (9 * points + 4 * kMostBins + 2 * kCurvePoints + 6 * kRecords);
  const double counts = kHistograms * kPlaces * 16.0;
  if (!p.discs()) return frames + counts + 64e3;
  // On the host, what save() makes and the watch keeps, and the start while it is made.
  const double discs = static_cast<double>(sizeof(Disc)) * p.molecules;
  return frames + counts + discBytes(p, backend) + 2 * discs +
         (backend == compute::Backend::Cpu ? std::min(discs, static_cast<double>(Stepper::kWatchedBytes)) : 0);
}

}  // namespace simscope::maxwell_boltzmann
