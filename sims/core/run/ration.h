// How often work beside the simulation (diagnostics, the search for NaN) may be done, so that it takes at most its
// share of the time. Cheap ones are always due; one that takes 8 ms at a share of a twentieth is due 152 ms after the
// last.
//
// Thread: the runner's. The cost is the smaller one of the last two times: the first time includes compilation at first
// use, and a delay by other work does not count.
#pragma once

#include <algorithm>
#include <chrono>

namespace simscope {

class Ration {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Ration(double share) : share_(share) {}

  // Another simulation, size, or device.
  void start() { *this = Ration(share_); }
  bool due(Clock::time_point now) const { return times_ < 2 || now >= next_; }
  void spent(Clock::time_point now, double cost_ms) {
    before_ms_ = times_ == 0 ? cost_ms : latest_ms_;
    latest_ms_ = cost_ms;
    times_ = std::min(times_ + 1, 2);
    const std::chrono::duration<double, std::milli> rest(milliseconds() * (1 / share_ - 1));
    next_ = now + std::chrono::duration_cast<Clock::duration>(rest);
  }
  double milliseconds() const { return std::min(before_ms_, latest_ms_); }  // each time; 0 if never done

 private:
  double share_;
  int times_ = 0;  // 2: twice or more
  double before_ms_ = 0, latest_ms_ = 0;
  Clock::time_point next_{};
};

}  // namespace simscope
