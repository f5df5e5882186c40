#include "sims/compute/host_info.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <thread>

namespace simscope::compute {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

std::optional<std::string> firstWord(const fs::path& file) {
  std::ifstream in(file);
  std::string word;
  if (in >> word) return word;
  return std::nullopt;
}

// A file that holds one number of bytes, or "max".
std::size_t readBytes(const fs::path& file, std::size_t otherwise) {
  const std::optional<std::string> word = firstWord(file);
  if (!word) return otherwise;
  std::istringstream in(*word);
  std::size_t bytes = 0;
  return in >> bytes ? bytes : otherwise;
}

// The line "key value" of a statistics file.
std::size_t readStatistic(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  std::string name;
  std::size_t value = 0;
  while (in >> name >> value) {
    if (name == key) return value;
  }
  return 0;
}

// The group of `controller` that this process is in ("" is version 2's single hierarchy).
std::string controlGroup(const std::string& controller) {
  std::ifstream in("/proc/self/cgroup");
  std::string line;
  while (std::getline(in, line)) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string names = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    if (controller.empty() ? names == ",," : names.find(fmt::format(",{},", controller)) != std::string::npos) {
      return line.substr(second + 1);
    }
  }
  return "/";
}

// Calls visit(folder) for the process's group and every group above it. In a container the path that the kernel
// names may lie outside what is mounted; the mount's root then is the container's own group.
template <class Visit>
void eachGroup(const fs::path& mount, const std::string& group, Visit visit) {
  for (fs::path at = fs::path(group).relative_path(); !at.empty(); at = at.parent_path()) visit(mount / at);
  visit(mount);
}

void limitMemory(const fs::path& mount, const std::string& group, const char* limit_file, const char* usage_file,
                 const char* cache_key, HostMemory& memory) {
  eachGroup(mount, group, [&](const fs::path& folder) {
    const std::size_t limit = readBytes(folder / limit_file, kNoLimit);
    if (limit >= memory.total) return;  // "max", version 1's huge number, or more than there is
    memory.total = limit;
    std::size_t used = readBytes(folder / usage_file, 0);
    // The cache of files counts as used, but the kernel gives it back when asked.
    used -= std::min(used, readStatistic(folder / "memory.stat", cache_key));
    memory.available = std::min(memory.available, limit - std::min(limit, used));
  });
}

}  // namespace

std::string processorName() {
  std::ifstream in("/proc/cpuinfo");
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind("model name", 0) != 0) continue;
    const std::size_t start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  utsname machine{};
  return uname(&machine) == 0 ? std::string(machine.machine) + " processor" : "processor";
}

double processorClock() {
  double kilohertz = 0;
  if (std::ifstream in("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"); in >> kilohertz) {
    return 1e3 * kilohertz;
  }
  // What the cores run at now.
  double megahertz = 0;
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("cpu MHz", 0) != 0) continue;
    megahertz = std::max(megahertz, std::strtod(line.c_str() + line.find(':') + 1, nullptr));
  }
  return 1e6 * megahertz;
}

int usableCores() {
  int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) cores = CPU_COUNT(&set);
  eachGroup("/sys/fs/cgroup", controlGroup(""), [&](const fs::path& folder) {
    std::ifstream in(folder / "cpu.max");  // "quota period", or "max period"
    std::int64_t quota = 0;
    std::int64_t period = 0;
    if (in >> quota >> period && quota > 0 && period > 0) {
      cores = std::min(cores, static_cast<int>((quota + period - 1) / period));
    }
  });
  return std::max(1, cores);
}

HostMemory hostMemory() {
  HostMemory memory;
  struct sysinfo system {};
  if (sysinfo(&system) == 0) {
    memory.total = static_cast<std::size_t>(system.totalram) * system.mem_unit;
    memory.available = static_cast<std::size_t>(system.freeram) * system.mem_unit;
  }
  std::ifstream in("/proc/meminfo");
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string key;
    std::size_t kilobytes = 0;
    if (words >> key >> kilobytes && key == "MemAvailable:") memory.available = kilobytes * 1024;
  }
  memory.available = std::min(memory.available, memory.total);
  limitMemory("/sys/fs/cgroup", controlGroup(""), "memory.max", "memory.current", "inactive_file", memory);
  limitMemory("/sys/fs/cgroup/memory", controlGroup("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes",
              "total_inactive_file", memory);
  return memory;
}

bool mayTake(std::size_t bytes) {
  void* const tried = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (tried == MAP_FAILED) return false;
  munmap(tried, bytes);
  return true;
}

}  // namespace simscope::compute
