// V(x) on the grid, made on the host so that both backends begin with the same bits. Any thread. UsageError of a
// formula that is none, or that has no finite value at some point.
#pragma once

#include <vector>

#include "sims/eigenstates/parameters.h"

namespace simscope::eigenstates {

inline constexpr double kHighest = 1e9;  // what is higher, or lower, counts as this

// N values [energy]. Where V jumps it is averaged over each cell, which keeps the levels' errors at h².
std::vector<double> potentialOn(const Parameters& parameters, const Grid& grid);

// What ψ meets far outside the region that binds it: states above it are made discrete by the walls alone. Infinity for
// potentials that bind everything, and where the walls belong to the potential.
double continuumOf(const Parameters& parameters);

// A slab of the Kronig-Penney crystal: from one wall to the other.
struct Slab {
  double width, height;
};
std::vector<Slab> crystalOf(const Parameters& parameters);

}  // namespace simscope::eigenstates
