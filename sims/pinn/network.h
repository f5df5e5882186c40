// The network, the equation that it is to satisfy, and one job of training: plain data for the CPU's kernels and
// CUDA's.
//
// Weights of a network, one after the other: for each hidden layer W (units × inputs, row by row), then b; then the
// output's w and b. README.md has the formulas.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/host_device.h"

namespace simscope::pinn {

inline constexpr int kMostUnits = 32, kMostLayers = 3, kMostInputs = 2;
inline constexpr int kJet = 4;              // u, ∂u/∂x, ∂²u/∂x², ∂u/∂t
inline constexpr int kStepsOfALaunch = 32;  // iterations
inline constexpr int kParts = 3;            // of the loss: equation, initial, boundary

struct Architecture {
  int inputs = 1;
  int layers = 1;  // hidden ones
  int units = 16;  // of each

  SIMSCOPE_HD int inputsOf(int layer) const { return layer == 0 ? inputs : units; }
  // Where the weights of a hidden layer begin, or those of the output (layer = layers).
  SIMSCOPE_HD int begin(int layer) const {
    return layer == 0 ? 0 : units * (inputs + 1) + (layer - 1) * units * (units + 1);
  }
  SIMSCOPE_HD int weights() const { return begin(layers) + units + 1; }
};
inline constexpr int kMostWeights =
    kMostUnits * (kMostInputs + 1) + (kMostLayers - 1) * kMostUnits * (kMostUnits + 1) + kMostUnits + 1;

// The residual r = u·u + x·u_x + xx·u_xx + t·u_t + product·u u_x.
template <class Real>
struct Equation {
  Real u, x, xx, t, product;
};

// Coordinates run from -1 to 1: ξ = 2(x − x₀)/(x₁ − x₀) − 1, and τ of t likewise.
template <class Real>
struct Place {
  Real xi, tau;
};

// A condition at a place: u = `target`; where slope is not 0, also slope·u_x = 0.
template <class Real>
struct ConditionAt {
  Place<Real> at;
  Real target, slope;
  int part;  // of the loss: 1 initial, 2 boundary
};

template <class Real>
struct Loss {
  Equation<Real> equation;
  Real xi_x, tau_t;     // dξ/dx, dτ/dt
  Real mean[kParts];    // 1/points of each part
  Real weight[kParts];  // weight of each mean in the loss
  int points, conditions;
};

enum class Optimizer { Adam, Descent };

// The factors of one iteration: that of the learning rate, and Adam's corrections 1/(1 − βⁿ).
template <class Real>
struct Iteration {
  Real rate, first, second;
};

// With a loss beyond this, or NaN, the network has diverged. It makes no more steps, so that its weights stay finite.
inline constexpr double kDiverged = 1e8;
inline constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

// One job of training. All arrays are on the device; those of networks have one row a network.
template <class Real>
struct Training {
  Architecture net;
  Loss<Real> loss;
  Optimizer optimizer;
  const Place<Real>* places;  // of the equation's points, steps rows of `stride`
  std::size_t stride;         // 0: the same for all iterations
  const ConditionAt<Real>* conditions;
  const Real* rates;  // learning rate of each network
  Real *weights, *mean, *variance;
  int steps;       // iterations; 0: only gradient and loss at the present weights
  Real* gradient;  // steps = 0
  Real* parts;     // steps = 0: the loss's parts, kParts each
  Iteration<Real> iterations[kStepsOfALaunch];
};

// Evaluates networks at many places.
struct Evaluation {
  Architecture net;
  float xi_x, tau_t;
  const Place<float>* places;
  int count;
  const float* weights;
  const int* only;  // device memory; the one network that is evaluated; null: all
  int components;   // of the jet, 1 or kJet
  float* values;    // network by network, place by place
};

}  // namespace simscope::pinn
