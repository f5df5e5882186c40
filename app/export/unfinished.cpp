#include "app/export/unfinished.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

namespace simscope::exporting::unfinished {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTimeout = std::chrono::milliseconds(500);  // for guards to end, and for killed programs

struct Registry {
  std::mutex mutex;
  std::condition_variable no_guards;
  std::set<std::string> paths;
  std::set<pid_t> programs;
  int guards = 0;
  std::atomic<bool> closed = false;
  std::atomic<long> placed = 0;
};

// Never destroyed: other threads may outlive the end of main().
Registry& registry() {
  static auto* const all = new Registry;
  return *all;
}

// A child that has ended but was not waited for counts as dead.
bool dead(pid_t program) {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(program), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

}  // namespace

Guard::Guard() {
  Registry& all = registry();
  std::unique_lock lock(all.mutex);
  all.no_guards.wait(lock, [&] { return !all.closed; });
  ++all.guards;
}

Guard::~Guard() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  --all.guards;
  all.no_guards.notify_all();
}

void addPath(const std::string& path) {
  const std::lock_guard lock(registry().mutex);
  registry().paths.insert(path);
}

bool removePath(const std::string& path) noexcept {
  const std::lock_guard lock(registry().mutex);
  return registry().paths.erase(path) > 0;
}

void addProgram(pid_t group) {
  const std::lock_guard lock(registry().mutex);
  registry().programs.insert(group);
}

void removeProgram(pid_t group) noexcept {
  const std::lock_guard lock(registry().mutex);
  registry().programs.erase(group);
}

void countPlaced() noexcept {
  ++registry().placed;
}

long placed() noexcept {
  return registry().placed;
}

void abandonAll() noexcept {
  Registry& all = registry();
  std::unique_lock lock(all.mutex);
  all.closed = true;
  all.no_guards.wait_for(lock, kTimeout, [&] { return all.guards == 0; });
  // The programs first: one that still runs could make its file again.
  for (const pid_t each : all.programs) ::kill(-each, SIGKILL);
  const auto end = Clock::now() + kTimeout;
  for (const pid_t each : all.programs) {
    while (!dead(each) && Clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  for (const std::string& each : all.paths) {
    if (::unlink(each.c_str()) == 0) continue;
    std::error_code ignored;
    std::filesystem::remove_all(each, ignored);
  }
}

// A fault within addPath itself could leave the list in pieces; there is nothing better to read then.
void removeAfterFault() noexcept {
  registry().closed = true;  // other threads go on for a while, and must begin no file
  for (const pid_t each : registry().programs) ::kill(-each, SIGKILL);
  for (const std::string& each : registry().paths) {
    if (::unlink(each.c_str()) == 0 || ::rmdir(each.c_str()) == 0) continue;
    // A folder with pictures: reading it here would need memory. Under another name no thread adds to it.
    std::array<char, 4096> gone{};
    if (each.size() + 2 > gone.size()) continue;
    std::copy(each.begin(), each.end(), gone.begin());
    gone[each.size()] = '~';
    if (::rename(each.c_str(), gone.data()) != 0) continue;
    const pid_t child = ::_Fork();
    if (child == 0) {
      ::execl("/bin/rm", "rm", "-rf", "--", gone.data(), nullptr);
      ::_exit(1);
    }
    if (child > 0) ::waitpid(child, nullptr, 0);
  }
}

}  // namespace simscope::exporting::unfinished
