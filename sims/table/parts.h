// The formats one by one; see table.h. All of them throw UsageError for bad files.
#pragma once

#include <cstdint>
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
std::vector<double> npyColumn(std::string_view bytes, std::uint64_t most);
// Refuses columns of so many rows that take more than `most` bytes.
void checkMemory(std::size_t rows, std::size_t columns, std::uint64_t most);
// What is left for the columns of a file of so many bytes.
std::uint64_t memoryBeside(std::size_t bytes);

}  // namespace simscope::table
