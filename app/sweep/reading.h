// What is read from the runs of a sweep: the curve of a diagnostic with the exact one, the run nearest to a place, and
// a run's values in words. Plain functions; any thread. `plan` measures one diagnostic.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sweep/runner.h"

namespace simscope::sweep {

// Over one parameter, ascending. NaN where a run has no value.
struct Curve {
  std::vector<double> x, measured, exact;  // exact: empty where there is none
};
Curve curveOf(const Plan& plan, const Result& result);

// The run nearest to a place of the picture (placeOf), whose second coordinate counts where there are two parameters.
// Nothing beyond half a value's distance from the ends.
std::optional<std::size_t> runAt(const Plan& plan, double x, double y);

// A line each: the parameters, the measured value, the exact one; or why there is none.
std::vector<std::string> readingOf(const Plan& plan, const Result& result, std::size_t run);
// "40 runs of 250 steps in 1.2 s, all side by side in one batch", and how far measured and exact are apart at most.
std::string summaryOf(const Plan& plan, const Result& result);
// What failed or was warned of, a line each.
std::vector<std::string> troublesOf(const Plan& plan, const Result& result);

}  // namespace simscope::sweep
