#include "app/cli/process/tasks.h"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <string_view>

#include "app/cli/output.h"
#include "sims/compute/error.h"
#include "sims/compute/ranks/launch.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

// Whether a part of the name is this number: out-03.csv has 3, out-13.csv has not.
bool hasNumber(std::string_view name, int number) {
  const std::string wanted = std::to_string(number);
  const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(name[i])) != 0; };
  for (std::size_t i = 0; i < name.size();) {
    if (!digit(i)) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < name.size() && digit(end)) ++end;
    while (i + 1 < end && name[i] == '0') ++i;
    if (name.substr(i, end - i) == wanted) return true;
    i = end;
  }
  return false;
}

}  // namespace

void noteTasks() {
  const compute::Launch found = compute::launch();
  if (found.tasks < 2 || found.task != 0) return;
  note(fmt::format(
      "simscope: note: srun has started {} copies, and each makes the whole command by itself. To share one "
      "run among them, start them with srun --mpi=pmix (Debian: with the package libpmix-dev); otherwise "
      "give each copy files of its own\n",
      found.tasks));
}

void requireOwnFiles(std::vector<std::string> files, const std::vector<Text>& more, bool force) {
  const compute::Launch found = compute::launch();
  if (found.tasks < 2 || !force) return;
  for (const Text& each : more) {
    if (each && *each != "-") files.push_back(*each);
  }
  for (const std::string& each : files) {
    std::error_code failed;
    const std::filesystem::file_status status = std::filesystem::status(each, failed);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) continue;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(each, failed);
    const std::filesystem::path name = failed ? std::filesystem::path(each) : whole;
    if (hasNumber(name.stem().string(), found.task)) continue;
    if (hasNumber(name.parent_path().filename().string(), found.task)) continue;
    throw UsageError(fmt::format(
        "srun has started {} copies that cannot find each other, and with --force each would replace the same {}. To "
        "share one run among them, start them with srun --mpi=pmix (Debian: with the package libpmix-dev). For runs of "
        "their own, put the copy's number in the name or its folder ($SLURM_PROCID, here {}), or leave out --force",
        found.tasks, foreign::quotedFile(each), found.task));
  }
}

}  // namespace simscope::cli
