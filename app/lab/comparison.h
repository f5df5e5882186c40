// Two results of a lesson side by side: of two machines, or before and after. Plain functions; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/lab/stored_run.h"

namespace simscope::lab {

// A number that both have: of rows of the same name (the n-th of those that share one) and columns of the same title
// and unit, in the first one's order.
struct Compared {
  std::string row, column, unit;
  double first = 0, second = 0;
  double first_spread = 0, second_spread = 0;  // NaN: not known
  // second / first; NaN where it says nothing.
  double ratio() const;
};
std::vector<Compared> compared(const Result& first, const Result& second);

// The values of the other result for a row and its columns; empty: it has no such row. NaN: no such column.
std::vector<double> besides(const Result& result, std::size_t row, const Result& other);

// The chart with the other's curves over it, faint, in the colour of those of the same title, and called `title:
// other`. Laws and limits of the other are left out, and so is what lies outside this chart's x.
Chart withOther(const Chart& chart, const Chart& other, const std::string& name);

// For people: a table of every lesson that both have, and what only one has. UsageError: `lesson` (empty: all) is in
// neither or but one of them.
std::string comparisonText(const StoredRun& first, const StoredRun& second, const std::string& lesson,
                           const std::function<std::string(const std::vector<std::vector<std::string>>&)>& table);

}  // namespace simscope::lab
