// Programs beside simscope, folders, and variables.
#include <fcntl.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "app/doctor/lines.h"
#include "app/export/child_process.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

extern char** environ;

namespace simscope::doctor {
namespace {

namespace fs = std::filesystem;

// The whole output of a program; `failed`: why there is none.
std::string saidBy(const fs::path& program, const std::vector<std::string>& arguments, std::string& failed) {
  try {
    exporting::ChildProcess child(program, arguments);
    child.closeInput();
    failed = child.wait();
    return child.output();
  } catch (const std::exception& error) {
    failed = error.what();
    return {};
  }
}

std::string firstLine(const std::string& text) {
  constexpr std::size_t kMost = 100;
  return foreign::shown(text.substr(0, text.find('\n')), kMost);
}

// The home folder is shown as ~, for privacy.
std::string shownFolder(const fs::path& folder) {
  const char* const home = std::getenv("HOME");
  const std::string name = folder.string(), prefix = home ? home : "";
  const bool within =
      prefix.size() > 1 && name.rfind(prefix, 0) == 0 && (name.size() == prefix.size() || name[prefix.size()] == '/');
  return foreign::shownFile(within ? "~" + name.substr(prefix.size()) : name);
}

// Empty: a file can be made there. Else why not.
std::string whyNotWritable(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return failed.message();
  std::string name = (folder / ".simscope-XXXXXX").string();
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) return std::strerror(errno);
  const bool written = ::write(descriptor, "simscope", 8) == 8;
  const int error = errno;
  ::close(descriptor);
  ::unlink(name.c_str());
  return written ? "" : std::strerror(error);
}

}  // namespace

Line ffmpegLine() {
  Line line{"ffmpeg", "ffmpeg", Health::Ok, ""};
  const auto program = exporting::findProgram("ffmpeg");
  if (!program) {
    return {line.key, line.title, Health::Missing, "not found on the PATH",
            "for videos (MP4, WebM, WebP, MKV): install ffmpeg; GIF, APNG and PNG work without it"};
  }
  std::string failed;
  const std::string version = saidBy(*program, {"-hide_banner", "-version"}, failed);
  const std::string encoders =
      failed.empty() ? saidBy(*program, {"-hide_banner", "-loglevel", "error", "-encoders"}, failed) : "";
  if (!failed.empty()) {
    return {line.key, line.title, Health::Wrong, "it " + foreign::harmless(failed),
            "install Debian's ffmpeg, or check which ffmpeg comes first on the PATH"};
  }
  std::istringstream stream(encoders);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  const auto has = [&](const char* name) { return std::find(words.begin(), words.end(), name) != words.end(); };
  std::string lacking;
  for (const auto& [name, video] : {std::pair{"libvpx-vp9", "WebM"}, {"libwebp_anim", "WebP"}, {"ffv1", "MKV"}}) {
    if (!has(name)) lacking += fmt::format("{}{} ({})", lacking.empty() ? "" : ", ", name, video);
  }
  if (!has("libx264") && !has("libopenh264")) lacking += std::string(lacking.empty() ? "" : ", ") + "libx264 (MP4)";
  line.found = firstLine(version);
  if (!lacking.empty()) {
    line.health = Health::Missing;
    line.found += ", without " + lacking;
    line.cure = "install an ffmpeg with these encoders; Debian's has them";
  }
  return line;
}

Line mpiLine() {
  const auto program = exporting::findProgram("mpirun");
  if (!program) {
    return {"mpi", "MPI", Health::Missing, "no mpirun on the PATH",
            "only runs on several machines need it; on Debian install openmpi-bin"};
  }
  std::string failed;
  const std::string version = saidBy(*program, {"--version"}, failed);
  if (failed.empty()) return {"mpi", "MPI", Health::Ok, firstLine(version)};
  return {"mpi", "MPI", Health::Wrong, "mpirun " + foreign::harmless(failed), "install openmpi-bin or mpich"};
}

Line folderLine(const std::string& key, const std::string& title, const fs::path& folder, const std::string& cure,
                std::uint64_t least_free) {
  Line line{key, title, Health::Ok, ""};
  if (folder.empty()) return {key, title, Health::Wrong, "it does not exist and cannot be made", cure};
  if (const std::string why = whyNotWritable(folder); !why.empty()) {
    return {key, title, Health::Wrong, fmt::format("{} cannot be written: {}", shownFolder(folder), why), cure};
  }
  struct statvfs space {};
  const bool known = ::statvfs(folder.c_str(), &space) == 0;
  const std::uint64_t free = std::uint64_t{space.f_bavail} * space.f_frsize;
  line.found = shownFolder(folder) + (known ? fmt::format(", {} free", bytesText(static_cast<double>(free))) : "");
  if (known && free < least_free) {
    line.health = Health::Wrong;
    line.cure = fmt::format("free some space: less than {} is free", bytesText(static_cast<double>(least_free)));
  }
  return line;
}

Line variablesLine() {
  constexpr const char* kOthers[] = {"CUDA_VISIBLE_DEVICES", "DISPLAY", "WAYLAND_DISPLAY", "LIBGL_ALWAYS_SOFTWARE"};
  std::vector<std::string> set;
  Line line{"variables", "Variables", Health::Ok, ""};
  for (char** each = environ; each && *each; ++each) {
    const std::string entry = *each;
    const std::string name = entry.substr(0, entry.find('='));
    const bool told =
        name.rfind("SIMSCOPE_", 0) == 0 || std::find(std::begin(kOthers), std::end(kOthers), name) != std::end(kOthers);
    if (!told) continue;
    // A folder's name may begin with the home folder's.
    const std::string value = entry.substr(std::min(name.size() + 1, entry.size()));
    set.push_back(foreign::shown(name) + "=" + (value.starts_with('/') ? shownFolder(value) : foreign::shown(value)));
    if (name == "SIMSCOPE_FAULT" && !value.empty()) {
      line.health = Health::Wrong;
      line.cure = "unset SIMSCOPE_FAULT: it causes failures, for tests";
    }
  }
  std::sort(set.begin(), set.end());
  for (const std::string& each : set) line.found += (line.found.empty() ? "" : ", ") + each;
  if (set.empty()) line.found = "no relevant variable is set";
  return line;
}

}  // namespace simscope::doctor
