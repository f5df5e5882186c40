#include "app/session/stored/autosave.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/export/files.h"
#include "app/export/unfinished.h"
#include "sims/live/live.h"

namespace simscope {

namespace {

constexpr std::string_view kPrefix = "autosave-", kEarlier = "earlier_session-", kLast = "last_session.json";
constexpr int kMostNames = 100;  // for one process number: containers may share the folder

// A descriptor that holds the lock; nothing where another holds it, or the file cannot be opened.
std::optional<int> locked(const std::filesystem::path& file, int flags) {
  const int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC | flags, 0600);
  if (descriptor < 0) return std::nullopt;
  if (flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  close(descriptor);
  return std::nullopt;
}

std::filesystem::path sceneOf(std::filesystem::path lock) {
  return lock.replace_extension(".json");
}

// The former last session becomes an earlier one, unless it is the same. False where the folder cannot be written.
bool becomesLast(const std::filesystem::path& folder, const std::filesystem::path& scene) {
  const std::filesystem::path last = folder / kLast;
  std::error_code failed;
  const auto text = [](const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  if (std::filesystem::is_regular_file(last, failed) && text(last) != text(scene)) {
    for (int i = 0; i < kMostNames; ++i) {
      const std::filesystem::path earlier = folder / fmt::format("{}{}-{}.json", kEarlier, getpid(), i);
      if (std::filesystem::exists(earlier, failed)) continue;
      std::filesystem::rename(last, earlier, failed);
      break;
    }
  }
  std::filesystem::rename(scene, last, failed);
  return !failed;
}

}  // namespace

Autosave::Autosave(const std::filesystem::path& folder) : folder_(folder) {
  if (folder_.empty()) return;
  collect();
  std::error_code unreadable;
  findEarlier();
  const std::filesystem::path last = folder_ / kLast;
  if (std::filesystem::is_regular_file(last, unreadable)) last_session_ = last;
  takeLock();
}

Autosave::~Autosave() {
  if (descriptor_ < 0) return;
  exporting::unfinished::removePath(lock_.native());
  std::error_code failed;
  if (std::filesystem::exists(file_, failed)) becomesLast(folder_, file_);
  std::filesystem::remove(lock_, failed);
  close(descriptor_);
}

void Autosave::collect() {
  std::error_code failed;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> left;
  std::vector<std::pair<std::filesystem::path, int>> locks;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failed)) {
    const std::filesystem::path& lock = entry.path();
    if (!lock.filename().string().starts_with(kPrefix) || lock.extension() != ".lock") continue;
    const std::optional<int> held = locked(lock, 0);
    if (!held) continue;
    locks.emplace_back(lock, *held);
    std::error_code missing;
    const auto written = std::filesystem::last_write_time(sceneOf(lock), missing);
    if (!missing) left.emplace_back(written, sceneOf(lock));
  }
  std::sort(left.begin(), left.end());
  for (const auto& [written, scene] : left) crashed_ = becomesLast(folder_, scene) || crashed_;
  for (const auto& [lock, held] : locks) {
    std::filesystem::remove(lock, failed);
    close(held);
  }
}

void Autosave::findEarlier() {
  std::error_code failed;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder_, failed)) {
    if (entry.path().filename().string().starts_with(kEarlier)) {
      found.emplace_back(std::filesystem::last_write_time(entry.path(), failed), entry.path());
    }
  }
  std::sort(found.rbegin(), found.rend());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i < kMostEarlier) {
      earlier_.push_back(found[i].second);
    } else {
      std::filesystem::remove(found[i].second, failed);
    }
  }
}

void Autosave::takeLock() {
  const auto process = static_cast<long long>(getpid());
  for (int i = 0; i < kMostNames && descriptor_ < 0; ++i) {
    lock_ = folder_ / fmt::format("{}{}{}.lock", kPrefix, process, i == 0 ? "" : fmt::format("-{}", i));
    // Until there is a scene that the next window could restore, a process that ends at once takes the lock with it.
    const exporting::unfinished::Guard guard;
    exporting::unfinished::addPath(lock_.native());
    descriptor_ = locked(lock_, O_CREAT).value_or(-1);
    if (descriptor_ < 0) exporting::unfinished::removePath(lock_.native());
  }
  file_ = sceneOf(lock_);
}

// The first scene is what the window opened with: only what comes after it is worth keeping.
void Autosave::write(const Scene& scene) {
  if (descriptor_ < 0 || live::isLive(*scene.description)) return;
  try {
    std::string text = toJson(scene);
    if (!kept_.empty() && text != kept_) {
      exporting::unfinished::removePath(lock_.native());
      exporting::writeText(file_, text, true);
    }
    kept_ = std::move(text);
  } catch (const std::exception&) {
    // The disk is full; the next call tries again.
  }
}

void Autosave::keep(const Scene& scene, std::uint64_t state, double now) {
  const bool first = kept_.empty();
  if (!first && (state == kept_state_ || now - kept_at_ < kInterval)) return;
  if (!first) kept_at_ = now;
  kept_state_ = state;
  write(scene);
}

void Autosave::keepAtEnd(const Scene& scene) {
  write(scene);
}

}  // namespace simscope
