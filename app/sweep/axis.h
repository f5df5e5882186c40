// One axis of a sweep: a parameter with evenly spaced values, values in a geometric progression, or listed values.
//
// Plain host data, any thread. Errors: UsageError with the key, the allowed values, and the nearest valid choice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope::sweep {

inline constexpr int kFewestValues = 2, kMostValues = 10'000;  // of an axis
inline constexpr int kMostListed = 5'000;           // of 24 digits each: Linux passes 128 KiB as one argument
inline constexpr std::int64_t kMostRuns = 100'000;  // of a sweep

struct Axis {
  std::size_t parameter = 0;  // its index among the description's
  double from = 0, to = 1;    // either may be the larger one; of a list: its first value and its last
  int count = 2;
  bool log = false;                 // equal factors; always for powers of two. Of a list: its picture counts decades
  std::vector<double> listed = {};  // the values themselves, in any order; empty: those of the range

  // Before rounding to valid values of the parameter.
  std::vector<double> places() const;
  bool operator==(const Axis&) const = default;
};

// From text for a parameter that is a number: "barrier_width=0.5:10:20", "barrier_width=0.5:10:20:log", or
// "barrier_width=0.5,2,10". Numbers take arithmetic and units (sims/formula/quantity.h). `parameters`: of the swept
// scene, for their units.
Axis readAxis(const ParameterSet& parameters, const std::string& text);
// The axis with these values, which are valid ones of the parameter.
Axis listedAxis(const ParameterSet& parameters, std::size_t parameter, std::vector<double> values);
// The values of the runs, in order, as valid values: whole numbers and powers of two of a range are rounded to the
// nearest. UsageError if two of them are equal, or one is out of range.
std::vector<Value> valuesOf(const Axis& axis, const ParameterInfo& info);

}  // namespace simscope::sweep
