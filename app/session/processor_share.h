// Whether this program or others use the processor. Covers about the last second, from the system's counters
// (/proc/stat, getrusage); without these it reports nothing. One thread.
#pragma once

#include <optional>
#include <string>

namespace simscope {

// Seconds since a fixed moment, summed over all cores.
struct ProcessorTimes {
  double idle = 0;   // of the machine
  double total = 0;  // of the machine: busy and idle
  double own = 0;    // of this program
};
// The first line of /proc/stat, "cpu  user nice system idle iowait ...", in ticks; nothing for any other line.
std::optional<ProcessorTimes> readProcessorTimes(const std::string& stat_line, double ticks_per_second);
std::optional<ProcessorTimes> processorTimes();

class ProcessorShare {
 public:
  // At this time in seconds; reads the counters at most once a second.
  void note(double now);
  void note(const ProcessorTimes& times);
  // Other programs keep the processor busy: there is no idle time, and much of the work is not this program's.
  bool takenByOthers() const noexcept { return others_; }

 private:
  std::optional<ProcessorTimes> before_;
  double looked_at_ = -1e9;
  bool others_ = false;
};

}  // namespace simscope
