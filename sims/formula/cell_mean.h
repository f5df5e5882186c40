// A formula's samples on a grid, for difference schemes: its value at each place where it is smooth, and its mean over
// the place's cell where it jumps there. Then the errors of levels and of transmitted shares fall as the square of the
// step; with plain samples a jump counts as if it were half-way between two of them, and errors fall as the step. Where
// the formula is smooth its mean over the cell would be worse: it differs from the value by step² f″/24.
//
// A jump is looked for between two neighbours whose difference does not fit in with the differences next to it, and is
// then enclosed by halving. So smooth formulas cost little more than their samples. A ramp within an eighth of a step
// is a jump, too; a pole is none. What is narrower than a step may be missed, and so may a jump that is smaller than
// what the slope changes in a step.
//
// Means are exact to 1e-6 of the jump on a line, and to 1e-3 of it in the plane, for walls at any angle and their
// corners; a wall that crosses an outermost cell beyond its sample may be missed. A mirrored formula has mirrored
// means, to the bit.
//
// Pure functions; any thread, if f is. f may give values that are not finite: they stay as they are.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "sims/formula/bounds.h"

namespace simscope::formula {

struct Jump {
  std::size_t from = 0;          // the sample before it, in the order of the values
  bool along_y = false;          // between two rows
  double at = 0;                 // the place on its axis, to 1e-7 of the step
  double before = 0, after = 0;  // f on either side
};

struct CellMeans {
  std::vector<double> values;
  // The samples of the cells that have a mean instead.
  struct Replaced {
    std::size_t at;
    double sample;
  };
  std::vector<Replaced> replaced;
  std::vector<Jump> jumps;  // on a line in the order of their places; in the plane one between two samples at most
  // Cells that are wrong by what jumps: it jumps everywhere, as in noise, or finding all of it would take too long.
  std::size_t unresolved = 0;
  // In the plane: of cells whose wall or gap stands between the samples, the largest share of it in a cell; 0: none.
  // They have their mean, but are not among `replaced`.
  double thin_share = 0;
};

// Jumps of f between neighbours of `x` (ascending), whose values are given, in the order of their places. bounds: of f,
// or null. unresolved: grows by the intervals whose jumps would take too long to find.
std::vector<Jump> jumpsOf(const std::function<double(double)>& f, std::span<const double> x,
                          std::span<const double> values, const Bounds* bounds = nullptr,
                          std::size_t* unresolved = nullptr);

CellMeans cellMeans(const std::function<double(double)>& f, std::span<const double> x, const Bounds* bounds = nullptr);

// Which cells of a plane may jump: found once, for all of its rows.
struct Suspects {
  // The plane with these columns and rows, both evenly spaced.
  Suspects(const Bounds& bounds, std::span<const double> x, std::span<const double> y);

  const Bounds& bounds;
  std::vector<char> cells;  // row by row; empty where f has no comparisons and the like
  std::size_t count = 0;
};

// The rows from `first` to `first` + `count` of the plane with these columns and rows, both evenly spaced; other rows
// are evaluated where these need them, so that a row does not depend on how the plane is divided. suspects: of f and
// the same plane, or null.
CellMeans cellMeans(const std::function<double(double, double)>& f, std::span<const double> x,
                    std::span<const double> y, std::size_t first, std::size_t count,
                    const Suspects* suspects = nullptr);

}  // namespace simscope::formula
