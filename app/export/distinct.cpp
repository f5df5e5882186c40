#include "app/export/distinct.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::exporting {
namespace {

namespace fs = std::filesystem;
using Place = std::tuple<dev_t, ino_t, std::string>;  // a folder, and a name in it

// Where the file is, or will be, once links are followed as PendingFile follows them.
Place placeOf(const fs::path& file) {
  std::error_code failed;
  fs::path whole = fs::canonical(file, failed);
  if (failed) whole = fs::absolute(file, failed).lexically_normal();
  if (failed) whole = file.lexically_normal();
  struct stat folder {};
  if (::stat(whole.parent_path().c_str(), &folder) != 0) return {0, 0, whole.string()};
  return {folder.st_dev, folder.st_ino, whole.filename().string()};
}

bool isDevice(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISCHR(status.st_mode);
}

}  // namespace

void requireDistinct(const std::vector<NamedFile>& files) {
  std::map<Place, std::string> options;
  for (const NamedFile& each : files) {
    if (isDevice(each.file)) continue;
    const auto [former, fresh] = options.emplace(placeOf(each.file), each.option);
    if (fresh) continue;
    if (former->second == each.option) {
      throw UsageError(
          fmt::format("{} would be written twice; give each file its own name", foreign::quotedFile(each.file)));
    }
    throw UsageError(fmt::format("{} and {} name the same file {}; give each its own", former->second, each.option,
                                 foreign::quotedFile(each.file)));
  }
}

}  // namespace simscope::exporting
