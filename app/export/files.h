// Files that are whole or not there: written under a temporary name beside the target and renamed when complete.
//
// Owner: a PendingFile owns its temporary file until commit(); destroyed before, it removes it. Thread: one at a time;
// removePendingFiles() is for the handler of fatal signals (async-signal-safe).
// Character devices and FIFOs (/dev/null, /dev/stdout) are written directly; a link is followed, and stays a link.
// Errors: UsageError where the target cannot be written at all (no such folder, a folder itself, exists and not
// `overwrite`; nothing is created), Error where writing fails later (disk full; the message says how many bytes fit,
// and the temporary file is gone).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace simscope::exporting {

class PendingFile {
 public:
  PendingFile(std::filesystem::path target, bool overwrite);
  ~PendingFile();
  PendingFile(PendingFile&& other) noexcept;
  PendingFile& operator=(PendingFile&&) = delete;

  void write(const void* data, std::size_t bytes);
  std::uint64_t bytes() const noexcept { return bytes_; }  // handed to write() so far
  // Puts other bytes in the place of some that were written; not where the target is written directly.
  void rewrite(std::uint64_t offset, const void* data, std::size_t bytes);
  // Puts at most as many bytes in the place of the first `old_bytes`; what follows moves up.
  void replaceFront(std::uint64_t old_bytes, const void* data, std::size_t bytes);
  void commit();  // flush, close, rename
  const std::filesystem::path& target() const noexcept { return target_; }
  // For another program to write instead of write(), between construction and commit(); empty where the target is
  // written directly.
  const std::filesystem::path& temporary() const noexcept { return temporary_; }

 private:
  void createTemporary(const std::filesystem::path& final_path);
  void send(const std::byte* data, std::size_t bytes);
  void sendPending();
  [[noreturn]] void fail(const std::string& what, int error_number);
  void discard() noexcept;

  std::filesystem::path target_, final_, temporary_;  // as given; links resolved; empty: written without a temporary
  int descriptor_ = -1;
  int slot_ = -1;  // in the table that the signal handler reads
  bool overwrite_ = false;
  std::uint64_t bytes_ = 0, sent_ = 0;
  std::vector<std::byte> pending_;
};

// Unlinks the temporary files of this process. Async-signal-safe.
void removePendingFiles() noexcept;

// RGB, top row first. `scene` goes into the text chunk "simscope" (empty: none).
void writePng(const std::filesystem::path& target, int width, int height, std::span<const std::uint8_t> rgb,
              const std::string& scene, bool overwrite);
// A NumPy array file, version 1.0, C order. `dtype` as NumPy writes it ("<c8"). Source: numpy.lib.format.
void writeNpy(const std::filesystem::path& target, const std::string& dtype, std::span<const std::size_t> shape,
              std::span<const std::byte> data, bool overwrite);
// A text file (reports, scenes, CSV).
void writeText(const std::filesystem::path& target, const std::string& text, bool overwrite);

}  // namespace simscope::exporting
