// Levels in closed form, without the domain's walls: the box π²(n² + m²)/2L², the oscillator
// ω₁(n + ½) + ω₂(m + ½), the circular billiard j²_{m,s}/2R² with the zeros of Bessel's J_m, the annular one with those
// of J_m(kR)Y_m(kr) - J_m(kr)Y_m(kR); each with m > 0 twice.
// Sources: S. Flügge, Practical Quantum Mechanics; M. Abramowitz, I. A. Stegun, Handbook of Mathematical
// Functions, 9.5.
#pragma once

#include <vector>

#include "sims/eigenstates2d/parameters.h"

namespace simscope::eigenstates2d {

// The lowest `count` levels, ascending, repeated by their degeneracy; none where no closed form is known. Any thread.
std::vector<double> exactLevels(const Parameters& parameters, int count);

// Weyl's law with its perimeter and constant: how many levels of a billiard or box lie below E, on average.
double weylCount(const Parameters& parameters, double energy);

}  // namespace simscope::eigenstates2d
