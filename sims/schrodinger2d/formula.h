// A potential typed as a formula of x and y, read by sims/formula and evaluated on the grid by all threads of the host.
//
// Any thread. UsageError names the formula, the column of the fault and what was expected there; or the point at which
// the formula gives no finite number.
#pragma once

#include <string>
#include <vector>

#include "sims/schrodinger2d/physics.h"

namespace simscope::schrodinger2d {

template <class T>  // float or double
std::vector<T> formulaPotential(const std::string& text, const Grid& grid);

}  // namespace simscope::schrodinger2d
