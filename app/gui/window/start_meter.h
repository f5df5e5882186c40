// How long the window takes from the start of the program to its first picture, and until something moves in it.
//
// Times are of the system's monotonic clock, so that another process that started this one can subtract. Thread: the
// UI's, with its GL context current.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace simscope::gui {

struct StartTimes {
  std::int64_t window_ns = 0;   // the window stands
  std::int64_t picture_ns = 0;  // its first picture was shown
  std::int64_t moving_ns = 0;   // the second picture of a run that plays
  std::string renderer;
  bool software = false;
};

std::int64_t monotonicNs();

class StartMeter {
 public:
  StartMeter();  // once the window stands
  // After each picture that was shown; `live_frames`: of a playing run, drawn so far. The times, once all are known.
  std::optional<StartTimes> note(std::uint64_t live_frames);

 private:
  StartTimes times_;
};

}  // namespace simscope::gui
