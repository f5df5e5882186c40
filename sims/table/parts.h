// The formats one by one; see table.h. All of them throw UsageError for bad files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sims/table/table.h"

namespace simscope::table {

[[noreturn]] void refuse(const std::string& why);
// Refuses indices beyond the columns, and more columns than a table can have.
void checkChoice(const std::vector<std::size_t>& chosen, std::size_t columns);

Table csvTable(std::string_view text, const Choose& choose);
Table npyTable(std::string_view bytes, const Choose& choose);
Table npzTable(std::string_view bytes, const Choose& choose);

// An array of one dimension and no fields.
bool isNpyColumn(std::string_view bytes);
std::vector<double> npyColumn(std::string_view bytes);

}  // namespace simscope::table
