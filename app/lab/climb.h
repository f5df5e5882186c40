// How large a lesson's problems can be within its share of the time of all lessons. The smallest first, which leaves a
// result in any case and pays for what is made at first use; then the middle, on a logarithmic scale, of what is done
// and what is wanted, whose time tells how times grow; then all that is wanted where it is to be expected in time, and
// the middle again where it is not, or was not.
//
// Plain data; any thread. No clock of its own.
#pragma once

#include <optional>

#include "sims/core/parameters.h"

namespace simscope::lab {

class Climb {
 public:
  // Seconds that it may take; of `knob` (knobs::kLargest) the range and the size wanted. The knob's minimum is first.
  Climb(const ParameterInfo& knob, double wanted, double share);

  // The size to be measured next; nothing: the wanted one is done, or no larger one would be over in time.
  std::optional<double> next() const;
  void took(double size, double seconds);
  // More of it.
  void grant(double seconds) { share_ += seconds; }
  // Begun, and given up after so long.
  void wasLate(double size, double seconds);

  double wanted() const noexcept { return wanted_; }
  // Seconds; those of next(), which is given up after them: some are kept for the middle.
  double left() const noexcept { return share_ - used_; }
  double leftForNext() const noexcept { return (late_ > 0 ? 1.0 : 0.7) * left(); }

 private:
  double usable(double size) const;
  double expected(double size) const;  // seconds

  double least_, wanted_, share_, used_ = 0;
  bool power_of_two_;
  double reached_ = 0, last_seconds_ = 0, late_at_ = 0;
  double before_ = 0, before_seconds_ = 0;  // the size before the one reached
  int late_ = 0;
};

}  // namespace simscope::lab
