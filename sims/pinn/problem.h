// The problems: their equations, conditions, exact solutions, and domains.
#pragma once

#include <vector>

#include "sims/pinn/network.h"

namespace simscope::pinn {

enum class Problem { Decay, Oscillator, Heat, Burgers };

// What a problem's equation contains.
struct Physics {
  Problem problem = Problem::Decay;
  double rate = 1;       // k of y' = −k y
  double frequency = 3;  // ω of y'' = −ω² y
  double diffusivity = 0.1;
  double viscosity = 0.03;
  double length = 2;  // end of the interval of an ordinary equation; it begins at 0

  // Partial differential equations run over 0 ≤ t ≤ 1.
  bool partial() const { return problem == Problem::Heat || problem == Problem::Burgers; }
  double first() const { return problem == Problem::Burgers ? -1 : 0; }
  double last() const { return partial() ? 1 : length; }
  double middle() const { return (first() + last()) / 2; }
  // Components of the jets that the equation needs.
  int components() const { return partial() ? 4 : problem == Problem::Oscillator ? 3 : 2; }
};

// u(x, t). Burgers' by Cole and Hopf's transform (Basdevant et al., 1986), its integrals by the trapezoidal rule.
double exactAt(const Physics& physics, double x, double t);

template <class Real>
Loss<Real> lossFor(const Physics& physics, double condition_weight, int points);
// The places of the initial and boundary conditions: one for an ordinary equation; otherwise 32 along x at t = 0 and 16
// along t at either end.
template <class Real>
std::vector<ConditionAt<Real>> conditionsFor(const Physics& physics);
// Points on a grid: of the interval, or of x (fastest) and t; ends included. In a plane they form a rectangle of at
// most `points` points, at least 2 × 2.
std::vector<Place<float>> gridFor(const Physics& physics, int points);

// The places where the network is compared with the exact solution.
std::vector<Place<float>> measuringGrid(const Physics& physics);
double xOf(const Physics& physics, double xi);
double timeOf(double tau);

}  // namespace simscope::pinn
