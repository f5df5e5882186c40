// Who uses the processor: this program, or others. Of the last second or so, from the system's own counts (/proc/stat,
// getrusage); where there are none, it says nothing. One thread.
#pragma once

#include <optional>
#include <string>

namespace simscope {

// Seconds since some moment, over all cores.
struct ProcessorTimes {
  double idle = 0;   // of the machine
  double total = 0;  // of the machine: busy and idle
  double own = 0;    // of this program
};
// The first line of /proc/stat, "cpu  user nice system idle iowait ...", in ticks; nothing where it is none.
std::optional<ProcessorTimes> readProcessorTimes(const std::string& stat_line, double ticks_per_second);
std::optional<ProcessorTimes> processorTimes();

class ProcessorShare {
 public:
  // At this time in seconds; looks at most once a second.
  void note(double now);
  void note(const ProcessorTimes& times);
  // Others keep the processor busy: nothing is idle, and much of the work is not this program's.
  bool takenByOthers() const noexcept { return others_; }

 private:
  std::optional<ProcessorTimes> before_;
  double looked_at_ = -1e9;
  bool others_ = false;
};

}  // namespace simscope
