// Tables of numbers as CSV: a header, then the rows, streamed into a file that is either complete or absent.
//
// A column's title is its key with the unit in brackets ("time [s]"), quoted as in RFC 4180 if it contains a comma, a
// quote or a line break. Numbers have as many digits as are needed to read the same number again; a missing value
// is "nan", which Octave reads as such where an empty field becomes 0, infinities are "inf" and "-inf". Lines end with
// a line feed. Owner: the CsvFile owns the file until finish(); destroyed before, it leaves no file. Thread: one at a
// time. There is no queue: row() writes through a buffer of the file. Errors: as PendingFile; Error for a row of
// another length.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/export/files.h"

namespace simscope::exporting {

struct CsvColumn {
  std::string key, unit;  // the unit may be empty
};

class CsvFile {
 public:
  CsvFile(const std::filesystem::path& target, std::span<const CsvColumn> columns, bool overwrite);

  void row(std::span<const double> values);
  void finish();
  void complete() { file_.complete(); }
  PendingFile& file() noexcept { return file_; }

 private:
  PendingFile file_;
  std::size_t columns_;
  std::string line_;
};

}  // namespace simscope::exporting
