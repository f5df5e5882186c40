// Theory of a gas in equilibrium: Maxwell's distributions, and of hard discs the equation of state, the rate of
// collisions, and the effect of walls in a finite box. Plain numbers; any thread. README.md has the sources.
#pragma once

#include "sims/compute/host_device.h"
#include "sims/maxwell_boltzmann/parameters.h"

namespace simscope::maxwell_boltzmann {

// Distribution of the speed in two or three dimensions; sigma: standard deviation of a component, which sets the unit.
class SpeedDistribution {
 public:
  SpeedDistribution(int dimensions, double sigma) : flat_(dimensions == 2), sigma_(sigma) {}

  double density(double v) const;
  double below(double v) const;  // the share that is slower
  double mostProbable() const;
  double mean() const;
  double rootMeanSquare() const;
  double deviation() const;  // standard deviation of a single speed
  double peak() const { return density(mostProbable()); }

 private:
  bool flat_;
  double sigma_;
};

double normalDensity(double z);
double normalBelow(double z);

// P/(n k T) of hard discs that cover the share `packing` (Henderson 1975, a correction of scaled particle theory's
// 1/(1 - η)²), and their pair distribution at contact, which it implies: Z = 1 + 2 η g.
double compressibility(double packing);
double contactValue(double packing);

// The share that discs cover far from the walls of a box. Walls keep centres half a diameter away, and discs are denser
// at them: the excess over the bulk is 32 η²/(3 π² σ (1 + η)) discs a length of the wall, which is scaled particle
// theory's 4 η²/(π σ (1 + η)) corrected to second order in η. p.packing where there are no walls.
double bulkPacking(const Parameters& p);

// [mN/m], at this temperature; ideal: n k T only, n of the area accessible to centres.
double pressureOf(const Parameters& p, double kelvin);
double idealPressure(const Parameters& p, double kelvin);
// Collisions of a disc with others [1/ps], averaged over all discs: 4 σ_v (Z - 1)/(√π σ), by the virial theorem, with Z
// the pressure over that of the ideal gas; without walls this is Enskog's 2 n σ √(π k T/m) g.
double collisionRate(const Parameters& p, double kelvin);

// Boltzmann's H = ∫ f ln f d²v, velocities in units of σ_v, estimated from counts on kCells × kCells squares within
// ±kExtent; the outermost squares include all velocities beyond.
struct VelocityGrid {
  static constexpr int kCells = 24;
  static constexpr double kExtent = 4.8;
  static constexpr double kEdge = 2 * kExtent / kCells;

  // H of `discs` discs whose counts c have this Σ c ln c.
  SIMSCOPE_HD static double hOf(double sum_of_logs, double discs) {
    return sum_of_logs / discs - std::log(discs) - 2 * std::log(kEdge);
  }
};
// Its expectation in equilibrium for so many discs, with a Poisson distribution in each square; it is larger for fewer
// discs. For infinitely many discs and small squares it is -1 - ln 2π.
double equilibriumH(double discs);

}  // namespace simscope::maxwell_boltzmann
