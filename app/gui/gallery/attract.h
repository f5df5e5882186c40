// Attract mode: left alone, the program shows itself, one preset after another, until somebody comes.
// Says when and what; who draws asks it. Thread: one at a time. Times are seconds of one clock.
#pragma once

#include <cstddef>
#include <vector>

#include "app/gui/gallery/subject.h"

namespace simscope::gallery {

class Attract {
 public:
  static constexpr double kShown = 14;     // each preset, at least
  static constexpr double kPatience = 10;  // for the first picture of one, which is then passed over

  Attract(std::vector<Subject> order, double after) : order_(std::move(order)), after_(after) {}

  // Begins so many seconds after the last touch; 0: never.
  double after() const noexcept { return after_; }
  void setAfter(double seconds) noexcept { after_ = seconds; }

  // Somebody is there: what is shown ends. True where something was.
  bool touch(double now);
  bool showing() const noexcept { return showing_; }
  // True where it has begun, or gone on to the next: current() is another one. `drawn`: a picture of the current one is
  // seen; `failed`: there will be none.
  bool advance(double now, bool drawn, bool failed);
  const Subject& current() const { return order_.at(current_); }

 private:
  std::vector<Subject> order_;
  double after_;
  double touched_ = 0, since_ = 0;
  bool showing_ = false;
  std::size_t current_ = 0;
  bool begun_ = false;  // ever: the next time goes on where it was left
};

}  // namespace simscope::gallery
