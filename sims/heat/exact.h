// Exact solutions of u_t = α ∇²u for the initial fields that have one. All of them are products X(x)·Y(y), and depend
// on time through τ = ∫ α dt alone.
//
//   square    X = ½ [erf((x+a)/2√τ) - erf((x-a)/2√τ)] with a = spot_size/2, likewise Y
//   gaussian  X = σ/s · exp(-x²/2s²), s² = σ² + 2τ, σ = spot_size/2, likewise Y
//   two_spots two such Gaussians at x = ±spot_size
//   stripes   ½ [1 + exp(-k²τ) cos kx] with whole wavelengths on the field  (insulated and periodic)
//   random    Σ of the patches' temperatures · box_p(x) · box_q(y), each box like the square's X; the centre only
// Solutions of the infinite plane become solutions of the field by images beyond its edges. Insulated or joined edges
// lie half a cell beyond the outermost cells, edges held at 0 at the outermost cells' centres.
// Cells of the square hold the mean over the cell, so that the heat is correct also for edges that cut cells; the
// others hold the value at their centre.
// Source: H. S. Carslaw, J. C. Jaeger, Conduction of Heat in Solids, 2nd ed. (1959), chapters II and X.
// Plain functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "sims/heat/exact_line.h"

namespace simscope::heat {

// X and Y at τ. At τ = 0 they are the initial field (of every kind except Random).
ExactLine exactLine(const Parameters& parameters, double tau);
// x(0…N-1), then y(0…N-1).
std::vector<double> exactLines(const Parameters& parameters, double tau);

// Whether there is an exact solution of the whole field: spots must not reach its edge at the start.
bool exactHolds(const Parameters& parameters);
// The share of the spot's temperature at the edge of the field at the start; NaN for fields without spots.
double shareAtEdge(const Parameters& parameters);
inline constexpr double kEdgeShare = 1e-5;  // "reached"

// The exact value at the origin; NaN where there is none. For random patches only if there are at most kPatches a side.
double exactCentre(const Parameters& parameters, double tau, std::uint64_t seed);
inline constexpr int kPatches = 64;

}  // namespace simscope::heat
