// Tables of numbers from untrusted files: NumPy arrays (.npy), NumPy archives of columns (.npz), and CSV.
//
// A .npy file holds a structured array of one dimension, whose fields are the columns, or a plain array of two
// dimensions (rows × columns, without names). A .npz archive, compressed or not, holds a one-dimensional array for each
// column, named as the column is; or one array alone, as a .npy file does. CSV has cells between commas, semicolons,
// tabs, or blanks. Lines that begin with # are comments. The first other line names the columns unless all of its cells
// are numbers; where some are, the last comment above it names them, if it has as many words. A number too small for
// double precision is 0, one too large infinite. Elements of arrays: whole numbers of 1 to 8 bytes, reals of 4 and 8,
// of either byte order.
//
// Every size that a file states is checked against the file's actual bytes before use. File, arrays, and numbers take
// foreign::kMostMemory together at most. Numbers may be NaN; the caller
// decides their meaning. Plain functions; any thread. Errors: UsageError naming the file, the fault, and its place; or
// the errors of `choose`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::table {

inline constexpr std::size_t kMostColumns = 1024;

struct Table {
  std::size_t rows = 0;
  std::vector<std::vector<double>> columns;  // the chosen ones, in that order
};

// Gets all columns' names (empty where they have none), and returns the indices of those to read. May throw.
using Choose = std::function<std::vector<std::size_t>(const std::vector<std::string>& names)>;

enum class Format { Npy, Npz, Csv };
// By the name's ending.
bool isTable(const std::filesystem::path& file);
Table readTable(const std::filesystem::path& file, const Choose& choose);
// From memory; errors do not name a file.
Table tableOf(std::string_view bytes, Format format, const Choose& choose);

}  // namespace simscope::table
