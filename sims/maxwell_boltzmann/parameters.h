// The parameters of a gas, as plain numbers. Units: K and kg; speeds in m/s; the box of discs in nm and ps, so that a
// velocity there is in nm/ps = km/s.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "sims/core/describe.h"

namespace simscope::maxwell_boltzmann {

inline constexpr double kBoltzmann = 1.380649e-23;  // J/K, exact in the SI
inline constexpr double kMetresPerSecond = 1000;    // in 1 nm/ps
inline constexpr int kMostDiscs = 1 << 20;

enum class Model { Ideal, Discs };
enum class Start { EqualSpeeds, HotAndCold, Burst, Equilibrium };
enum class Boundary { Walls, Periodic };

struct Parameters {
  Model model = Model::Ideal;
  int molecules = 50'000;
  double mass = 4.65e-26;    // kg, N₂
  double temperature = 300;  // K
  bool gather = true;        // of Model::Ideal: counts of all steps, else of the last only
  double diameter = 0.37;    // nm; of a disc, as are all the following
  double packing = 0.2;      // η, the share of the area that discs cover
  Start start = Start::EqualSpeeds;
  Boundary boundary = Boundary::Walls;
  double time_step = 0.05;   // of freeTime()
  double speed_axis = 1600;  // m/s, where the counts end

  bool discs() const { return model == Model::Discs; }
  bool walls() const { return boundary == Boundary::Walls; }
  int dimensions() const { return discs() ? 2 : 3; }
  // The standard deviation of each component of the velocity [m/s] at this temperature.
  double sigmaAt(double kelvin) const { return std::sqrt(kBoltzmann * kelvin / mass); }
  double sigma() const { return sigmaAt(temperature); }

  double boxLength() const {  // nm; for display only with an ideal gas
    return discs() ? diameter * std::sqrt(molecules * std::numbers::pi / (4 * packing)) : 100;
  }
  // Area accessible to centres [nm²].
  double area() const {
    const double edge = walls() ? boxLength() - diameter : boxLength();
    return edge * edge;
  }
  double spacing() const { return boxLength() / std::sqrt(static_cast<double>(molecules)); }
  // Mean time between two collisions of a disc [ps]: Enskog's rate 8ησ_v g/(√π σ) with Henderson's g (exact.h).
  double freeTime() const {
    const double contact = (1 - 7 * packing / 16) / ((1 - packing) * (1 - packing));
    return diameter * std::sqrt(std::numbers::pi) * kMetresPerSecond / (8 * packing * contact * sigma());
  }
  // The time step of discs [ps], and the largest distance at its start between two discs that meet within it, if both
  // have 6 σ_v. In a thin gas the step is shorter than requested, so that this distance stays near the discs' spacing.
  double step() const { return std::min(time_step * freeTime(), spacing() * kMetresPerSecond / (kReach * sigma())); }
  double reach() const { return diameter + kReach * step() * sigma() / kMetresPerSecond; }

  static constexpr double kReach = 12;
};

const Binding<Parameters>& binding();

}  // namespace simscope::maxwell_boltzmann
