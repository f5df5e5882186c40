// Exchange of open files between the processes of one machine, such as files for a driver's shared memory.
//
// Owner: UniqueFile. All ranks call swapFiles, in the same order. Thread: as Ranks. Errors: as Ranks; where files
// cannot be passed, no rank gets any.
#pragma once

#include <utility>
#include <vector>

#include "sims/compute/ranks/ranks.h"

namespace simscope::compute {

class UniqueFile {
 public:
  UniqueFile() = default;
  explicit UniqueFile(int file) noexcept : file_(file) {}
  ~UniqueFile();
  UniqueFile(UniqueFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  UniqueFile& operator=(UniqueFile&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int get() const noexcept { return file_; }  // -1: none
  explicit operator bool() const noexcept { return file_ >= 0; }

 private:
  int file_ = -1;
};

// The file of each rank, by rank, and none at this one's own place; empty where one of them gives none, is on another
// machine or another user's, or does not answer within seconds.
std::vector<UniqueFile> swapFiles(Ranks& ranks, const UniqueFile& own);

}  // namespace simscope::compute
