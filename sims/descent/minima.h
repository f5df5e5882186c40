// The minima of a surface: known ones from closed forms or to all digits, those of a formula by BFGS from many starts;
// and a table of the minimum nearest to a place. Host; any thread.
#pragma once

#include <vector>

#include "sims/descent/parameters.h"

namespace simscope::descent {

struct Minimum {
  double x, y, value;
};
inline constexpr int kMostMinima = 256;

struct Minima {
  std::vector<Minimum> all;  // the lowest first
  double lowest = 0;         // f*: of the lowest; without minima, the lowest value found
  bool known = true;         // not found by searching
  bool empty() const { return all.empty(); }
};
// The minima in the square of starts, and half an edge around it.
Minima minimaOf(const Parameters& p, const SurfaceData& surface);

// Eigenvalues of the matrix of second derivatives at a place, from central differences of the gradient.
struct Curvature {
  double smaller, larger;
};
Curvature curvatureAt(const SurfaceData& surface, double x, double y);

// Which minimum is nearest, by a table of cells over twice the square. Its pointers are to device or host memory of its
// owner. -1: none within the tolerance.
inline constexpr int kTableCells = 128;  // along a side
struct Nearest {
  const int* table = nullptr;      // of each cell, row by row, the minimum nearest to its middle
  const double* places = nullptr;  // x, y of each minimum
  int minima = 0;
  double left = 0, bottom = 0, per_cell = 1, tolerance2 = 0;

  SIMSCOPE_HD int at(double x, double y) const {
    if (minima == 0) return -1;
    const double column = (x - left) * per_cell, row = (y - bottom) * per_cell;
    if (!(column >= 0 && column < kTableCells && row >= 0 && row < kTableCells)) return -1;
    const int which = table[static_cast<int>(row) * kTableCells + static_cast<int>(column)];
    const double dx = x - places[2 * which], dy = y - places[2 * which + 1];
    return dx * dx + dy * dy <= tolerance2 ? which : -1;
  }
};
// The table, and the rest of Nearest without its pointers.
std::vector<int> nearestTable(const Parameters& p, const Minima& minima, Nearest& nearest);

}  // namespace simscope::descent
