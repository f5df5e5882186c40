// Files that others made, read without trust: regular files only, and never more of one than is asked for.
//
// A device, a pipe, or a socket is refused before it is read, and without waiting for its other end. What a file holds
// is counted as it is read: its size is what it said when it was opened, and may be wrong by then. Owner: a File owns
// its descriptor. Thread: one at a time. Errors: UsageError saying what is the matter ("there is no such file"),
// without the file's name, which the caller knows how to show.
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
  // As many bytes as are there, up to so many; fewer only at the end.
  std::size_t read(void* data, std::size_t bytes);
  // Goes so far on, no farther than the end.
  void skip(std::uint64_t bytes);
  // The descriptor, which the caller has to close.
  int release() noexcept;

 private:
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

// All of a file; UsageError where that is more than `most` bytes, before more is read.
std::string readFile(const std::filesystem::path& file, std::uint64_t most);

}  // namespace simscope::foreign
