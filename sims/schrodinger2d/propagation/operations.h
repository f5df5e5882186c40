// All operations on the plane except steps: filling, painting, phase factors, measuring. One functor, two executors.
//
// Thread: inside Device::run. Calls that return a value wait; the others are enqueued. Planes are the rows of a slab
// (in a single process the whole N × N), row-major, on the device. All ranks call each function together, and get the
// same values. T: float or double.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sims/compute/device.h"
#include "sims/compute/loops/capsule.h"
#include "sims/compute/ranks/slab.h"
#include "sims/schrodinger2d/packets.h"
#include "sims/schrodinger2d/physics.h"

namespace simscope::schrodinger2d {

using compute::Slab;

// X, then Y of each packet of a superposition, N samples each, on the device: Σ X(i)·Y(j) is ψ(i, j). Packets' weights
// are part of X.
struct PacketLines {
  const Complex<double>* data = nullptr;
  int count = 0;  // of packets
};
// out = scale·psi + the lines' wave. psi: may be null, or out itself.
template <class T>
void superpose(compute::Device& device, Complex<T>* out, const Complex<T>* psi, double scale, const PacketLines& lines,
               const Grid& grid, const Slab& slab);
// The lines of the exact wave.
void fillLines(compute::Device& device, Complex<double>* lines, const ExactWave& wave, const Grid& grid);

// V of the potentials that are formulas of physics.h.
template <class T>
void fillPotential(compute::Device& device, T* potential, const Numbers& p, const Slab& slab);
template <class T>
void fillConstant(compute::Device& device, T* values, std::size_t count, T value);

struct Range {
  double lowest, highest;
};
// Of V + height·walls; walls may be null.
template <class T>
Range rangeOf(compute::Device& device, const T* potential, const float* walls, const Numbers& p, const Slab& slab);
template <class T>
double valueAt(compute::Device& device, const T* potential, int column, int row, const Slab& slab);

// Columns [left, right) of rows [bottom, top).
struct CellRange {
  int left, bottom, right, top;
};
inline CellRange wholePlane(const Grid& grid) {
  return {0, 0, grid.points, grid.points};
}

// The factors of half a potential step, in a box: √gain·exp(-(iV + W)Δt/2), from V plus the walls (null: none) and the
// rates of absorption along an axis, N. Made in double and rounded once; to single precision stochastically, up or down
// with probabilities that keep the mean (with the same random numbers in every run), so that their mean has far more
// correct digits than each of them.
template <class T>
void fillFactors(compute::Device& device, Complex<T>* half, const T* potential, const float* walls, const double* rates,
                 const Numbers& p, double gain, const CellRange& box, const Slab& slab);

// A stroke of the brush from (x0, y0) to (x1, y1) with a radius, all in lengths. height: of the walls that it draws, in
// units of the barrier's height; 0 erases.
struct Dab : compute::Capsule {
  float height;
};
// The points that a stroke can change; empty where it misses the domain.
CellRange boxOf(const Dab& stroke, const Grid& grid);
// Returns by how much the number of points with walls has changed.
std::int64_t paintWalls(compute::Device& device, float* walls, const Dab& stroke, const Grid& grid, const Slab& slab);
std::int64_t countWalls(compute::Device& device, const float* walls, const Slab& slab);

// Sums over the plane in double, still to be multiplied by dx².
struct PositionSums {
  double norm, left, right;  // Σ|ψ|², left and right of the potential's edges
  double x, y, xx, yy;       // Σ|ψ|²x, …
  double v;                  // Σ|ψ|²V
  double edge;               // within kEdgeShare of an edge
  double error, exact;       // Σ|ψ - exact|², Σ|exact|²; zeros without lines
};
inline constexpr double kEdgeShare = 0.02;  // of the domain, on each side
// lines: those of the exact wave, or none.
template <class T>
PositionSums positionSums(compute::Device& device, const Complex<T>* psi, const T* potential, const float* walls,
                          const PacketLines& lines, const Numbers& p, const Slab& slab);

// Sums over bands of kBand rows, N of each. Two ranks may have rows of the same band; each sums its own.
inline constexpr int kBand = 64;
struct Bands {
  int first, count;       // bands of which this rank has rows
  std::vector<int> cuts;  // of all ranks' bands, one after the other (sims/compute/ranks/slab.h)
};
Bands bandsOf(const compute::Device& device, const Slab& slab);

// The probability that absorbing edges take, by place. `taken`: a sum for every column of every band, on the device;
// `rates`: of absorption along an axis, N. Adds what they take at the present rate in `time` units of time.
template <class T>
void addTaken(compute::Device& device, double* taken, const Complex<T>* psi, const double* rates, const Grid& grid,
              const Slab& slab, double time);
struct Sides {
  double left, between, right;  // of the potential's edges
};
Sides takenOn(compute::Device& device, const double* taken, const Grid& grid, const Slab& slab, const Edges& edges);

struct MomentumSums {
  double norm, kk, kkkk;  // Σ|φ|², Σ|φ|²k², Σ|φ|²k⁴
  double near_limit;      // Σ|φ|² where kx or ky is within kLimitShare of π/dx
};
inline constexpr double kLimitShare = 0.1;
// The Fourier transform of ψ, up to a factor, or a rank's part of it: `pieces` one after the other, each of all N k_y
// and of those k_x, in FFT order, with the same remainder modulo 2^shift: first_rest, and one more from piece to piece.
// A single process has one piece of all.
template <class T>
struct Momenta {
  const Complex<T>* phi = nullptr;
  int pieces = 1, shift = 0, first_rest = 0;

  SIMSCOPE_HD int width(int points) const { return points >> shift; }
  SIMSCOPE_HD int pieceOf(int kx) const { return (kx & ((1 << shift) - 1)) - first_rest; }
  SIMSCOPE_HD bool has(int kx) const { return pieceOf(kx) >= 0 && pieceOf(kx) < pieces; }
  SIMSCOPE_HD std::size_t at(int kx, int ky, int points) const {
    const auto line = static_cast<std::size_t>(pieceOf(kx)) * points + ky;
    return line * static_cast<std::size_t>(width(points)) + static_cast<std::size_t>(kx >> shift);
  }
};
template <class T>
MomentumSums momentumSums(compute::Device& device, const Momenta<T>& momenta, const Grid& grid);

// Σ|ψ|²
template <class T>
double normOf(compute::Device& device, const Complex<T>* psi, const Slab& slab);
template <class T>
bool allFinite(compute::Device& device, const Complex<T>* psi, const Slab& slab);

}  // namespace simscope::schrodinger2d
