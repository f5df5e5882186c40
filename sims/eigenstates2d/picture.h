// ψ(x, y, t) = Σ c_n φ_n exp(-iE_n t), its sums, and the pictures of it and of the states. States are normalised in ℓ²;
// pictures show functions of the plane (1/h of those values). On the device, inside Device::run; enqueued, except calls
// that return numbers.
#pragma once

#include <span>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"
#include "sims/eigenstates2d/parameters.h"

namespace simscope::eigenstates2d {

using compute::Complex;
using Wave = compute::Buffer<Complex<double>>;

// The states in ψ, and c_n exp(-iE_n t) of each; by value to kernels.
struct Turned {
  int count = 0;
  int state[kMostStates] = {};
  Complex<double> c[kMostStates] = {};
};
Turned turned(std::span<const Complex<double>> coefficients, std::span<const double> energies, double time);
void superpose(const compute::Buffer<double>& states, const Turned& turned, Wave& psi);

// Of ψ: Σ|ψ|², Σx|ψ|², Σy|ψ|², max |ψ|². Waits.
struct WaveSums {
  double norm = 0, x = 0, y = 0, largest = 0;
};
WaveSums sumsOf(const Wave& psi, const Grid& grid);

// n × n floats each. `wall`: NaN where V is `top`, which is beyond all walls.
struct Walls {
  const double* potential;
  double top;
};
void drawState(compute::Device& device, const double* state, const Walls& walls, const Grid& grid, bool square,
               float* out);
void drawDensity(compute::Device& device, const Wave& psi, const Walls& walls, const Grid& grid, float* out);
void drawWave(compute::Device& device, const Wave& psi, const Grid& grid, float* out);  // two components
// (V - energy)/scale within ±8: its zeros are the turning points of a particle of that energy.
void drawTurning(compute::Device& device, const double* potential, const Grid& grid, double energy, double scale,
                 float* out);
void drawPotential(compute::Device& device, const Walls& walls, const Grid& grid, double low, double high, float* out);

// Small pictures of the first states in rows, the first at the top left, each scaled by its own largest value; with
// gaps between.
struct Gallery {
  int states = 0, columns = 1, rows = 1, side = 1;  // side: of a tile, in cells, its gap included
  double inverse[kMostStates] = {};                 // 1/max|φ|
  int width() const { return columns * side; }
  int height() const { return rows * side; }
};
Gallery galleryOf(int states, int points, std::span<const double> largest);
void drawGallery(compute::Device& device, const double* states, const Walls& walls, const Grid& grid,
                 const Gallery& gallery, float* out);

}  // namespace simscope::eigenstates2d
