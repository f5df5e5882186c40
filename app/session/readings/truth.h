// Compares a diagnostic's value with the description's bounds and exact values. Plain functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope {

enum class Verdict {
  None,     // no bound or exact value, or no value
  Kept,     // within the bound; within the tolerance of the exact value
  Apart,    // further from the exact value than at the end of a preset: no error before the end
  Exceeded  // beyond the bound
};

struct Truth {
  std::size_t diagnostic = 0;
  double value = 0;
  std::optional<std::size_t> exact = {};  // the diagnostic with its exact value
  double exact_value = 0;                 // NaN: none now
  double error = 0;                       // relative to the exact value; NaN likewise
  Verdict verdict = Verdict::None;
  double share = 0;      // value relative to the bound; 0 without one
  double tolerance = 0;  // of the verdict: the description's, at most half of the exact value; 0: none
};

// One for every diagnostic that matters and is not another one's exact value, in their order. Those without a value now
// have NaN.
std::vector<Truth> truthsOf(const Description& description, const ParameterSet& parameters,
                            const std::vector<double>& values);

}  // namespace simscope
