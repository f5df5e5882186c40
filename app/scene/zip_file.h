// ZIP archives whose members are stored as they are: what a snapshot is made of. By libzip.
//
// A ZipWriter streams members, which need not be in memory, into a file that is whole or not there
// (exporting::PendingFile); equal members give equal files. A ZipReader checks what it reads against its length and
// checksum. Thread: one at a time. Errors: writing as PendingFile; reading UsageError for what is no such archive, is
// cut short, or damaged.
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
struct zip_source;

namespace simscope {

class ZipWriter {
 public:
  explicit ZipWriter(exporting::PendingFile& file);  // a regular one, which must stay
  ~ZipWriter();

  // `head` and then `data`, which must stay as it is until complete().
  void add(const std::string& name, std::string head, std::span<const std::byte> data = {});
  // `head` and then `bytes` more, which `next` gives piece by piece when complete() comes to them; what it throws,
  // complete() throws.
  using Next = std::function<std::span<const std::byte>()>;
  void add(const std::string& name, std::string head, std::uint64_t bytes, Next next);
  void complete();  // and the file

 private:
  struct Sink;
  struct Stream;
  struct Discard {
    void operator()(zip* archive) const noexcept;
  };

  std::unique_ptr<Sink> sink_;
  void place(const std::string& name, zip_source* source);

  std::list<std::string> heads_;
  std::list<Stream> streams_;
  std::unique_ptr<zip, Discard> archive_;
};

class ZipReader {
 public:
  explicit ZipReader(const std::filesystem::path& file);
  explicit ZipReader(std::span<const std::byte> bytes);  // which must stay

  bool has(const std::string& name) const;
  // Of a member: how long it is, and what its checksum must be.
  struct Member {
    std::uint64_t bytes;
    std::uint32_t checksum;
  };
  Member member(const std::string& name) const;
  // No longer than `most` bytes.
  std::vector<std::byte> read(const std::string& name, std::uint64_t most) const;
  // `count` bytes of a member from `first` on, where it has them. It is read through, for its checksum.
  std::vector<std::byte> read(const std::string& name, std::uint64_t first, std::uint64_t count) const;
  // The first bytes, up to `most`, unchecked.
  std::vector<std::byte> front(const std::string& name, std::uint64_t most) const;

 private:
  struct Found;
  Found find(const std::string& name) const;
  struct Close {
    void operator()(zip* archive) const noexcept;
  };

  std::unique_ptr<zip, Close> archive_;
  std::uint64_t size_ = 0;
};

}  // namespace simscope
