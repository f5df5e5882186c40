#include "app/export/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kBufferBytes = 256u << 10;
constexpr int kSlots = 64;
constexpr std::size_t kLongestName = 255;  // of one path component, on every file system in use

// What the signal handler may look at: no allocation, no lock. A slot is `live` from before its file is created until
// after the file got its final name, so that a signal at any moment finds it; unlinking a name that is not there is
// harmless.
enum SlotState : int { kFree, kClaimed, kLive };
struct Slot {
  std::atomic<int> state{kFree};
  std::atomic<pid_t> owner{0};  // a forked child must not remove its parent's files
  char path[PATH_MAX] = {};
};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);
std::array<Slot, kSlots> slots;

int claimSlot() noexcept {
  for (int i = 0; i < kSlots; ++i) {
    int expected = kFree;
    if (slots[i].state.compare_exchange_strong(expected, kClaimed)) {
      return i;
    }
  }
  return -1;
}

std::string errorText(int error_number) {
  return std::generic_category().message(error_number);
}

std::string quoted(const std::filesystem::path& path) {
  return fmt::format("'{}'", path.string());
}

// The name beside the target, cut at a character's start where it would grow too long.
std::string temporaryName(const std::string& name, std::uint32_t number) {
  const std::string tail = fmt::format(".{}-{:06x}.part", static_cast<long>(::getpid()), number & 0xffffffu);
  std::size_t keep = std::min(name.size(), kLongestName - 1 - tail.size());
  while (keep > 0 && keep < name.size() && (static_cast<unsigned char>(name[keep]) & 0xc0) == 0x80) {
    --keep;
  }
  return fmt::format(".{}{}", std::string_view(name).substr(0, keep), tail);
}

// Conditions of the machine rather than of the request.
bool isRunTimeFailure(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EIO || error_number == EMFILE ||
         error_number == ENFILE || error_number == ENOMEM || error_number == EINTR;
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path target, bool overwrite)
    : target_(std::move(target)), overwrite_(overwrite) {
  if (target_.empty()) {
    throw UsageError("no name for the file to write: give one");
  }
  if (!target_.has_filename()) {
    throw UsageError(fmt::format("{} is a folder: name a file in it", quoted(target_)));
  }
  pending_.reserve(kBufferBytes);  // before anything is opened: nothing may throw between open and the end
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw UsageError(fmt::format("{} is a folder: name a file in it", quoted(target_)));
    }
    if (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode)) {
      descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
      if (descriptor_ < 0) {
        const std::string message = fmt::format("cannot open {} for writing: {}", quoted(target_), errorText(errno));
        if (isRunTimeFailure(errno)) {
          throw Error(message);
        }
        throw UsageError(message);
      }
      return;
    }
    if (!S_ISREG(status.st_mode)) {
      throw UsageError(fmt::format("{} is not a regular file: choose another name", quoted(target_)));
    }
    if (!overwrite) {
      throw UsageError(fmt::format("{} exists already: --force overwrites it", quoted(target_)));
    }
  } else if (errno != ENOENT) {
    throw UsageError(fmt::format("cannot write {}: {}", quoted(target_), errorText(errno)));
  }

  // Beside the file that a link leads to, so that the link survives; a dangling link is an entry like any other.
  std::error_code ignored;
  final_ = std::filesystem::canonical(target_, ignored);
  if (ignored) {
    if (!overwrite && std::filesystem::is_symlink(target_, ignored)) {
      throw UsageError(fmt::format("{} is a link to nowhere: --force overwrites it", quoted(target_)));
    }
    final_ = std::filesystem::absolute(target_);
  }
  const auto folder = final_.parent_path();
  struct stat folder_status {};
  if (::stat(folder.c_str(), &folder_status) != 0) {
    throw UsageError(fmt::format("cannot write {}: the folder {} cannot be used ({}): create it, or choose another",
                                 quoted(target_), quoted(folder), errorText(errno)));
  }
  if (!S_ISDIR(folder_status.st_mode)) {
    throw UsageError(fmt::format("cannot write {}: {} is not a folder", quoted(target_), quoted(folder)));
  }
  createTemporary(final_);
}

void PendingFile::createTemporary(const std::filesystem::path& final_path) {
  std::random_device random;
  int error_number = EEXIST;
  for (int attempt = 0; attempt < 100 && error_number == EEXIST; ++attempt) {
    temporary_ = final_path.parent_path() / temporaryName(final_path.filename().string(), random());
    const std::string& name = temporary_.native();
    if (name.size() >= sizeof Slot::path) {
      error_number = ENAMETOOLONG;
      break;
    }
    const int claimed = claimSlot();
    if (claimed < 0) {
      throw Error(fmt::format("cannot write {}: {} files are being written already", quoted(target_), kSlots));
    }
    Slot& slot = slots[claimed];
    std::memcpy(slot.path, name.c_str(), name.size() + 1);
    slot.owner.store(::getpid());
    slot.state.store(kLive);
    // The process's umask decides, as for any file: 0666 is only what is asked for.
    descriptor_ = ::open(slot.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) {
      slot_ = claimed;
      return;
    }
    error_number = errno;
    slot.state.store(kFree);
  }
  const std::string message = fmt::format("cannot write {}: no file can be created in {} ({}): choose another folder",
                                          quoted(target_), quoted(final_path.parent_path()), errorText(error_number));
  if (isRunTimeFailure(error_number)) {
    throw Error(message);
  }
  throw UsageError(message);
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)),
      final_(std::move(other.final_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      slot_(std::exchange(other.slot_, -1)),
      overwrite_(other.overwrite_),
      bytes_(other.bytes_),
      sent_(other.sent_),
      pending_(std::move(other.pending_)) {}

PendingFile::~PendingFile() {
  discard();
}

void PendingFile::discard() noexcept {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
    descriptor_ = -1;
  }
  if (slot_ >= 0) {
    ::unlink(slots[slot_].path);
    slots[slot_].state.store(kFree);
    slot_ = -1;
  }
}

void PendingFile::fail(const std::string& what, int error_number) {
  const bool had_temporary = slot_ >= 0;
  discard();
  throw Error(fmt::format("cannot {} {}: {} ({} of {} bytes were written{})", what, quoted(target_),
                          errorText(error_number), sent_, bytes_, had_temporary ? "; no file was left" : ""));
}

void PendingFile::send(const std::byte* data, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor_, data, bytes);
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      fail("write", errno);
    }
    data += written;
    bytes -= static_cast<std::size_t>(written);
    sent_ += static_cast<std::uint64_t>(written);
  }
}

void PendingFile::sendPending() {
  send(pending_.data(), pending_.size());
  pending_.clear();
}

void PendingFile::write(const void* data, std::size_t bytes) {
  if (descriptor_ < 0) {
    throw Error(fmt::format("cannot write {}: it is closed", quoted(target_)));
  }
  const auto* first = static_cast<const std::byte*>(data);
  bytes_ += bytes;
  if (pending_.size() + bytes <= kBufferBytes) {
    pending_.insert(pending_.end(), first, first + bytes);
    return;
  }
  sendPending();
  if (bytes >= kBufferBytes) {
    send(first, bytes);
  } else {
    pending_.assign(first, first + bytes);
  }
}

void PendingFile::rewrite(std::uint64_t offset, const void* data, std::size_t bytes) {
  if (descriptor_ < 0 || slot_ < 0 || offset + bytes > bytes_) {
    throw Error(fmt::format("cannot change what was written to {}", quoted(target_)));
  }
  sendPending();
  const auto* first = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(descriptor_, first, bytes, static_cast<off_t>(offset));
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      fail("write", errno);
    }
    first += written;
    offset += static_cast<std::uint64_t>(written);
    bytes -= static_cast<std::size_t>(written);
  }
}

void PendingFile::replaceFront(std::uint64_t old_bytes, const void* data, std::size_t bytes) {
  if (bytes > old_bytes || old_bytes > bytes_) {
    throw Error(fmt::format("cannot put {} bytes in the place of {} of {}", bytes, old_bytes, quoted(target_)));
  }
  rewrite(0, data, bytes);
  const std::uint64_t gap = old_bytes - bytes;
  if (gap == 0) {
    return;
  }
  std::vector<std::byte> part(kBufferBytes);
  for (std::uint64_t from = old_bytes; from < bytes_;) {
    const ssize_t read = ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(from));
    if (read < 0 && errno == EINTR) {
      continue;
    }
    if (read <= 0) {
      fail("read again", read < 0 ? errno : EIO);
    }
    rewrite(from - gap, part.data(), static_cast<std::size_t>(read));
    from += static_cast<std::uint64_t>(read);
  }
  bytes_ -= gap;
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0 ||
      ::lseek(descriptor_, static_cast<off_t>(bytes_), SEEK_SET) < 0) {
    fail("shorten", errno);
  }
}

void PendingFile::commit() {
  if (descriptor_ < 0) {
    throw Error(fmt::format("cannot complete {}: it is closed", quoted(target_)));
  }
  sendPending();
  // Network file systems report a full disk no earlier than here.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    fail("write", errno);
  }
  if (slot_ < 0) {
    return;
  }
  int result = -1;
  if (!overwrite_) {
    // Refuses where another program has made the file meanwhile; not every file system knows how.
    result = ::renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, final_.c_str(), RENAME_NOREPLACE);
  }
  if (result != 0 && (overwrite_ || errno == EINVAL || errno == ENOSYS)) {
    result = ::rename(temporary_.c_str(), final_.c_str());
  }
  if (result != 0) {
    fail("rename the finished file to", errno);
  }
  slots[slot_].state.store(kFree);
  slot_ = -1;
}

void removePendingFiles() noexcept {
  const int saved = errno;
  const pid_t self = ::getpid();
  for (const Slot& slot : slots) {
    if (slot.state.load() == kLive && slot.owner.load() == self) {
      ::unlink(slot.path);
    }
  }
  errno = saved;
}

void writeText(const std::filesystem::path& target, const std::string& text, bool overwrite) {
  PendingFile file(target, overwrite);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace simscope::exporting
