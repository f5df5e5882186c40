// One axis of a sweep: a parameter with evenly spaced values, or values in a geometric progression.
//
// Plain host data, any thread. Errors: UsageError with the key, the allowed values, and the nearest valid choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope::sweep {

inline constexpr int kFewestValues = 2, kMostValues = 10'000;  // of an axis
inline constexpr std::int64_t kMostRuns = 100'000;             // of a sweep

struct Axis {
  std::size_t parameter = 0;  // its index among the description's
  double from = 0, to = 1;    // either may be the larger one
  int count = 2;
  bool log = false;  // equal factors; always for powers of two

  // Before rounding to valid values of the parameter.
  std::vector<double> places() const;
  bool operator==(const Axis&) const = default;
};

// The keys of the parameters that can be swept: those that are numbers.
std::vector<std::string> sweptKeys(const Description& description);
// From "barrier_width=0.5:10:20" or "barrier_width=0.5:10:20:log".
Axis readAxis(const Description& description, const std::string& text);
// The values of the runs, in order, as valid values: whole numbers and powers of two are rounded to the nearest.
// UsageError if two of them are equal, or one is out of range.
std::vector<Value> valuesOf(const Axis& axis, const ParameterInfo& info);
// As it is typed.
std::string typedText(const Axis& axis, const ParameterInfo& info);

}  // namespace simscope::sweep
