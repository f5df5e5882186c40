// Boxes of factor × factor elements of an n × n plane, cut off at its far edges: a coarser plane, of which each element
// represents a box. Host and device.
#pragma once

#include <cstddef>

#include "sims/compute/host_device.h"

namespace simscope::compute {

struct Boxes {
  int n = 0;       // elements along a side of the plane
  int factor = 1;  // along a side of a box

  SIMSCOPE_HD int side() const { return (n + factor - 1) / factor; }  // boxes along a side of the plane
  SIMSCOPE_HD int begin(int box) const { return box * factor; }
  SIMSCOPE_HD int end(int box) const { return begin(box) + factor < n ? begin(box) + factor : n; }
  SIMSCOPE_HD int count(int column, int row) const { return (end(column) - begin(column)) * (end(row) - begin(row)); }
  // The element's place in the plane, which is row-major.
  SIMSCOPE_HD std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
  }

  // visit(at(x, y)) for the elements of a box, row by row.
  template <class Visit>
  SIMSCOPE_HD void each(int column, int row, const Visit& visit) const {
    if (factor == 1) {  // the usual case: skips the bounds
      visit(at(column, row));
      return;
    }
    const int left = begin(column), right = end(column), last = end(row);
    for (int y = begin(row); y < last; ++y) {
      const std::size_t line = at(0, y);
      for (int x = left; x < right; ++x) visit(line + static_cast<std::size_t>(x));
    }
  }
  // The mean of value(at(x, y)) over a box, summed in T.
  template <class T, class Value>
  SIMSCOPE_HD T mean(int column, int row, const Value& value) const {
    T sum = 0;
    each(column, row, [&](std::size_t i) { sum += value(i); });
    return sum / static_cast<T>(count(column, row));
  }
};

// The smallest boxes of which at most `most` lie along a side of the plane.
inline Boxes boxesFor(int n, int most) {
  return {n, n > most ? (n - 1) / most + 1 : 1};
}

}  // namespace simscope::compute
