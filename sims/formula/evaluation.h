// The evaluation of a formula's tree, at one place or in lanes, with the same bits.
//
// A tree is compiled to steps on a stack of rows. Constants are computed before, and what is linear in one variable is
// one step, factor·variable + offset: 3*(x - 1) is 3·x - 3. Small whole powers of a variable are products.
//
// Never changed; any thread, each with a stack of its own.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "sims/formula/reader.h"

namespace simscope::formula {

class Evaluation {
 public:
  Evaluation() = default;  // of no formula: NaN
  explicit Evaluation(const Tree& tree);

  // How many numbers a stack has for one place, at most one a node; for many places it has kLanes times as many.
  std::size_t rows() const { return rows_; }
  static constexpr std::size_t kLanes = 64;  // places that are computed together

  // variables: where each one's number is.
  double at(const double* const* variables, double* stack) const;
  // variables: where each one's numbers are, as many as `values`.
  void over(std::span<const double* const> variables, std::span<double> values, double* stack) const;

 private:
  friend class StepWriter;
  struct Step {
    Op op = Op::Constant;
    double factor = 0, offset = 0;  // a constant, a variable, and a linear one are all factor·variable + offset
    std::size_t index = 0;          // of the variable; how many operands; the step before the one to go on at
    double (*one)(double) = nullptr;
    double (*two)(double, double) = nullptr;
  };
  template <std::size_t kRow>
  class Machine;

  std::vector<Step> steps_ = {{.offset = std::numeric_limits<double>::quiet_NaN()}};
  std::size_t rows_ = 1;
};

}  // namespace simscope::formula
