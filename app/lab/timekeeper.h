// Keeps the times of one lesson while it is measured: the spread of each, and the time that is left.
//
// lab::measure makes one; the timing functions of its thread record their results there, so that lessons need not pass
// it on. A spread is found by the exact bits of its value: a number in a table that is a measured time, or was derived
// from a single one (carried), has the spread of that time; every other number has none. Thread: its own. Errors:
// OutOfTime.
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::lab {

// The time for a lesson [s]: after `suits` measurements are repeated less, after `most` it ends without a result.
struct Allowance {
  double suits = std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};

class OutOfTime : public Error {
 public:
  using Error::Error;
};

double steadySeconds();

class Timekeeper {
 public:
  // now: seconds since some moment; by default the steady clock's.
  explicit Timekeeper(const Allowance& allowance = {}, std::function<double()> now = steadySeconds);
  ~Timekeeper();
  Timekeeper(const Timekeeper&) = delete;
  Timekeeper& operator=(const Timekeeper&) = delete;
  // Of this thread; null: none.
  static Timekeeper* current() noexcept;

  double seconds() const;
  // The number of repeats of the next measurement: `usual`, fewer if time runs short, one if it is spent.
  int repeats(int usual);
  // Throws OutOfTime if no time is left.
  void require() const;
  // Measurements so far, and those that were repeated less than usual.
  int measured() const noexcept { return measured_; }
  int hurried() const noexcept { return hurried_; }

  // `share`: half the interquartile range of the repeats, relative to the value.
  void note(double value, double share);
  void carry(double derived, double from);
  // In the value's unit; NaN: not measured, or only once.
  double spreadOf(double value) const;

 private:
  double shareOf(double value) const;

  struct Known {
    double value, share;
  };
  Allowance allowance_;
  std::function<double()> now_;
  double start_;
  std::vector<Known> known_;
  int measured_ = 0, hurried_ = 0;
  Timekeeper* outer_;
};

// Declares `derived` to be the measured time `from`, multiplied or divided by an exact number, as a rate is: it has the
// same relative spread. Returns it.
double carried(double derived, double from);

}  // namespace simscope::lab
