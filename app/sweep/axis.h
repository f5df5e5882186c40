// One axis of a sweep: a parameter that takes evenly spaced values, or values that grow by equal factors.
//
// Plain host data, any thread. Errors: UsageError with the key, what is allowed, and the nearest valid choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope::sweep {

inline constexpr int kFewestValues = 2, kMostValues = 10'000;  // of an axis
inline constexpr std::int64_t kMostRuns = 100'000;             // of a sweep

struct Axis {
  std::size_t parameter = 0;  // its place among the description's
  double from = 0, to = 1;    // either may be the larger one
  int count = 2;
  bool log = false;  // equal factors; of powers of two always

  // Before they are rounded to what the parameter takes.
  std::vector<double> places() const;
  bool operator==(const Axis&) const = default;
};

// The keys of the parameters that can be swept: those that are numbers.
std::vector<std::string> sweptKeys(const Description& description);
// From "barrier_width=0.5:10:20" or "barrier_width=0.5:10:20:log".
Axis readAxis(const Description& description, const std::string& text);
// The values of the runs, in order, each as the parameter takes it: whole numbers and powers of two are the nearest
// ones. UsageError where two of them are the same, or one is out of range.
std::vector<Value> valuesOf(const Axis& axis, const ParameterInfo& info);
// As it is typed.
std::string typedText(const Axis& axis, const ParameterInfo& info);

}  // namespace simscope::sweep
