#include "app/session/processor_share.h"

#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

namespace simscope {

namespace {

constexpr double kInterval = 1;    // seconds
constexpr double kIdle = 0.08;     // idle share of all cores; less counts as none
constexpr double kOwnPart = 0.75;  // own share of the busy time; with less, other programs use much of it

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

std::optional<ProcessorTimes> readProcessorTimes(const std::string& stat_line, double ticks_per_second) {
  std::istringstream words(stat_line);
  std::string name;
  if (!(words >> name) || name != "cpu" || !(ticks_per_second > 0)) return std::nullopt;
  ProcessorTimes times;
  constexpr int kIdleColumn = 3, kWaitColumn = 4, kColumns = 8;  // then comes what guests had, which is counted already
  double ticks = 0;
  int column = 0;
  for (; column < kColumns && words >> ticks; ++column) {
    times.total += ticks / ticks_per_second;
    if (column == kIdleColumn || column == kWaitColumn) times.idle += ticks / ticks_per_second;
  }
  if (column <= kIdleColumn) return std::nullopt;
  return times;
}

std::optional<ProcessorTimes> processorTimes() {
  std::ifstream file("/proc/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  auto times = readProcessorTimes(line, static_cast<double>(sysconf(_SC_CLK_TCK)));
  rusage used{};
  if (!times || getrusage(RUSAGE_SELF, &used) != 0) return std::nullopt;
  times->own = seconds(used.ru_utime) + seconds(used.ru_stime);
  return times;
}

void ProcessorShare::note(double now) {
  if (now - looked_at_ < kInterval) return;
  looked_at_ = now;
  if (const auto times = processorTimes()) note(*times);
}

void ProcessorShare::note(const ProcessorTimes& times) {
  if (before_ && times.total > before_->total) {
    const double total = times.total - before_->total, idle = times.idle - before_->idle;
    const double busy = total - idle, own = times.own - before_->own;
    others_ = idle < kIdle * total && own < kOwnPart * busy;
  }
  before_ = times;
}

}  // namespace simscope
