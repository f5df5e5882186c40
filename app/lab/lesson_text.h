// A lesson and its result as text for the user, and as JSON and CSV for scripts. Plain functions; any thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab {

// A number with four digits and a suitable SI prefix, if the unit takes one: "12.4 µs", "2.9 TB/s"; an empty text for
// NaN.
std::string valueText(double value, const std::string& unit);
// With the spread, if known, in the same prefix: "12.4 ± 0.3 µs".
std::string valueText(double value, double spread, const std::string& unit);

// The rows as cells, the columns' titles first. The first cell of each is its name.
std::vector<std::vector<std::string>> cellsOf(const Result& result);

// Keys are stable: lesson, parameters, columns, rows (values, spreads), chart, finding, notes; machine if it is given.
// Numbers in the columns' units; NaN is null. stored_run.h reads it.
nlohmann::ordered_json json(const Lesson& lesson, const ParameterSet& parameters, const Result& result,
                            const std::string& machine = {});

// A header and one line per row, as in RFC 4180. A column of which any row has a known spread is followed by one for
// the spread ("± Time [s]").
std::string csv(const Result& result);

}  // namespace simscope::lab
