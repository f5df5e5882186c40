// V(x) on the grid, made on the host so that both backends begin with the same bits. Any thread. UsageError for text
// that is not a formula, or for a formula without a finite value at some point.
#pragma once

#include <vector>

#include "sims/eigenstates/parameters.h"

namespace simscope::eigenstates {

inline constexpr double kHighest = 1e9;  // limit of |V|

// N values [energy]. Where V jumps it is averaged over each cell, which keeps the levels' errors at h².
std::vector<double> potentialOn(const Parameters& parameters, const Grid& grid);

// V far outside the region that binds ψ: only the walls make states above it discrete. Infinity for potentials that
// bind at all energies, and where the walls are part of the potential.
double continuumOf(const Parameters& parameters);

// A slab of the Kronig-Penney crystal: from one wall to the other.
struct Slab {
  double width, height;
};
std::vector<Slab> crystalOf(const Parameters& parameters);

}  // namespace simscope::eigenstates
