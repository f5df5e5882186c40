// The diagnostics over time, for the plots: one value a sample and diagnostic, from the last reset on.
//
// Memory is bounded: where `capacity` is reached every second sample is dropped and from then on half as many are
// kept, so the curve always spans the whole run. Plain host data; one thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace simscope {

class History {
 public:
  explicit History(std::size_t capacity = 4096) : capacity_(capacity < 4 ? 4 : capacity) {}

  void restart(std::size_t diagnostics);
  // At the newest sample's time it takes that sample's place. Ignored where time lies before it, or the count of values
  // is not that of restart().
  void add(double time, std::span<const double> values);

  // What came later goes.
  void cut(double time);

  std::size_t samples() const noexcept { return times_.size(); }
  std::size_t diagnostics() const noexcept { return series_.size(); }
  // In the order of time; the newest sample given to add() is always the last.
  std::span<const double> times() const noexcept { return times_; }
  std::span<const double> series(std::size_t diagnostic) const { return series_.at(diagnostic); }

 private:
  void thin();

  std::size_t capacity_;
  std::size_t stride_ = 1;  // one in so many samples is kept
  std::size_t since_kept_ = 0;
  std::vector<double> times_;
  std::vector<std::vector<double>> series_;
};

}  // namespace simscope
