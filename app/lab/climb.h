// Finds how large a lesson's problems can be within its share of the time of all lessons. The smallest size is first:
// it always gives a result, and includes the cost of the first use. The second size is halfway, on a logarithmic scale,
// to the wanted one; its time shows how times grow. The wanted size follows if it is expected to end in time; if it is
// not, or did not, the next size is again halfway.
//
// Plain data; any thread. It has no clock.
#pragma once

#include <optional>

#include "sims/core/parameters.h"

namespace simscope::lab {

class Climb {
 public:
  // `share`: the seconds available. `knob` (knobs::kLargest): its range; its minimum is the first size. `wanted`: the
  // size.
  Climb(const ParameterInfo& knob, double wanted, double share);

  // The size to measure next; nullopt: the wanted one is done, or no larger one would end in time.
  std::optional<double> next() const;
  void recordTime(double size, double seconds);
  // Adds time to the share.
  void addTime(double seconds) { share_ += seconds; }
  // The size was started, and ended without a result after this many seconds.
  void recordLate(double size, double seconds);

  double wanted() const noexcept { return wanted_; }
  // Seconds left; the seconds after which next() is abandoned: some are kept for a size halfway.
  double left() const noexcept { return share_ - used_; }
  double leftForNext() const noexcept { return (late_ > 0 ? 1.0 : 0.7) * left(); }

 private:
  double usable(double size) const;
  double expected(double size) const;  // seconds

  double least_, wanted_, share_, used_ = 0;
  bool power_of_two_;
  double reached_ = 0, last_seconds_ = 0, late_at_ = 0;
  double before_ = 0, before_seconds_ = 0;  // the size before the last one
  int late_ = 0;
};

}  // namespace simscope::lab
