// A typed formula of one or several variables, evaluated in lanes. It also knows pi, e, hbar = 1, and m = 1. What
// people write otherwise than a compiler takes it (x**2, 2x, π) is read, too (reader.h).
//
// A Formula stores the place of its evaluation: each thread makes its own. Errors: UsageError names the formula, the
// column of the fault and what was expected there.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "sims/formula/evaluation.h"
#include "sims/formula/reader.h"

namespace simscope::formula {

class Formula {
 public:
  // `names`: of the variables, "x" or "x", "y".
  Formula(const std::string& text, std::vector<std::string> names);
  Formula(const Formula&) = delete;
  Formula& operator=(const Formula&) = delete;

  void requireSound() const;
  // One number a variable, in the order of their names. Precondition: the formula is valid.
  double at(std::initializer_list<double> place);
  // The same at many places, with the same bits: one array a variable, each as long as `values`.
  void over(std::span<const double* const> places, std::span<double> values);

 private:
  std::string text_;
  Reading reading_;
  Evaluation evaluation_;
  std::vector<double> values_;           // of the variables
  std::vector<const double*> pointers_;  // to them
  std::vector<double> stack_;
};

// Throws where the text is not a formula of these variables, or longer than 4096 characters.
void requireSound(const std::string& text, const std::vector<std::string>& names);
// What every reader of formulas knows, and how it binds, in sentences for descriptions: "Known are pi, e, …".
std::string grammar();
// The names of the functions, in the order of the alphabet.
const std::vector<std::string>& functionNames();
// The text as quoted in messages.
std::string shown(const std::string& text);

}  // namespace simscope::formula
