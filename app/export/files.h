// Files that are whole or not there: written under a temporary name beside the target, synced, and renamed when
// complete: one alone (commit), or several together (complete each, placeAll, then placed each; see placing.h).
//
// Owner: a PendingFile owns its temporary file until it is placed; destroyed before, it removes it. Thread: one at a
// time. A file that replaces another has its permissions and its owner.
// Character devices and FIFOs (/dev/null, /dev/stdout) are written directly; a link is followed, and stays a link.
// Errors: UsageError where the target cannot be written at all (no such folder, a folder itself, exists and not
// `overwrite`; nothing is created), Error where writing fails later (disk full; the message says how many bytes fit,
// and the temporary file is removed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/export/placing.h"

namespace simscope::exporting {

// A hidden folder for files that shall get their names later, all of them together. Owner: removes the folder with what
// is still in it. Errors: as PendingFile, for the folder of `target`.
class PendingFolder {
 public:
  explicit PendingFolder(const std::filesystem::path& target);
  ~PendingFolder();
  PendingFolder(const PendingFolder&) = delete;
  PendingFolder& operator=(const PendingFolder&) = delete;
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

class PendingFile {
 public:
  // Written in `folder` rather than beside the target, if there is one, which must live as long.
  PendingFile(std::filesystem::path target, bool overwrite, const PendingFolder* folder = nullptr);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  void write(const void* data, std::size_t bytes);
  std::uint64_t bytes() const noexcept { return bytes_; }  // handed to write() so far
  // Replaces bytes that were written; not where the target is written directly.
  void rewrite(std::uint64_t offset, const void* data, std::size_t bytes);
  // Replaces the first `old_bytes` by any other number; what follows moves.
  void replaceFront(std::uint64_t old_bytes, const void* data, std::size_t bytes);
  void complete();                             // flush, sync, close: nothing more can be written
  std::optional<Placement> placement() const;  // of a complete file; none: there is nothing to rename
  void placed() noexcept;                      // placeAll() has renamed it, or its folder owns it from here on
  void commit();                               // all three
  void discard() noexcept;                     // removes the temporary file
  const std::filesystem::path& target() const noexcept { return target_; }
  // For another program to write instead of write(), between construction and commit(); empty where the target is
  // written directly.
  const std::filesystem::path& temporary() const noexcept { return temporary_; }

 private:
  void createTemporary(const PendingFolder* folder);
  void copyAttributes();
  void readBack(std::uint64_t offset, std::byte* to, std::size_t bytes);
  void moveUp(std::uint64_t from, std::uint64_t gap);
  void moveBack(std::uint64_t from, std::uint64_t gap);
  void send(const std::byte* data, std::size_t bytes);
  void sendPending();
  [[noreturn]] void fail(const std::string& what, int error_number);

  std::filesystem::path target_, final_, temporary_;  // as given; links resolved; empty: written without a temporary
  int descriptor_ = -1;
  bool created_ = false;  // the temporary file is there, and ours
  bool listed_ = false;   // among what is unfinished
  bool overwrite_ = false;
  std::optional<unsigned> mode_;  // of the file that is replaced
  std::uint64_t bytes_ = 0, sent_ = 0;
  std::vector<std::byte> pending_;
};

// Why a file that another program writes cannot grow, found by trying: "No space left on device". Empty: it can. The
// trial spoils the file.
std::string writeFailure(const std::filesystem::path& file);

// The absolute path, for messages and lists; as given where the working directory no longer exists.
std::filesystem::path shownName(const std::filesystem::path& file);

// UsageError where `target` is there and is no regular file, to which `what` ("a snapshot") cannot be written. Opens
// nothing.
void requireRegular(const std::filesystem::path& target, const std::string& what);

// A text file (reports, scenes, CSV).
void writeText(const std::filesystem::path& target, const std::string& text, bool overwrite);

}  // namespace simscope::exporting
