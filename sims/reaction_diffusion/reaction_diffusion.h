// Two substances that react and spread on a square of N × N cells whose edges are joined; cell i of a row or column
// sits at (i - (N-1)/2) dx. Concentrations are pure numbers. README.md has the sources.
//   Gray and Scott:  ∂u/∂t = D_u ∇²u - u v² + F (1 - u),  ∂v/∂t = D_v ∇²v + u v² - (F + k) v
//   Fisher:          ∂u/∂t = D_u ∇²u + u (1 - u),  v = 0
#pragma once

#include <cmath>
#include "sims/compute/buffer.h"
#include "sims/compute/host_device.h"
#include "sims/compute/ranks/slab.h"
#include "sims/core/describe.h"
#include "sims/core/simulation.h"

namespace simscope::reaction_diffusion {

enum class Model { GrayScott, Fisher };
enum class Start { Patches, Seed, Noise, Mode };

struct Parameters {
  Model model = Model::GrayScott;
  Start start = Start::Patches;
  int grid_points = 512, mode = 23;             // N, a power of two; waves of Start::Mode along x
  double spacing = 1, time_step = 1;            // dx [length], dt [time]
  double feed = 0.0367, kill = 0.0649;          // F, k [1/time]
  double diffusion_u = 0.2, diffusion_v = 0.1;  // [length²/time]

  bool fisher() const { return model == Model::Fisher; }
  double length() const { return grid_points * spacing; }
  double positionOf(std::size_t cell) const { return (static_cast<double>(cell) - 0.5 * (grid_points - 1)) * spacing; }
  // Fisher's front: the position where u is 1/4, and u. It moves at 5 √(D_u/6), its mirror image the opposite way.
  double frontPosition(double time) const { return length() / 8 + 5 * std::sqrt(diffusion_u / 6) * time; }
  double frontAt(double x, double time) const {
    return std::pow(1 + std::exp((std::abs(x) - frontPosition(time)) / std::sqrt(6 * diffusion_u)), -2);
  }
};
const Binding<Parameters>& binding();
const Description& description();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);
inline constexpr int kMostWaves = 32;  // of Start::Mode
inline constexpr int kHalo = 8;        // rows beside its own that a rank holds, as many as a CPU pass has steps

// A homogeneous steady state, and how a small wave cos(qx) grows on it, q = 2π mode/length: along the eigenvector (du,
// dv) of J - q² diag(D_u, D_v) with the larger eigenvalue, which is its rate; NaN where that is complex. Gray and
// Scott's state is that of the larger v if 4 (F + k)² ≤ F, else u = 1, v = 0; Fisher's is u = 1. Any thread.
struct Linear {
  double u, v, q, du, dv, rate;
};
Linear linearised(const Parameters& parameters);
// What the grid and the step make of the measured growth: by how much it differs from the rate, at its worst. That is
// after one step, along the exact wave instead of the grid's own, or in the long run, where ln(1 + dt λ)/dt of the
// grid's larger eigenvalue λ is left, q² being (2 - 2 cos q dx)/dx² there. NaN where either eigenvalue is complex.
double growthErrorOf(const Parameters& parameters);
inline constexpr double kGrowthError = 5e-4;  // what is promised of the measured growth [1/time]
inline constexpr double kFrontError = 0.2;    // of the measured front [length]

// The fastest rate at which a small disturbance of the state (u, v) fades, that of the grid's finest wave, a
// chessboard: the larger of the rates of u and of v alone, because what one makes of the other only slows it (J has
// -2uv and v² off its diagonal, of opposite signs). Explicit steps are stable up to 2 over it.
struct Decay {
  bool fisher;
  double of_u, of_v;  // what does not depend on the state
  SIMSCOPE_HD double at(double u, double v) const {
    const double own = of_u + (fisher ? 2 * u : v * v), other = of_v - 2 * u * v;
    return fisher || own > other ? own : other;
  }
};
Decay decayOf(const Parameters& parameters);
// The longest stable step about what a run begins with and the homogeneous steady state, which it may come to.
double longestStep(const Parameters& parameters);

struct Cell {
  float u, v;
};
// An explicit step of a cell; each coefficient is multiplied by dt, those of diffusion also divided by dx². u v² goes
// from u to v, u is fed towards 1 and grows by u (1 - u), v is removed. Nothing is fused: the same bits for any
// blocking, on either backend.
struct Kinetics {
  float diffuse_u, diffuse_v, react, feed, growth, remove;
  SIMSCOPE_HD Cell step(Cell own, Cell west, Cell east, Cell north, Cell south) const {
    const float laplacian_u = ((west.u + east.u) + (north.u + south.u)) - 4.0f * own.u;
    const float laplacian_v = ((west.v + east.v) + (north.v + south.v)) - 4.0f * own.v;
    const float eaten = react * own.u * (own.v * own.v);
    return {own.u + ((diffuse_u * laplacian_u - eaten) + (feed + growth * own.u) * (1.0f - own.u)),
            own.v + ((diffuse_v * laplacian_v + eaten) - remove * own.v)};
  }
};

// On the device, inside Device::run. Enqueued, except meanOf() and fastestOf(), which wait. second: of v, else of u.
// Each rank holds a slab of the rows, and all call advance(), meanOf(), and fastestOf() together.
using Cells = compute::Buffer<Cell>;  // of the slab, row-major
void advance(Cells& now, Cells& next, const compute::Slab& slab, int steps, const Kinetics& kinetics);
void copySpecies(compute::Device& device, const Cell* cells, bool second, float* values, std::size_t count);
double meanOf(const Cells& cells, const compute::Slab& slab, bool second);
double fastestOf(const Cells& cells, const compute::Slab& slab, const Decay& decay);  // the largest of all cells

}  // namespace simscope::reaction_diffusion
