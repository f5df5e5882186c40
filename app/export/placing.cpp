#include "app/export/placing.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "app/export/unfinished.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

enum class How { New, Exchanged, Aside };  // Exchanged: the old file has the temporary name; Aside: kOld behind it

constexpr const char* kOld = ".old";

// Not every file system knows the flags of renameat2.
bool unknown(int error_number) {
  return error_number == EINVAL || error_number == ENOSYS || error_number == ENOTSUP;
}

int renamed(const std::string& from, const std::string& to, unsigned flags) {
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0 ? 0 : errno;
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// 0, or an errno.
int placeNew(const Placement& file) {
  const int result = renamed(file.temporary, file.target, RENAME_NOREPLACE);
  if (!unknown(result)) return result;
  return exists(file.target) ? EEXIST : renamed(file.temporary, file.target, 0);
}

int placeOver(const Placement& file, How& how) {
  struct stat status {};
  if (::lstat(file.target.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return EISDIR;  // it would be exchanged
  how = How::Exchanged;
  int result = renamed(file.temporary, file.target, RENAME_EXCHANGE);
  if (result == ENOENT && exists(file.temporary)) {
    how = How::New;
    return placeNew(file);
  }
  if (!unknown(result)) return result;
  how = How::Aside;
  if (!exists(file.target)) {
    how = How::New;
    return renamed(file.temporary, file.target, 0);
  }
  const std::string old = file.temporary + kOld;
  result = renamed(file.target, old, 0);
  if (result != 0) return result;
  result = renamed(file.temporary, file.target, 0);
  if (result != 0) renamed(old, file.target, 0);
  return result;
}

// Returns whether the old state is there again.
bool undo(const Placement& file, How how) {
  if (how == How::New) return renamed(file.target, file.temporary, 0) == 0;
  if (how == How::Exchanged) {
    if (renamed(file.temporary, file.target, RENAME_EXCHANGE) == 0) return true;
    renamed(file.temporary, file.temporary + kOld, 0);  // out of the way of who removes what was begun
    return false;
  }
  return renamed(file.target, file.temporary, 0) == 0 && renamed(file.temporary + kOld, file.target, 0) == 0;
}

void syncFolder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;  // it may be written, not read
  const int result = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  // Some file systems have nothing to sync for a folder.
  if (result == 0 || unknown(result) || result == EROFS || result == EBADF) return;
  throw Error(fmt::format("cannot sync the folder '{}': {}; files written there may be lost in a power failure", folder,
                          std::generic_category().message(result)));
}

void syncFolders(std::span<const Placement> files) {
  std::set<std::string> folders;
  for (const Placement& each : files) folders.insert(std::filesystem::path(each.target).parent_path().string());
  for (const std::string& each : folders) syncFolder(each.empty() ? "." : each);
}

[[noreturn]] void fail(const Placement& file, int error_number, bool restored) {
  throw Error(fmt::format("cannot rename the finished file to '{}': {} (the new files were deleted{})", file.target,
                          std::generic_category().message(error_number),
                          restored ? "" : "; some of the old files could not be restored"));
}

// Several at once.
void placeTogether(std::span<const Placement> files) {
  // From here on the temporary names may lead to old files, which no signal may remove.
  std::set<std::string> known;
  const auto forget = [&](const std::string& path) {
    if (unfinished::removePath(path)) known.insert(path);
  };
  std::vector<How> done;
  done.reserve(files.size());
  for (const Placement& each : files) {
    forget(each.temporary);
    forget(std::filesystem::path(each.temporary).parent_path().string());
    How how = How::New;
    const int result = each.overwrite ? placeOver(each, how) : placeNew(each);
    if (result == 0) {
      done.push_back(how);
      continue;
    }
    bool restored = true;
    for (std::size_t i = done.size(); i-- > 0;) restored = undo(files[i], done[i]) && restored;
    if (restored) {
      for (const std::string& path : known) unfinished::addPath(path);
    }
    fail(each, result, restored);
  }
  syncFolders(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (done[i] == How::Exchanged) ::unlink(files[i].temporary.c_str());
    if (done[i] == How::Aside) ::unlink((files[i].temporary + kOld).c_str());
  }
}

void placeOne(const Placement& file) {
  const int result = file.overwrite ? renamed(file.temporary, file.target, 0) : placeNew(file);
  if (result != 0) fail(file, result, true);
  unfinished::removePath(file.temporary);
  syncFolders({&file, 1});
}

}  // namespace

void placeAll(std::span<const Placement> files) {
  if (files.empty()) return;
  const unfinished::Guard guard;
  if (files.size() == 1) {
    placeOne(files.front());
  } else {
    placeTogether(files);
  }
  unfinished::countPlaced();
}

}  // namespace simscope::exporting
