// The parameters of an eigenproblem of one particle on a line. Units: ħ = m = 1; lengths, energies 1/length², times
// length².
#pragma once

#include <string>

#include "sims/compute/host_device.h"
#include "sims/core/describe.h"
#include "sims/superposition/superposition.h"

namespace simscope::eigenstates {

inline constexpr const char* kEnergyUnit = "ħ²/(m·length²)";

enum class Potential {
  Harmonic,
  Box,
  FiniteWell,
  DoubleWell,
  Morse,
  PoschlTeller,
  Hydrogen,
  KronigPenney,
  Formula,
  Blank
};
enum class Method { Tridiagonal, Dense };
enum class Basis { ThreePoint, FivePoint, Sine };
enum class Curves { WaveFunctions, Densities };

using superposition::kMostStates;
inline constexpr double kLongest = 500;     // of the box [length]
inline constexpr int kLargestDense = 8192;  // points: a matrix of 512 MiB

struct Parameters : superposition::Superposition {
  Potential potential = Potential::Harmonic;
  double omega = 1;          // ω [1/time] of the oscillator
  double depth = 10;         // [energy] of well or molecule; height of barriers
  double width = 4;          // [length] of the finite well; between the minima of the double one
  double steepness = 0.5;    // a of Morse, α of Pöschl and Teller [1/length]
  double lambda = 4;         // λ of Pöschl and Teller
  double charge = 1;         // Z
  int angular_momentum = 0;  // l
  int wells = 8;             // of the crystal
  double barrier = 0.5;      // [length] thickness of its barriers
  std::string formula = "0.5*x^2 + 4*exp(-3*x^2)";
  double tilt = 0;  // F [energy/length]: V gains F x
  double length = 20;

  double packet_x = -3, packet_k = 0, packet_width = 0.70710678118654752;  // σ of |ψ|² [length], k [1/length]

  int states = 32;  // K, the number of lowest states to solve for
  Method method = Method::Tridiagonal;
  Basis basis = Basis::ThreePoint;  // of Method::Dense; the tridiagonal one has three points
  int grid_points = 1024;           // N, between the walls
  double time_step = 0.02;

  int drawn_states = 12;
  Curves curves = Curves::WaveFunctions;

  Basis usedBasis() const { return method == Method::Dense ? basis : Basis::ThreePoint; }
};
const Binding<Parameters>& binding();

// The points: x_i = left + (i + 1) h for i in [0, N), walls at `left` and left + L, where ψ = 0.
struct Grid {
  int points = 0;
  double left = 0, length = 1, h = 1;
  SIMSCOPE_HD double x(double i) const {
    return middle() + (i - 0.5 * (points - 1)) * h;
  }  // odd about the middle to the bit
  SIMSCOPE_HD double middle() const { return left + 0.5 * length; }
};
Grid gridOf(const Parameters& parameters);

}  // namespace simscope::eigenstates
