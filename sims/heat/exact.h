// Exact solutions of u_t = α ∇²u for the initial fields that have one. All of them are products X(x)·Y(y), and depend
// on time through τ = ∫ α dt alone.
//
//   square    X = ½ [erf((x+a)/2√τ) - erf((x-a)/2√τ)] with a = spot_size/2, likewise Y   (in the infinite plane)
//   gaussian  X = σ/s · exp(-x²/2s²), s² = σ² + 2τ, σ = spot_size/2, likewise Y          (in the infinite plane)
//   two_spots two such Gaussians at x = ±spot_size                                       (in the infinite plane)
//   stripes   ½ [1 + exp(-k²τ) cos kx] with whole wavelengths on the field               (insulated and periodic)
// The square's cells hold their mean over the cell, so that its heat is right for edges that cut cells, too; the others
// hold the value at their centre.
// Source: H. S. Carslaw, J. C. Jaeger, Conduction of Heat in Solids, 2nd ed. (1959), chapters II and X.
// Plain functions; any thread.
#pragma once

#include <vector>

#include "sims/heat/exact_line.h"

namespace simscope::heat {

// X and Y at τ. At τ = 0 they make the initial field (of every kind but Random).
ExactLine exactLine(const Parameters& parameters, double tau);
// x(0…N-1), then y(0…N-1).
std::vector<double> exactLines(const Parameters& parameters, double tau);

// True while the exact solution holds: there is one, and the edge of the field has not been reached.
bool exactHolds(const Parameters& parameters, double tau);
// The share of the spot's temperature that the infinite plane would have at the edge of the field by τ; NaN for fields
// that do not spread.
double shareAtEdge(const Parameters& parameters, double tau);
inline constexpr double kEdgeShare = 1e-5;  // "reached"

// The exact value at the origin; NaN where there is none.
double exactCentre(const Parameters& parameters, double tau);

}  // namespace simscope::heat
