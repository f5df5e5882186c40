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
  std::vector<Jump> jumps;
  // Cells with a jump that have kept their sample: jumps are everywhere, as in noise, or would take too long.
  std::size_t unresolved = 0;
};

// Jumps of f between neighbours of `x` (ascending, evenly spaced), whose values are given.
std::vector<Jump> jumpsOf(const std::function<double(double)>& f, std::span<const double> x,
                          std::span<const double> values);

CellMeans cellMeans(const std::function<double(double)>& f, std::span<const double> x);

// The rows from `first` to `first` + `count` of the plane with these columns and rows, both `step` apart; other rows
// are evaluated where these need them, so that a row does not depend on how the plane is divided.
CellMeans cellMeans(const std::function<double(double, double)>& f, std::span<const double> x,
                    std::span<const double> y, std::size_t first, std::size_t count);

}  // namespace simscope::formula
