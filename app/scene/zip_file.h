// ZIP archives whose members are stored as they are: what a snapshot is made of. By libzip.
//
// A ZipWriter streams into a file that is whole or not there (exporting::PendingFile); equal members give equal files.
// A ZipReader checks what it reads against its length and checksum. Thread: one at a time. Errors: writing as
// PendingFile; reading UsageError for what is no such archive, is cut short, or damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/export/files.h"

struct zip;

namespace simscope {

class ZipWriter {
 public:
  explicit ZipWriter(exporting::PendingFile& file);  // a regular one, which must stay
  ~ZipWriter();

  // `head` and then `data`, which must stay as it is until complete().
  void add(const std::string& name, std::string head, std::span<const std::byte> data = {});
  void complete();  // and the file

 private:
  struct Sink;
  struct Discard {
    void operator()(zip* archive) const noexcept;
  };

  std::unique_ptr<Sink> sink_;
  std::list<std::string> heads_;
  std::unique_ptr<zip, Discard> archive_;
};

class ZipReader {
 public:
  explicit ZipReader(const std::filesystem::path& file);
  explicit ZipReader(std::span<const std::byte> bytes);  // which must stay

  bool has(const std::string& name) const;
  // No longer than `most` bytes.
  std::vector<std::byte> read(const std::string& name, std::uint64_t most) const;

 private:
  struct Close {
    void operator()(zip* archive) const noexcept;
  };

  std::unique_ptr<zip, Close> archive_;
  std::uint64_t size_ = 0;
};

}  // namespace simscope
