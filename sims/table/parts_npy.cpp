#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "sims/compute/error.h"
#include "sims/foreign/npy.h"
#include "sims/foreign/words.h"
#include "sims/table/parts.h"

namespace simscope::table {
namespace {

// A number in a row: how it is read, and where it stands.
struct Field {
  std::string name;
  foreign::NpyNumber read = nullptr;
  bool swapped = false;
  std::size_t bytes = 8, offset = 0;
};

Field fieldOf(const std::string& name, const std::string& type, std::size_t offset) {
  const bool sized = type.size() == 3 && type[1] != 'c';
  Field field{name, sized ? foreign::npyNumberOf(type) : nullptr};
  if (!field.read) {
    refuse(fmt::format("{} has the type {}; accepted are integers and real numbers of 4 or 8 bytes",
                       name.empty() ? "its array" : "its column " + foreign::quoted(name), foreign::quoted(type)));
  }
  field.swapped = type[0] == '>';
  field.bytes = foreign::npyElementBytes(type);
  field.offset = offset;
  return field;
}

struct Array {
  std::vector<Field> fields;  // one, without a name, of a plain array
  std::vector<std::size_t> shape;
  bool by_columns = false, structured = false;
  std::size_t row = 0;  // bytes of an element, with all of its fields
  std::span<const std::byte> data;
};

Array arrayOf(std::string_view bytes) {
  const std::span<const std::byte> file = std::as_bytes(std::span(bytes));
  Array array;
  try {
    const foreign::NpyHeader header = foreign::npyHeaderOf(file);
    array.data = file.subspan(header.bytes);
    array.shape = header.shape;
    array.by_columns = header.fortran_order;
    array.structured = !header.fields.empty();
    if (header.fields.size() > kMostColumns) throw UsageError("has too many fields");
    for (const foreign::NpyField& each : header.fields) {
      array.fields.push_back(fieldOf(each.name, each.dtype, array.row));
      array.row += array.fields.back().bytes;
    }
    if (!array.structured) {
      array.fields.push_back(fieldOf("", header.dtype, 0));
      array.row = array.fields[0].bytes;
    }
  } catch (const UsageError& error) {
    const std::string why = error.what();
    refuse(why.starts_with("its ") ? why : "it " + why);
  }
  if (std::find(array.shape.begin(), array.shape.end(), 0u) != array.shape.end()) refuse("it has no elements");
  // The product of the extents, by division: it may be anything.
  std::size_t room = array.data.size() / array.row;
  for (const std::size_t extent : array.shape) room /= extent;
  if (room == 0) refuse("it is truncated: its data are shorter than its shape");
  return array;
}

std::vector<double> columnOf(const Array& array, const Field& field, std::size_t first, std::size_t step,
                             std::size_t rows) {
  std::vector<double> values(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    values[i] = field.read(array.data.data() + (first + i * step) * array.row + field.offset, field.swapped);
  }
  return values;
}

}  // namespace

bool isNpyColumn(std::string_view bytes) {
  const Array array = arrayOf(bytes);
  return !array.structured && array.shape.size() == 1;
}

std::vector<double> npyColumn(std::string_view bytes, std::uint64_t most) {
  const Array array = arrayOf(bytes);
  if (array.structured || array.shape.size() != 1) refuse("its array does not have one dimension");
  checkMemory(array.shape[0], 1, most);
  return columnOf(array, array.fields[0], 0, 1, array.shape[0]);
}

Table npyTable(std::string_view bytes, const Choose& choose) {
  const Array array = arrayOf(bytes);
  if (array.shape.size() != (array.structured ? 1u : 2u)) {
    refuse(
        fmt::format("it has {} dimensions; accepted are one with named fields, or rows × columns", array.shape.size()));
  }
  Table table;
  table.rows = array.shape[0];
  const std::size_t columns = array.structured ? array.fields.size() : array.shape[1];
  if (columns > kMostColumns) refuse(fmt::format("it has {} columns, more than {}", columns, kMostColumns));
  std::vector<std::string> names(columns);
  for (std::size_t i = 0; array.structured && i < columns; ++i) names[i] = array.fields[i].name;
  const std::vector<std::size_t> chosen = choose(names);
  checkChoice(chosen, columns);
  checkMemory(table.rows, chosen.size(), memoryBeside(bytes.size()));
  for (const std::size_t each : chosen) {
    if (array.structured) {
      table.columns.push_back(columnOf(array, array.fields[each], 0, 1, table.rows));
    } else if (array.by_columns) {
      table.columns.push_back(columnOf(array, array.fields[0], each * table.rows, 1, table.rows));
    } else {
      table.columns.push_back(columnOf(array, array.fields[0], each, columns, table.rows));
    }
  }
  return table;
}

}  // namespace simscope::table
