// V(x, y) on the grid and the walls of billiards, made on the host so that both backends begin with the same bits. Any
// thread. UsageError for text that is not a formula, or for a formula without a finite value at some point.
//
// A billiard's wall cuts the grid's lines anywhere. A neighbour beyond it, θh away, has the value that a straight line
// from the point through ψ = 0 at the wall gives it; that leaves the matrix symmetric, because only the diagonal
// changes, by (1/θ - 1)/2h², and the levels' errors are ∝ h² (F. Gibou, R. Fedkiw, L.-T. Cheng, M. Kang, J. Comput.
// Phys. 176 (2002) 205). Points nearer to the wall than kNearest h are left out, and the next ones see the wall behind
// them.
//
// A typed V that jumps is averaged over each cell. Where it jumps by J so high that φ decays within a step (κh > 1, κ =
// √(2J)), H has five points, and the jump is such a wall: φ ends 1/κ behind it, and the share r of it that is left at
// the next point counts, (1/(θ + 1/κh) - 1 + r)/2h² with r + 1/r = 2 + 2Jh². κ is taken along the grid's line, its
// cosine from the gradient of the means.
#pragma once

#include <vector>

#include "sims/eigenstates2d/parameters.h"
#include "sims/formula/cell_mean.h"

namespace simscope::eigenstates2d {

inline constexpr double kOutside = 1e300;  // on the diagonal: ψ = 0 here
inline constexpr double kNearest = 0.2;

struct Landscape {
  Grid grid;
  std::vector<double> v;         // N², [energy]; outside, the highest value that counts
  std::vector<double> diagonal;  // of H; kOutside outside
  double near = 0, far = 0;      // of H: to neighbours one and two points away along x and y
  double lowest = 0;             // of V inside
  double bound = 0;              // no eigenvalue of H is above it (Gershgorin)
  double edge = 0;               // about where that many levels lie below, by Weyl and Thomas-Fermi
  bool nine = false;             // points of the stencil; else five
  std::size_t inside = 0;        // points
  double thin = 0;               // as in Base
};

// Without what is drawn.
struct Base {
  std::vector<double> v;  // N² values; no limit yet
  // Of a typed V.
  std::vector<formula::Jump> jumps;
  std::vector<formula::CellMeans::Replaced> replaced;
  double thin = 0;  // the width of a wall or gap between the points [length]; 0: none
};
Base potentialOn(const Parameters& parameters, const Grid& grid);
// For `levels` states. V is limited to their edge plus twice the grid's largest kinetic energy: on this grid that is a
// wall. With fewer points inside: ParameterError of "grid_points".
Landscape landscapeOf(const Parameters& parameters, const Base& base, const std::vector<double>& drawn, int levels);

// Whether this place is inside a billiard; true for all other potentials.
bool insideOf(const Parameters& parameters, double x, double y);
// R, reduced to fit between the walls.
double radiusOf(const Parameters& parameters);
// Area and perimeter of a billiard or of the box.
struct Shape {
  double area, perimeter, constant;  // constant: of Weyl's law
};
Shape shapeOf(const Parameters& parameters);
// V far outside the region that binds ψ; infinity where V binds at all energies or the walls are part of the problem.
double continuumOf(const Parameters& parameters);

}  // namespace simscope::eigenstates2d
