// Reads untrusted files: regular files only, and never more bytes than requested.
//
// A device, a pipe, or a socket is refused before it is read, and without waiting for its other end. Bytes are counted
// as they are read: the size is that at opening, and may have changed since. Owner: a File owns its descriptor. Thread:
// one at a time. Errors: UsageError with the reason ("there is no such file"), without the file's name, which the
// caller adds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace simscope::foreign {

class File {
 public:
  explicit File(const std::filesystem::path& file);
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  std::uint64_t size() const noexcept { return size_; }  // when it was opened
  // Reads up to `bytes` bytes; fewer only at the end.
  std::size_t read(void* data, std::size_t bytes);
  // Skips `bytes` bytes, at most to the end.
  void skip(std::uint64_t bytes);
  // The descriptor, which the caller has to close.
  int release() noexcept;

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// All of a file; UsageError for more than `most` bytes, before more is read.
std::string readFile(const std::filesystem::path& file, std::uint64_t most);

}  // namespace simscope::foreign
