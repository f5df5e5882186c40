// Values read from the runs of a sweep: the curve of a diagnostic with the exact one, the run nearest to a place, and a
// run's values as text. Plain functions; any thread. `plan` measures one diagnostic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sweep/runner.h"

namespace simscope::sweep {

// Over one parameter, ascending. NaN if a run has no value.
struct Curve {
  std::vector<double> x, measured, exact;  // exact: empty if there is none
};
Curve curveOf(const Plan& plan, const Result& result);

// The run whose cell has a place of the picture (Places); the second coordinate is used only with two parameters.
std::optional<std::size_t> runAt(const Plan& plan, double x, double y);

// One line each: the parameters, the measured value, the exact one; or the reason why there is none.
std::vector<std::string> readingOf(const Plan& plan, const Result& result, std::size_t run);
// "40 runs of 250 steps in 1.2 s, all side by side in one batch", and the largest difference from the exact values.
std::string summaryOf(const Plan& plan, const Result& result);
// Failures and warnings, one line each.
std::vector<std::string> troublesOf(const Plan& plan, const Result& result);

}  // namespace simscope::sweep
