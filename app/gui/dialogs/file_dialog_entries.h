// What the file dialog lists and completes. Plain functions; any thread; nothing throws.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::gui {

struct FileEntry {
  std::string name;
  bool folder = false;
  bool operator==(const FileEntry&) const = default;
};

// Folders first, then the files with one of the endings (".json", in any case), by name without regard to case; hidden
// ones are left out, and what comes after the first `most`. A folder that cannot be read is empty, and `error` says
// why.
std::vector<FileEntry> listFolder(const std::filesystem::path& folder, std::span<const std::string_view> endings,
                                  std::string& error, std::size_t most = 4096);

// The path that is meant by what was typed: absolute, in `folder`, or in the home folder ("~/scene.json").
std::filesystem::path pathMeant(const std::string& typed, const std::filesystem::path& folder);

// What was typed, as long as it can only go on in one way: up to where the names that begin so differ. A single folder
// ends with a slash.
std::string completed(const std::string& typed, const std::filesystem::path& folder,
                      std::span<const std::string_view> endings);

}  // namespace simscope::gui
