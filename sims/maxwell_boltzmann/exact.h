// What theory says of a gas in equilibrium: Maxwell's distributions, and of hard discs the equation of state, the rate
// of collisions, and what walls do to a finite box. Plain numbers; any thread. README.md has the sources.
#pragma once

#include "sims/compute/host_device.h"
#include "sims/maxwell_boltzmann/parameters.h"

namespace simscope::maxwell_boltzmann {

// Of the speed in two or three dimensions; sigma: standard deviation of a component. In the unit of sigma.
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

// The share that discs cover far from the walls of a box. Walls keep centres half a diameter away, and discs crowd at
// them: 32 η²/(3 π² σ (1 + η)) discs a length of the wall more than the bulk has, which is scaled particle theory's 4
// η²/(π σ (1 + η)) made right to second order in η. p.packing where there are no walls.
double bulkPacking(const Parameters& p);

// [mN/m], at this temperature; ideal: n k T alone, n of the area that centres can be in.
double pressureOf(const Parameters& p, double kelvin);
double idealPressure(const Parameters& p, double kelvin);
// Collisions of a disc with others [1/ps], in the mean over all: 4 σ_v (Z - 1)/(√π σ) with Z the pressure over that of
// the ideal gas, as the virial theorem has it; without walls this is Enskog's 2 n σ √(π k T/m) g.
double collisionRate(const Parameters& p, double kelvin);

// Boltzmann's H = ∫ f ln f d²v, velocities in units of σ_v, as counts on kCells × kCells squares within ±kExtent find
// it; the outermost hold what is beyond.
struct VelocityGrid {
  static constexpr int kCells = 24;
  static constexpr double kExtent = 4.8;
  static constexpr double kEdge = 2 * kExtent / kCells;

  // Of `discs` whose counts c add up to this Σ c ln c.
  SIMSCOPE_HD static double hOf(double sum_of_logs, double discs) {
    return sum_of_logs / discs - std::log(discs) - 2 * std::log(kEdge);
  }
};
// Its expectation in equilibrium for so many discs, which is larger the fewer they are: as a Poisson distribution has
// it for each square. Of infinitely many, and of small squares, it is -1 - ln 2π.
double equilibriumH(double discs);

}  // namespace simscope::maxwell_boltzmann
