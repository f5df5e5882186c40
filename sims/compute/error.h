// The exceptions of the compute layer. Every message names the call, the place and what to do.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace simscope {

// A failure at run time: a device that does not answer, a file that cannot be written. Exit status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A request that cannot be met as written: an unknown name, a value out of range. Nothing has changed. Exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Memory could not be allocated, on the host or on a device. The state before the request is unchanged.
class OutOfMemory : public Error {
 public:
  OutOfMemory(const std::string& message, std::size_t bytes) : Error(message), bytes_(bytes) {}
  std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::size_t bytes_;
};

}  // namespace simscope
