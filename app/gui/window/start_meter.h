// The time from the start of the program to the window's first picture, and to the first motion in it.
//
// Times are of the system's monotonic clock, so that the process that started this one can subtract. Thread: the UI's,
// with its GL context current.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace simscope::gui {

struct StartTimes {
  std::int64_t window_ns = 0;   // the window exists
  std::int64_t picture_ns = 0;  // its first picture was shown
  std::int64_t moving_ns = 0;   // the second picture of a playing run
  std::string renderer;
  bool software = false;
};

std::int64_t monotonicNs();

class StartMeter {
 public:
  StartMeter();  // construct once the window exists
  // Call after each displayed picture; `live_frames`: frames of a playing run drawn so far. Returns the times, once all
  // are known.
  std::optional<StartTimes> note(std::uint64_t live_frames);

 private:
  StartTimes times_;
};

}  // namespace simscope::gui
