// The cost of a step, from measured batches: for the status line, and to plan how many steps fit a time.
//
// Thread: the runner's. Times in microseconds. The first batch of a simulation includes plans, tables, and compilation
// at first use; it counts only until there is a second one.
#pragma once

#include <algorithm>

namespace simscope {

class StepMeter {
 public:
  // A new simulation; `guess_us` is a cautious guess from its declared work, 0 where it declares none.
  void start(double guess_us) { *this = StepMeter{guess_us}; }

  void add(int steps, double milliseconds) {
    if (steps < 1 || !(milliseconds >= 0)) return;
    const double us = 1000.0 * milliseconds / steps;
    batches_ = std::min(batches_ + 1, 3);
    smoothed_us_ = batches_ < 3 ? us : smoothed_us_ + 0.2 * (us - smoothed_us_);
    before_us_ = batches_ < 3 ? us : latest_us_;
    latest_us_ = us;
  }

  double smoothedUs() const { return smoothed_us_; }
  // For planning; 0 where nothing is known. A batch that other work delayed does not count.
  double plannedUs() const {
    if (batches_ == 0) return guess_us_;
    if (batches_ == 1 && guess_us_ > 0) return std::min(guess_us_, latest_us_);
    return std::min(before_us_, latest_us_);
  }
  // How many steps fit into `milliseconds`, between 1 and `most`.
  int fitting(double milliseconds, int most) const {
    const double us = plannedUs();
    if (!(us > 0)) return batches_ == 0 ? 1 : most;
    const double fit = 1000.0 * milliseconds / us;
    return fit < 1 ? 1 : fit < most ? static_cast<int>(fit) : most;
  }

  StepMeter() = default;

 private:
  explicit StepMeter(double guess_us) : guess_us_(guess_us) {}

  double guess_us_ = 0;
  double smoothed_us_ = 0;
  double before_us_ = 0, latest_us_ = 0;
  int batches_ = 0;  // 3: three or more
};

}  // namespace simscope
