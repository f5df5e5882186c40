// V(x) on the grid, made on the host so that both backends begin with the same bits. Any thread. UsageError for text
// that is not a formula, or for a formula without a finite value at some point.
#pragma once

#include <vector>

#include "sims/eigenstates/parameters.h"

namespace simscope::eigenstates {

inline constexpr double kHighest = 1e9;  // limit of |V|

struct OnGrid {
  std::vector<double> v;  // N values [energy]; where V jumps, its mean over the cell
  // What H has in place of V: there three points have a diagonal that places a jump exactly where it is, however high
  // it is. Elsewhere, and in the other bases, V.
  std::vector<double> diagonal;
};
// A jump of height J lies θh beyond the point i on its low side. With κ = √(2J), φ decays beyond it as exp(-κx), so the
// straight line that φ follows before it ends at zero 1/κ behind it, (θ + 1/κh) h from the point. Three points have
// this line at i where V there is (1/(θ + 1/κh) - (1 - r))/2h²: r is the ratio by which their φ decays from point to
// point in J, r + 1/r = 2 + 2Jh². For low jumps (κh « 1) it is the cell's share (½ - θ)J, for walls the (1/θ - 1)/2h²
// of F. Gibou et al., J. Comput. Phys. 176 (2002) 205; the levels' errors stay those of three points. Where two jumps
// are so close that the high side has a single point, V is the mean over the cell.
OnGrid potentialOn(const Parameters& parameters, const Grid& grid);

// V far outside the region that binds ψ: only the walls make states above it discrete. Infinity for potentials that
// bind at all energies, and where the walls are part of the potential.
double continuumOf(const Parameters& parameters);

// A slab of the Kronig-Penney crystal: from one wall to the other.
struct Slab {
  double width, height;
};
std::vector<Slab> crystalOf(const Parameters& parameters);

}  // namespace simscope::eigenstates
