// Compares two results of a lesson: of two machines, or before and after. Plain functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lab/stored_run.h"

namespace simscope::lab {

// A number that both results have: rows are matched by name (the n-th of those with the same name), columns by title
// and unit; in the order of the first result.
struct Compared {
  std::string row, column, unit;
  double first = 0, second = 0;
  double first_spread = 0, second_spread = 0;  // NaN: not known
  // second / first; NaN if it has no meaning.
  double ratio() const;
};
std::vector<Compared> compared(const Result& first, const Result& second);

// The values of the other result for a row and its columns; empty: it has no such row. NaN: no such column.
std::vector<double> besides(const Result& result, std::size_t row, const Result& other);

// The chart with the other result's curves, faint, in the colours of the curves with the same titles, and titled
// `title: other`. The other's laws and limits are left out, and so are points outside this chart's x.
Chart withOther(const Chart& chart, const Chart& other, const std::string& name);

// As text: a table of every lesson that both runs have, and the lessons that only one has. UsageError: `lesson` (empty:
// all) is not in both.
std::string comparisonText(const StoredRun& first, const StoredRun& second, const std::string& lesson,
                           const std::function<std::string(const std::vector<std::vector<std::string>>&)>& table);

}  // namespace simscope::lab
