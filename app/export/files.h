// Files that are either complete or absent: written under a temporary name beside the target, synced, and renamed when
// complete: one file alone (commit), or several together (complete each, placeAll, then placed each; see placing.h).
//
// Owner: a PendingFile owns its temporary file until it is placed; destroyed before, it removes it. Thread: one at a
// time. A file that replaces another gets its permissions and its owner.
// Character devices and FIFOs (/dev/null, /dev/stdout) are written directly; a link is followed, and stays a link.
// Errors: UsageError if the target cannot be written at all (no such folder, the target is a folder, it exists and not
// `overwrite`; nothing is created), Error if writing fails later (disk full; the message has the number of bytes
// written, and the temporary file is removed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/export/placing.h"

namespace simscope::exporting {

// A hidden folder for files that get their names later, all together. Owner: removes the folder with the files still in
// it. Errors: as PendingFile, for the folder of `target`.
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
  // Written in `folder` instead of beside the target, if there is one; the folder must outlive the file.
  PendingFile(std::filesystem::path target, bool overwrite, const PendingFolder* folder = nullptr);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  void write(const void* data, std::size_t bytes);
  std::uint64_t bytes() const noexcept { return bytes_; }  // passed to write() so far
  // Replaces bytes already written; not allowed if the target is written directly.
  void rewrite(std::uint64_t offset, const void* data, std::size_t bytes);
  // Replaces the first `old_bytes` by `bytes`, which may differ in number; the rest moves.
  void replaceFront(std::uint64_t old_bytes, const void* data, std::size_t bytes);
  void complete();                             // flush, sync, close: nothing more can be written
  std::optional<Placement> placement() const;  // of a complete file; none: no rename is needed
  void placed() noexcept;                      // placeAll() has renamed it, or its folder owns it from now on
  void commit();                               // the three steps together
  void discard() noexcept;                     // removes the temporary file
  const std::filesystem::path& target() const noexcept { return target_; }
  // For another program that writes the file, between construction and commit(); empty if the target is written
  // directly.
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

  std::filesystem::path target_, final_, temporary_;  // as given; links resolved; empty: written directly
  int descriptor_ = -1;
  bool created_ = false;  // the temporary file exists and is ours
  bool listed_ = false;   // in the list of unfinished files
  bool overwrite_ = false;
  std::optional<unsigned> mode_;  // of the replaced file
  std::uint64_t bytes_ = 0, sent_ = 0;
  std::vector<std::byte> pending_;
};

// The reason why a file written by another program cannot grow, found by a trial write: "No space left on device".
// Empty: it can. The trial destroys the file's content.
std::string writeFailure(const std::filesystem::path& file);

// The absolute path, for messages and lists; as given if the working directory no longer exists.
std::filesystem::path shownName(const std::filesystem::path& file);

// UsageError if `target` exists and is not a regular file, so that `what` ("a snapshot") cannot be written to it. Opens
// nothing.
void requireRegular(const std::filesystem::path& target, const std::string& what);

// A text file (reports, scenes, CSV).
void writeText(const std::filesystem::path& target, const std::string& text, bool overwrite);

}  // namespace simscope::exporting
