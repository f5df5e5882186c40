// ψ(x, t) = Σ c_n φ_n(x) exp(-iE_n t), its sums, and the pictures of it and of the states. On the device, inside
// Device::run; enqueued, except calls that return numbers.
#pragma once

#include <span>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"
#include "sims/core/frame.h"
#include "sims/eigenstates/operator.h"
#include "sims/eigenstates/solver.h"

namespace simscope::eigenstates {

using compute::Complex;
using Wave = compute::Buffer<Complex<double>>;

// c_n exp(-iE_n t) of all states, by value to kernels.
struct Turned {
  int count = 0;
  Complex<double> c[kMostStates] = {};
};
Turned turned(std::span<const Complex<double>> coefficients, std::span<const double> energies, double time);

void superpose(const States& states, const Turned& turned, Wave& psi);

// Of ψ: hΣ|ψ|², hΣx|ψ|², hΣψ*Hψ.
struct WaveSums {
  double norm = 0, x = 0, energy = 0;
};
WaveSums sumsOf(const Wave& psi, const Operator& h, const Grid& grid);

// N values each; null: not needed.
struct WaveCurves {
  float *density = nullptr, *phase = nullptr, *re = nullptr, *im = nullptr;
};
void drawWave(compute::Device& device, const Wave& psi, WaveCurves curves);
void drawPotential(compute::Device& device, const double* potential, int points, double low, double high, float* out);

// How the levels' picture draws each state: its samples, and the height of a curve.
struct LevelDrawing {
  int states = 0;   // drawn
  int samples = 0;  // of each curve
  bool squares = false;
  double scale = 0;          // energies to a unit of φ, or of φ²
  double least = 0;          // lower values [energy] are not drawn
  double energies[32] = {};  // of those drawn
  double glow[32] = {};      // sizes of their points
  double line = 0;           // size of the straight lines' points
};
// `paths`: samples × states × (x, y), y NaN where φ is below `least`. `points`: the same places as (x, y, 0, size),
// with size 0 there, followed by as many points of the straight lines at the levels. `values`: the number of each
// point's state. Null: not needed.
void drawLevels(const States& states, const Grid& grid, const LevelDrawing& drawing, float* paths, float* points,
                float* values);
// V at as many places, and the walls: (samples + 2) × (x, y), y within low and high.
void drawWell(compute::Device& device, const double* potential, const Grid& grid, int samples, double low, double high,
              float* path);

// |ψ(x, t)|² for `rows` times, the first 0 and `interval` apart, at `columns` places: row by row.
void drawCarpet(const States& states, std::span<const Complex<double>> coefficients, std::span<const double> energies,
                double interval, int columns, int rows, float* density);

// The largest of them; waits.
double largestOf(const compute::Buffer<float>& values);

}  // namespace simscope::eigenstates
