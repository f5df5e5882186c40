// The diagnostics over time, for the plots: one value per sample and diagnostic, since the last reset.
//
// Memory is bounded: at `capacity` every second sample is dropped, and from then on half as many samples are kept, so
// the curve always spans the whole run. Plain host data; one thread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace simscope {

class History {
 public:
  explicit History(std::size_t capacity = 4096) : capacity_(capacity < 4 ? 4 : capacity) {}

  void restart(std::size_t diagnostics);
  // A sample at the newest sample's time replaces that sample. Ignored if its time is earlier, or if the number of
  // values is not that of restart().
  void add(double time, std::span<const double> values);

  // Drops all samples after this time.
  void cut(double time);

  std::size_t samples() const noexcept { return times_.size(); }
  std::size_t diagnostics() const noexcept { return series_.size(); }
  // Ascending; the newest sample given to add() is always the last.
  std::span<const double> times() const noexcept { return times_; }
  std::span<const double> series(std::size_t diagnostic) const { return series_.at(diagnostic); }

 private:
  void thin();

  std::size_t capacity_;
  std::size_t stride_ = 1;  // one in this many samples is kept
  std::size_t since_kept_ = 0;
  std::vector<double> times_;
  std::vector<std::vector<double>> series_;
};

}  // namespace simscope
