// The entries and completions of the file dialog. Plain functions; any thread; nothing throws.
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

// Folders first, then the files with one of the endings (".json", in any case), by name without regard to case. Hidden
// files, and entries beyond the first `most`, are left out. For a folder that cannot be read the list is empty, and
// `error` has the reason.
std::vector<FileEntry> listFolder(const std::filesystem::path& folder, std::span<const std::string_view> endings,
                                  std::string& error, std::size_t most = 4096);

// The path for the typed text: absolute, in `folder`, or in the home folder ("~/scene.json").
std::filesystem::path pathMeant(const std::string& typed, const std::filesystem::path& folder);

// The typed text, extended as far as all matching names agree. A single matching folder ends with a slash.
std::string completed(const std::string& typed, const std::filesystem::path& folder,
                      std::span<const std::string_view> endings);

}  // namespace simscope::gui
