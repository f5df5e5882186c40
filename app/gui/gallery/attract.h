// The gallery's slide show: after some idle time it shows one preset after another, until there is input.
// It decides when to show which preset; the gallery draws. Thread: one at a time. Times are seconds of one clock.
#pragma once

#include <cstddef>
#include <vector>

#include "app/gui/gallery/subject.h"

namespace simscope::gallery {

class Attract {
 public:
  static constexpr double kShown = 14;     // seconds that each preset is shown at least
  static constexpr double kPatience = 10;  // seconds to wait for a preset's first picture; then it is skipped

  Attract(std::vector<Subject> order, double after) : order_(std::move(order)), after_(after) {}

  // Begins this many seconds after the last input; 0: never.
  double after() const noexcept { return after_; }
  void setAfter(double seconds) noexcept { after_ = seconds; }

  // There was input: the slide show ends. True if it was running.
  bool touch(double now);
  bool showing() const noexcept { return showing_; }
  // True if it has begun, or moved to the next preset: current() has changed. `drawn`: a picture of the current preset
  // is shown; `failed`: there will be no picture.
  bool advance(double now, bool drawn, bool failed);
  const Subject& current() const { return order_.at(current_); }

 private:
  std::vector<Subject> order_;
  double after_;
  double touched_ = 0, since_ = 0;
  bool showing_ = false;
  std::size_t current_ = 0;
  bool begun_ = false;  // it has run before, and continues from there
};

}  // namespace simscope::gallery
