// The scenes used last, newest first, kept in a small JSON file (recent.json: a list of paths).
//
// Owner: whoever offers them. Thread: one at a time. Two windows share the file: add() reads it again before it writes.
// Errors: none. If the file is missing, damaged, or not writable, the list lasts as long as the program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "app/session/stored/stored_json.h"

namespace simscope {

class Recent {
 public:
  static constexpr std::size_t kMost = 10;

  // Empty folder: nothing is stored.
  explicit Recent(const std::filesystem::path& folder);

  void add(const std::filesystem::path& file);  // absolute
  void clear();
  const std::vector<std::filesystem::path>& files() const noexcept { return files_; }

 private:
  void read();
  void write() const;

  stored::Document file_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace simscope
