// The optional Gaussian packet at the start of ψ, as plain numbers on the host. Any thread.
#pragma once

#include <vector>

#include "sims/compute/complex.h"
#include "sims/eigenstates2d/parameters.h"

namespace simscope::eigenstates2d {

// The packet is a product of one function of x and one of y: n values of each, normalised like the states (Σ|g|² = 1)
// where no wall cuts them.
std::vector<compute::Complex<double>> packetLines(const Parameters& parameters, const Grid& grid);

}  // namespace simscope::eigenstates2d
