// A NumPy array that grows by one item after the other, streamed into a file that is whole or not there.
//
// The array's shape is (items, ...shape of one item), C order, version 1.0. Owner: the NpyFile owns the file until
// finish(); destroyed before, it leaves nothing. Thread: one at a time. Errors: as PendingFile; Error for an item of
// another size, and where fewer items than announced came for a target that is written directly.
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

// What stands in front of the elements of an array of this type and shape. Error where they do not take so many bytes.
std::string npyHeader(const std::string& dtype, std::span<const std::size_t> shape, std::size_t bytes);

// A whole array at once, C order.
void writeNpy(const std::filesystem::path& target, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data, bool overwrite);
void writeNpy(PendingFile& file, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data);

class NpyFile {
 public:
  // `items`: how many will come at most; nullopt: nobody knows. `dtype` as NumPy writes it ("<f4").
  NpyFile(PendingFile file, std::string dtype, std::vector<std::size_t> item_shape, std::optional<std::int64_t> items);

  void add(std::span<const std::byte> item);
  void complete();  // PendingFile::complete(), of the items that came
  void finish();    // likewise commit()
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
