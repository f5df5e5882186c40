#include "app/export/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
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

#include "app/export/unfinished.h"
#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::exporting {
namespace {

constexpr std::size_t kBufferBytes = 256u << 10;
constexpr int kMostNames = 100;
constexpr std::size_t kLongestName = 255;  // of one path component, on every file system in use

std::string errorText(int error_number) {
  return std::generic_category().message(error_number) +
         (error_number == EMFILE ? "; raise the limit with: ulimit -n 256" : "");
}

std::string quoted(const std::filesystem::path& path) {
  return foreign::quotedFile(path);
}

// The name beside the target, cut at a character's start where it would grow too long.
std::string temporaryName(const std::string& name) {
  static std::atomic<std::uint32_t> count = std::random_device()();
  const std::uint32_t number = count += 0x9e3779b9u;  // never the same one twice
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

[[noreturn]] void refuse(const std::string& message, int error_number) {
  if (isRunTimeFailure(error_number)) {
    throw Error(message);
  }
  throw UsageError(message);
}

std::filesystem::path absoluteName(const std::filesystem::path& target) {
  std::error_code failed;
  auto whole = std::filesystem::absolute(target, failed);
  if (failed) {
    throw UsageError(
        fmt::format("cannot write {}: the working directory no longer exists ({}): change to another one, or "
                    "give an absolute path",
                    quoted(target), failed.message()));
  }
  return whole;
}

void requireFolder(const std::filesystem::path& target, const std::filesystem::path& folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0) {
    throw UsageError(fmt::format("cannot write {}: cannot use the folder {} ({}): create it, or choose another",
                                 quoted(target), quoted(folder), errorText(errno)));
  }
  if (!S_ISDIR(status.st_mode)) {
    throw UsageError(fmt::format("cannot write {}: {} is not a folder", quoted(target), quoted(folder)));
  }
}

bool nothingToSync(int error_number) {
  return error_number == EINVAL || error_number == ENOSYS || error_number == ENOTSUP || error_number == EROFS;
}

}  // namespace

PendingFile::PendingFile(std::filesystem::path target, bool overwrite, const PendingFolder* folder)
    : target_(std::move(target)), overwrite_(overwrite) {
  if (target_.empty()) {
    throw UsageError("no file name was given");
  }
  if (!target_.has_filename()) {
    throw UsageError(fmt::format("{} is a folder: choose a file name in it", quoted(target_)));
  }
  pending_.reserve(kBufferBytes);  // before anything is opened: nothing may throw between open and the end
  struct stat status {};
  if (::stat(target_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) {
      throw UsageError(fmt::format("{} is a folder: choose a file name in it", quoted(target_)));
    }
    if (S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode)) {
      descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
      if (descriptor_ < 0) {
        refuse(fmt::format("cannot open {} for writing: {}", quoted(target_), errorText(errno)), errno);
      }
      return;
    }
    if (!S_ISREG(status.st_mode)) {
      throw UsageError(fmt::format("{} is not a regular file: choose another name", quoted(target_)));
    }
    if (!overwrite) {
      throw UsageError(fmt::format("{} already exists: use --force to overwrite it", quoted(target_)));
    }
  } else if (errno != ENOENT) {
    throw UsageError(fmt::format("cannot write {}: {}", quoted(target_), errorText(errno)));
  }

  // Beside the file that a link leads to, so that the link survives; a dangling link is an entry like any other.
  std::error_code failed;
  final_ = std::filesystem::canonical(target_, failed);
  if (failed) {
    if (!overwrite && std::filesystem::is_symlink(target_, failed)) {
      throw UsageError(fmt::format("{} is a broken link: use --force to replace it", quoted(target_)));
    }
    final_ = absoluteName(target_);
  }
  requireFolder(target_, final_.parent_path());
  createTemporary(folder);
  copyAttributes();
}

void PendingFile::createTemporary(const PendingFolder* folder) {
  const auto where = folder != nullptr ? folder->path() : final_.parent_path();
  int error_number = EEXIST;
  for (int attempt = 0; attempt < kMostNames && error_number == EEXIST; ++attempt) {
    const std::string name = final_.filename().string();
    temporary_ = where / (folder != nullptr && attempt == 0 ? name : temporaryName(name));
    if (temporary_.native().size() >= PATH_MAX) {
      error_number = ENAMETOOLONG;
      break;
    }
    const unfinished::Guard guard;
    if (folder == nullptr) {
      unfinished::addPath(temporary_.native());
    }
    // The process's umask decides, as for any file: 0666 is only what is asked for. What replaces a file may be as
    // private as that is.
    std::error_code ignored;
    const mode_t mode = overwrite_ && std::filesystem::exists(final_, ignored) ? 0600 : 0666;
    descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor_ >= 0) {
      created_ = true;
      listed_ = folder == nullptr;
      // An umask that takes the owner's own rights holds for the finished file: until then others open it by its name.
      struct stat own {};
      if (::fstat(descriptor_, &own) == 0 && (own.st_mode & 0600u) != 0600u) {
        mode_ = own.st_mode & 07777u;
        ::fchmod(descriptor_, *mode_ | 0600u);
      }
      return;
    }
    error_number = errno;
    if (folder == nullptr) {
      unfinished::removePath(temporary_.native());
    }
  }
  refuse(fmt::format("cannot write {}: cannot create a file in {} ({}): choose another folder", quoted(target_),
                     quoted(where), errorText(error_number)),
         error_number);
}

// Copies owner, mode, and the access list (an extended attribute) of the file that will be replaced.
void PendingFile::copyAttributes() {
  struct stat former {
  }, own{};
  if (!overwrite_ || ::stat(final_.c_str(), &former) != 0 || !S_ISREG(former.st_mode)) {
    return;
  }
  int error_number = ::fstat(descriptor_, &own) == 0 ? 0 : errno;
  if (error_number == 0 && (former.st_uid != own.st_uid || former.st_gid != own.st_gid) &&
      ::fchown(descriptor_, former.st_uid, former.st_gid) != 0) {
    error_number = errno;
  }
  if (error_number != 0) {
    discard();
    refuse(fmt::format("{} belongs to another user or group, and its owner cannot be kept when it is replaced ({}): "
                       "choose another name, or delete it first",
                       quoted(target_), errorText(error_number)),
           error_number);
  }
  mode_ = former.st_mode & 07777u;
  ::fchmod(descriptor_, (*mode_ & 0777u) | 0600u);  // another program may have to open it
  constexpr const char* kAccessList = "system.posix_acl_access";
  std::array<char, 4096> list{};
  const ssize_t bytes = ::getxattr(final_.c_str(), kAccessList, list.data(), list.size());
  if (bytes > 0) {
    ::fsetxattr(descriptor_, kAccessList, list.data(), static_cast<std::size_t>(bytes), 0);
  }
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : target_(std::move(other.target_)),
      final_(std::move(other.final_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      created_(std::exchange(other.created_, false)),
      listed_(std::exchange(other.listed_, false)),
      overwrite_(other.overwrite_),
      mode_(other.mode_),
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
  if (std::exchange(created_, false)) {
    ::unlink(temporary_.c_str());
  }
  if (std::exchange(listed_, false)) {
    unfinished::removePath(temporary_.native());
  }
}

void PendingFile::fail(const std::string& what, int error_number) {
  const bool had_temporary = created_;
  discard();
  throw Error(fmt::format("cannot {} {}: {} ({} of {} bytes were written{})", what, quoted(target_),
                          errorText(error_number), sent_, bytes_,
                          had_temporary ? "; the partial file was deleted" : ""));
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
    throw Error(fmt::format("cannot write {}: the file is closed", quoted(target_)));
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
  if (descriptor_ < 0 || !created_ || offset + bytes > bytes_) {
    throw Error(fmt::format("cannot rewrite part of {}", quoted(target_)));
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
  if (old_bytes > bytes_) {
    throw Error(fmt::format("cannot replace {} bytes of {} in {}", old_bytes, bytes_, quoted(target_)));
  }
  const std::uint64_t last = bytes_;
  if (bytes > old_bytes) {
    moveBack(old_bytes, bytes - old_bytes);
  } else if (bytes < old_bytes) {
    moveUp(old_bytes, old_bytes - bytes);
  }
  rewrite(0, data, bytes);
  if (last == bytes_) return;
  sent_ = bytes_;
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes_)) != 0 ||
      ::lseek(descriptor_, static_cast<off_t>(bytes_), SEEK_SET) < 0) {
    fail("change the length", errno);
  }
}

// Bytes as they were written, sent ones.
void PendingFile::readBack(std::uint64_t offset, std::byte* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t read = ::pread(descriptor_, to, bytes, static_cast<off_t>(offset));
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) fail("read back", read < 0 ? errno : EIO);
    to += read;
    offset += static_cast<std::uint64_t>(read);
    bytes -= static_cast<std::size_t>(read);
  }
}

// Moves the bytes from `from` on towards the front, by `gap`.
void PendingFile::moveUp(std::uint64_t from, std::uint64_t gap) {
  sendPending();
  std::vector<std::byte> part(kBufferBytes);
  while (from < bytes_) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), bytes_ - from));
    readBack(from, part.data(), now);
    rewrite(from - gap, part.data(), now);
    from += now;
  }
  bytes_ -= gap;
}

// Moves the bytes from `from` on towards the end, by `gap`; the last part first.
void PendingFile::moveBack(std::uint64_t from, std::uint64_t gap) {
  sendPending();
  std::vector<std::byte> part(kBufferBytes);
  std::uint64_t end = bytes_;
  bytes_ += gap;
  while (end > from) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), end - from));
    end -= now;
    readBack(end, part.data(), now);
    rewrite(end + gap, part.data(), now);
  }
}

void PendingFile::complete() {
  if (descriptor_ < 0) {
    throw Error(fmt::format("cannot complete {}: the file is closed", quoted(target_)));
  }
  sendPending();
  pending_ = {};
  if (created_) {
    // By its name: another program may have written it, and put a file of its own there.
    const int written = ::open(temporary_.c_str(), O_RDONLY | O_CLOEXEC);
    if (written < 0) {
      fail("complete", errno);
    }
    int result = mode_ && ::fchmod(written, *mode_) != 0 ? errno : 0;
    if (result == 0 && ::fsync(written) != 0 && !nothingToSync(errno)) {
      result = errno;
    }
    ::close(written);
    if (result != 0) {
      fail("write", result);
    }
  }
  // Network file systems report a full disk no earlier than here.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) {
    fail("write", errno);
  }
}

std::optional<Placement> PendingFile::placement() const {
  if (!created_) {
    return std::nullopt;
  }
  return Placement{temporary_.native(), final_.native(), overwrite_};
}

void PendingFile::placed() noexcept {
  created_ = false;
  if (std::exchange(listed_, false)) {
    unfinished::removePath(temporary_.native());
  }
}

void PendingFile::commit() {
  if (descriptor_ >= 0 || !created_) {
    complete();
  }
  if (const auto file = placement()) {
    try {
      placeAll({&*file, 1});
    } catch (...) {
      discard();
      throw;
    }
    placed();
  }
}

PendingFolder::PendingFolder(const std::filesystem::path& target) {
  const auto whole = absoluteName(target);
  const auto where = whole.parent_path();
  requireFolder(target, where);
  int error_number = EEXIST;
  for (int attempt = 0; attempt < kMostNames && error_number == EEXIST; ++attempt) {
    path_ = where / temporaryName(whole.filename().string());
    const unfinished::Guard guard;
    unfinished::addPath(path_.native());
    if (::mkdir(path_.c_str(), 0700) == 0) {
      ::chmod(path_.c_str(), 0700);  // whatever the umask
      return;
    }
    error_number = errno;
    unfinished::removePath(path_.native());
  }
  refuse(fmt::format("cannot write {}: cannot create a folder in {} ({}): choose another one", quoted(target),
                     quoted(where), errorText(error_number)),
         error_number);
}

PendingFolder::~PendingFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  unfinished::removePath(path_.native());
}

std::filesystem::path shownName(const std::filesystem::path& file) {
  std::error_code failed;
  auto whole = std::filesystem::absolute(file, failed);
  return failed ? file : whole;
}

std::string writeFailure(const std::filesystem::path& file) {
  constexpr std::size_t kTrialBytes = 1u << 20;  // more than an encoder's buffer
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (descriptor < 0) {
    return {};
  }
  const std::vector<std::byte> trial(kTrialBytes);
  int result = 0;
  for (std::size_t done = 0; done < trial.size() && result == 0;) {
    const ssize_t written = ::write(descriptor, trial.data() + done, trial.size() - done);
    if (written >= 0) {
      done += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      result = errno;
    }
  }
  if (result == 0 && ::fsync(descriptor) != 0 && !nothingToSync(errno)) {
    result = errno;
  }
  ::close(descriptor);
  return result == 0 ? std::string() : errorText(result);
}

void requireRegular(const std::filesystem::path& target, const std::string& what) {
  struct stat status {};
  if (::stat(target.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    throw UsageError(fmt::format("{} is not a regular file, and {} can only be written to one: choose another name",
                                 quoted(target), what));
  }
}

void writeText(const std::filesystem::path& target, const std::string& text, bool overwrite) {
  PendingFile file(target, overwrite);
  file.write(text.data(), text.size());
  file.commit();
}

}  // namespace simscope::exporting
