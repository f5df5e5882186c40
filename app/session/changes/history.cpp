#include "app/session/changes/history.h"

#include <algorithm>

namespace simscope {

void History::restart(std::size_t diagnostics) {
  stride_ = 1;
  since_kept_ = 0;
  times_.clear();
  series_.assign(diagnostics, {});
}

void History::add(double time, std::span<const double> values) {
  if (values.size() != series_.size()) return;
  if (!times_.empty() && !(time > times_.back())) {
    // The state has changed, the time has not: a stroke of the mouse on a paused run.
    if (time == times_.back()) {
      for (std::size_t i = 0; i < series_.size(); ++i) series_[i].back() = values[i];
    }
    return;
  }
  // The last sample is provisional until `stride_` samples have passed: a newer one takes its place.
  if (!times_.empty() && since_kept_ % stride_ != 0) {
    times_.back() = time;
    for (std::size_t i = 0; i < series_.size(); ++i) series_[i].back() = values[i];
  } else {
    if (times_.size() == capacity_) thin();
    times_.push_back(time);
    for (std::size_t i = 0; i < series_.size(); ++i) series_[i].push_back(values[i]);
  }
  ++since_kept_;
}

void History::cut(double time) {
  const auto later = std::upper_bound(times_.begin(), times_.end(), time);
  const auto kept = static_cast<std::size_t>(later - times_.begin());
  if (kept == times_.size()) return;
  times_.resize(kept);
  for (auto& one : series_) one.resize(kept);
  since_kept_ = 0;  // the next sample is a new one
}

void History::thin() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < times_.size(); i += 2, ++kept) {
    times_[kept] = times_[i];
    for (auto& one : series_) one[kept] = one[i];
  }
  times_.resize(kept);
  for (auto& one : series_) one.resize(kept);
  stride_ *= 2;
  since_kept_ = 0;
}

}  // namespace simscope
