#include "app/gui/dialogs/file_dialog_entries.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <system_error>

namespace simscope::gui {

namespace {

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::vector<FileEntry> listFolder(const std::filesystem::path& folder, std::span<const std::string_view> endings,
                                  std::string& error, std::size_t most) {
  error.clear();
  std::vector<FileEntry> entries;
  std::error_code failed;
  std::filesystem::directory_iterator each(folder, failed);
  for (; !failed && each != std::filesystem::directory_iterator(); each.increment(failed)) {
    const std::string name = each->path().filename().string();
    std::error_code unknown;
    const bool is_folder = each->is_directory(unknown);
    const std::string ending = lowered(each->path().extension().string());
    const bool fits = is_folder || std::find(endings.begin(), endings.end(), ending) != endings.end();
    if (fits && !name.starts_with('.')) entries.push_back({name, is_folder});
  }
  if (failed) error = folder.string() + ": " + failed.message();
  std::sort(entries.begin(), entries.end(), [](const FileEntry& a, const FileEntry& b) {
    if (a.folder != b.folder) return a.folder;
    const std::string first = lowered(a.name), second = lowered(b.name);
    return first != second ? first < second : a.name < b.name;
  });
  if (entries.size() > most) entries.resize(most);
  return entries;
}

std::filesystem::path pathMeant(const std::string& typed, const std::filesystem::path& folder) {
  const char* home = std::getenv("HOME");
  if (home && (typed == "~" || typed.starts_with("~/"))) {
    return std::filesystem::path(home) / std::filesystem::path(typed.substr(std::min<std::size_t>(2, typed.size())));
  }
  return (folder / typed).lexically_normal();
}

std::string completed(const std::string& typed, const std::filesystem::path& folder,
                      std::span<const std::string_view> endings) {
  const std::size_t slash = typed.rfind('/');
  const std::string parent = slash == std::string::npos ? std::string() : typed.substr(0, slash + 1);
  const std::string begun = typed.substr(parent.size());
  std::string error;
  std::vector<FileEntry> fits = listFolder(parent.empty() ? folder : pathMeant(parent, folder), endings, error);
  std::erase_if(fits, [&](const FileEntry& entry) { return !entry.name.starts_with(begun); });
  if (fits.empty()) return typed;
  std::string common = fits.front().name;
  for (const FileEntry& entry : fits) {
    const auto differs = std::mismatch(common.begin(), common.end(), entry.name.begin(), entry.name.end());
    common.erase(differs.first, common.end());
  }
  return parent + common + (fits.size() == 1 && fits.front().folder ? "/" : "");
}

}  // namespace simscope::gui
