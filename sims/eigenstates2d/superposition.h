// What a superposition is made of, as plain numbers on the host. Any thread.
#pragma once

#include <vector>

#include "sims/compute/complex.h"
#include "sims/eigenstates2d/parameters.h"

namespace simscope::eigenstates2d {

using compute::Complex;

// Σ|c_n|² = 1; those of a packet are its overlaps, known elsewhere: all 0.
std::vector<Complex<double>> coefficientsOf(const Parameters& parameters, int states);
// The packet is a product of one function of x and one of y: n values of each, of length 1 where no wall cuts them
// (Σ|g|² = 1, as the states are).
std::vector<Complex<double>> packetLines(const Parameters& parameters, const Grid& grid);
void makeWhole(std::vector<Complex<double>>& coefficients);  // Σ|c_n|² = 1; state 0 where there is nothing

}  // namespace simscope::eigenstates2d
