// A NumPy array written item by item, streamed into a file that is either complete or absent.
//
// The array's shape is (items, ...shape of one item), C order, version 1.0. Owner: the NpyFile owns the file until
// finish(); destroyed before, it leaves no file. Thread: one at a time. Errors: as PendingFile; Error for an item of
// another size, and if a target written directly got fewer items than announced.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/export/files.h"

namespace simscope::exporting {

// The header of an array of this type and shape. Error if the elements do not take that many bytes.
std::string npyHeader(const std::string& dtype, std::span<const std::size_t> shape, std::size_t bytes);

// A whole array at once, C order.
void writeNpy(const std::filesystem::path& target, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data, bool overwrite);
void writeNpy(PendingFile& file, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data);

class NpyFile {
 public:
  // `items`: the largest number of items; nullopt: unknown. `dtype` in NumPy's notation ("<f4").
  NpyFile(PendingFile file, std::string dtype, std::vector<std::size_t> item_shape, std::optional<std::int64_t> items);

  void add(std::span<const std::byte> item);
  void complete();  // PendingFile::complete(), for the items so far
  void finish();    // complete() and commit()
  PendingFile& file() noexcept { return file_; }
  std::uint64_t bytes() const noexcept { return file_.bytes(); }
  std::vector<std::size_t> shape() const;  // so far

 private:
  std::string header(std::int64_t items) const;

  std::string dtype_;
  std::vector<std::size_t> item_shape_;
  std::size_t item_bytes_;
  PendingFile file_;
  std::int64_t announced_, items_ = 0;
  std::size_t header_bytes_ = 0;
};

}  // namespace simscope::exporting
