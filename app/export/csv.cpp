#include "app/export/csv.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) {
    return text;
  }
  std::string result = "\"";
  for (const char c : text) {
    result.append(c == '"' ? 2 : 1, c);
  }
  return result + '"';
}

}  // namespace

CsvFile::CsvFile(const std::filesystem::path& target, std::span<const CsvColumn> columns, bool overwrite)
    : file_(target, overwrite), columns_(columns.size()) {
  for (const CsvColumn& column : columns) {
    line_ += line_.empty() ? "" : ",";
    line_ += quoted(column.unit.empty() ? column.key : fmt::format("{} [{}]", column.key, column.unit));
  }
  line_ += '\n';
  file_.write(line_.data(), line_.size());
}

void CsvFile::row(std::span<const double> values) {
  if (values.size() != columns_) {
    throw Error(fmt::format("the table in '{}' has {} columns, but {} values were given", file_.target().string(),
                            columns_, values.size()));
  }
  line_.clear();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) {
      line_ += ',';
    }
    if (std::isnan(values[i])) {
      line_ += "nan";  // without a sign
    } else {
      fmt::format_to(std::back_inserter(line_), "{}", values[i]);  // the shortest text that reads as this number
    }
  }
  line_ += '\n';
  file_.write(line_.data(), line_.size());
}

void CsvFile::finish() {
  file_.commit();
}

}  // namespace simscope::exporting
