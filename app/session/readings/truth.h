// What a diagnostic's value says, held against the description's own promises. Plain functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope {

enum class Verdict {
  None,     // nothing is promised, or there is no value
  Kept,     // within the bound; within the tolerance of the exact value
  Apart,    // further from the exact value than it will be at the end of a preset: no fault before
  Exceeded  // beyond the bound
};

struct Truth {
  std::size_t diagnostic = 0;
  double value = 0;
  std::optional<std::size_t> exact = {};  // the diagnostic that has its exact value
  double exact_value = 0;                 // NaN: none now
  double error = 0;                       // relative to the exact value; NaN likewise
  Verdict verdict = Verdict::None;
  double share = 0;      // of the bound that is used up; 0 without one
  double tolerance = 0;  // by which the verdict judges: the description's, at most half of the exact value; 0: none
};

// One for every diagnostic that matters and is no exact value of another, in their order. Those that have no value now
// have NaN.
std::vector<Truth> truthsOf(const Description& description, const ParameterSet& parameters,
                            const std::vector<double>& values);

}  // namespace simscope
