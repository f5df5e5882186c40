// A potential typed as a formula of x and y, read by sims/formula and evaluated on the grid by all threads of the host;
// where it jumps within a point's cell, its mean over the cell.
//
// Any thread; ranks call it together. UsageError names the formula, the column of the fault and what was expected
// there; or the point at which the formula gives no finite number.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "sims/compute/ranks/slab.h"
#include "sims/schrodinger2d/physics.h"

namespace simscope::schrodinger2d {

// What is known of a table of V besides its values.
struct TableNotes {
  bool jumps = false;
  // A wall or ripple that is this narrow is lost between the points [length].
  double narrowest = std::numeric_limits<double>::infinity();
};

// V at the points of the slab's own rows. device: that of the ranks, which all refuse a formula that one of them
// refuses; null: no ranks.
template <class T>  // float or double
std::vector<T> formulaPotential(const std::string& text, const Grid& grid, const compute::Slab& slab,
                                const compute::Device* device, TableNotes* notes = nullptr);
template <class T>
std::vector<T> formulaPotential(const std::string& text, const Grid& grid) {
  return formulaPotential<T>(text, grid, compute::wholeSlab(grid.points), nullptr);
}

}  // namespace simscope::schrodinger2d
