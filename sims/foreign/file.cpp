#include "sims/foreign/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sims/compute/error.h"

namespace simscope::foreign {
namespace {

[[noreturn]] void refuse(int error) {
  if (error == ENOENT || error == ENOTDIR) throw UsageError("there is no such file");
  if (error == ELOOP) throw UsageError("its symbolic links form a loop");
  throw UsageError(fmt::format("it cannot be read: {}", std::strerror(error)));
}

void requireRegular(const struct stat& is) {
  if (S_ISDIR(is.st_mode)) throw UsageError("this is a folder");
  if (!S_ISREG(is.st_mode)) throw UsageError("this is a device, a pipe, or a socket, not a regular file");
}

}  // namespace

File::File(const std::filesystem::path& file) {
  struct stat is;
  // Opening some devices does something, so they are told by name first, and by what was opened again.
  if (::stat(file.c_str(), &is) != 0) refuse(errno);
  requireRegular(is);
  descriptor_ = ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(errno);
  try {
    if (::fstat(descriptor_, &is) != 0) refuse(errno);
    requireRegular(is);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
  size_ = static_cast<std::uint64_t>(std::max<off_t>(is.st_size, 0));
}

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t File::read(void* data, std::size_t bytes) {
  std::size_t filled = 0;
  while (filled < bytes) {
    const ssize_t got = ::read(descriptor_, static_cast<char*>(data) + filled, bytes - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse(errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  return filled;
}

void File::skip(std::uint64_t bytes) {
  const off_t here = ::lseek(descriptor_, 0, SEEK_CUR);
  if (here < 0) refuse(errno);
  const std::uint64_t at = static_cast<std::uint64_t>(here), left = size_ > at ? size_ - at : 0;
  if (::lseek(descriptor_, static_cast<off_t>(at + std::min(left, bytes)), SEEK_SET) < 0) refuse(errno);
}

int File::release() noexcept {
  return std::exchange(descriptor_, -1);
}

std::string readFile(const std::filesystem::path& file, std::uint64_t most) {
  File source(file);
  const auto tooLarge = [&] { throw UsageError(fmt::format("it has more than {} bytes", most)); };
  if (source.size() > most) tooLarge();
  std::string bytes;
  for (std::size_t step = static_cast<std::size_t>(source.size()) + 1;; step = std::size_t{1} << 16) {
    const std::size_t old = bytes.size();
    step = std::min<std::size_t>(step, most + 1 - old);  // one more tells that there is more
    bytes.resize(old + step);
    const std::size_t got = source.read(bytes.data() + old, step);
    bytes.resize(old + got);
    if (bytes.size() > most) tooLarge();
    if (got < step) return bytes;
  }
}

}  // namespace simscope::foreign
