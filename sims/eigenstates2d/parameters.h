// The parameters of an eigenproblem of one particle in the plane. Units: ħ = m = 1; lengths, energies 1/length², times
// length².
#pragma once

#include <string>

#include "sims/compute/host_device.h"
#include "sims/core/describe.h"
#include "sims/superposition/superposition.h"

namespace simscope::eigenstates2d {

enum class Potential {
  Harmonic,
  Box,
  Circle,
  Annulus,
  Stadium,
  HenonHeiles,
  DoubleWell,
  Corral,
  Hydrogen,
  Formula,
  Blank
};
enum class Stencil { Nine, Five };

using superposition::kMostStates;

struct Parameters : superposition::Superposition {
  Parameters() : Superposition{.superposition = superposition::Kind::Two, .state = 5, .equal_states = 6} {}

  Potential potential = Potential::Circle;
  double omega_x = 1, omega_y = 1;  // [1/time]
  double coupling = 0.111803;       // λ of Hénon and Heiles [energy/length³]: their potential's usual 1/√80
  double depth = 6;                 // [energy] barrier of the double well, of a corral's atoms
  double width = 4;                 // [length] between the minima of the double well
  double radius = 5;                // [length] of billiards and of the corral
  double hole = 0.35;               // of the annulus, in radii
  double straight = 1;              // of the stadium: half of its straight part, in radii
  int atoms = 32;                   // of the corral
  double atom_width = 0.3;          // [length] σ of a Gaussian
  double charge = 1;                // Z
  double softening = 0.2;           // [length]
  std::string formula = "0.25*(x^2 + y^2) + 2*cos(2*x)*cos(2*y)";
  double length = 11;
  double drawn_height = 20;  // [energy] of drawing at strength 1

  double packet_x = 2, packet_y = 0, packet_kx = 0, packet_ky = 1.5;  // [length], [1/length]
  double packet_width = 0.70710678118654752;                          // σ of |ψ|² [length]

  int states = 16;       // K, the number of lowest states wanted
  int grid_points = 64;  // N, on a side, between the walls
  Stencil stencil = Stencil::Nine;
  int degree = 0;           // of the filter; 0: chosen
  double tolerance = 1e-8;  // of ‖Hφ - Eφ‖
  double time_step = 0.05;

  int shown_states = 16;  // in the gallery

  // Whether the potential has hard walls of its own, for which the grid's stencil has five points.
  bool billiard() const {
    return potential == Potential::Circle || potential == Potential::Annulus || potential == Potential::Stadium;
  }
  bool fourthOrder() const { return stencil == Stencil::Nine && !billiard(); }
  // The number of iterated states: those wanted, and guards, with which the last wanted ones converge.
  int block() const { return states + (states / 4 > 6 ? states / 4 : 6); }
};
const Binding<Parameters>& binding();

// N × N points between walls at ±L/2, h = L/(N+1) apart; odd about the middle to the bit.
struct Grid {
  int points = 0;
  double length = 1, h = 1;
  SIMSCOPE_HD double x(double i) const { return (i - 0.5 * (points - 1)) * h; }
  SIMSCOPE_HD std::size_t size() const { return static_cast<std::size_t>(points) * static_cast<std::size_t>(points); }
};
Grid gridOf(const Parameters& parameters);

}  // namespace simscope::eigenstates2d
