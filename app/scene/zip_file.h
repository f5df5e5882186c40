// ZIP archives with uncompressed members, the format of snapshots. By libzip.
//
// A ZipWriter streams members, which need not be in memory, into a file that is either complete or absent
// (exporting::PendingFile); equal members give equal files. A ZipReader checks the data against its length and
// checksum. Thread: one at a time. Errors: writing as PendingFile; reading UsageError for a file that is not such an
// archive, is truncated, or damaged.
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
  explicit ZipWriter(exporting::PendingFile& file);  // a regular one, which must outlive it
  ~ZipWriter();

  // `head` and then `data`, which must not change until complete().
  void add(const std::string& name, std::string head, std::span<const std::byte> data = {});
  // `head` and then `bytes` more, which `next` returns piece by piece during complete(); complete() passes on its
  // exceptions.
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
  explicit ZipReader(std::span<const std::byte> bytes);  // which must outlive it

  bool has(const std::string& name) const;
  // The length of a member, and its expected checksum.
  struct Member {
    std::uint64_t bytes;
    std::uint32_t checksum;
  };
  Member member(const std::string& name) const;
  // At most `most` bytes.
  std::vector<std::byte> read(const std::string& name, std::uint64_t most) const;
  // `count` bytes of a member from `first` on, if it has them. The whole member is read, for its checksum.
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
