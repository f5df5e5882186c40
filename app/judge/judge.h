// Checks a result computed by another program: the result replaces the state of the scene's own run, and the
// simulation's own diagnostics judge it. There is no second implementation of the formulas.
//
// The requirements are the description's: each DiagnosticInfo::bound, unless the own run is right (its error is known,
// and small enough for kMostDifference) and exceeds it, as what then leaves through a wall is no error; each measured
// value within its tolerance of the exact one, if the own run is within it, too (before a run's end it need not be);
// and `difference`, the distance from the own run, at most kErrors times the own run's error (own_error.h), between
// kLeastDifference and kMostDifference. The user's requirements replace these. A value without a meaning (NaN) is not
// compared, unless it was requested. Thread: any, one at a time; enters the device's run(). Errors: UsageError for a
// result that cannot be judged; else as the stepper, and exceptions of `between`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sims/compute/device.h"

namespace simscope::judge {

// The own run's error, and another method's, which may be four times as large at the same resolution.
inline constexpr double kErrors = 5;
inline constexpr double kLeastDifference = 1e-3;  // rounding in single precision adds up to less
// Where the own run's error is larger or not known.
inline constexpr double kMostDifference = 0.1;

// "key<=value": its magnitude is at most this; "key>=value": at least this. "inf" removes a bound.
struct Requirement {
  std::string key;
  bool at_least = false;
  double value = 0;
};
Requirement readRequirement(const std::string& text);

struct Options {
  std::optional<double> at;  // time; the nearest step is used
  std::optional<int> frame;  // of the scene, counted from 0; without `at` and `frame` the scene's end
  std::vector<Requirement> requirements;
  std::function<void()> between = [] {};
};

struct Line {
  std::string key, title, unit;
  double theirs = 0, own = 0;  // NaN: no meaning here. Of `difference`: the own run's error, NaN if it is not known
  std::optional<double> exact = {};
  std::optional<double> most = {};  // of the magnitude
  std::optional<double> least = {};
  bool asked = false;  // by a requirement
  bool kept = true;    // satisfied by `theirs`
  bool own_keeps = true;
  std::string why = {};  // why the bound is what it is; empty: it is the description's or the user's
};

struct Judgement {
  Scene scene;
  std::string told;                 // of the array: "complex64 (4096,)"
  std::vector<std::string> arrays;  // of the state that it replaces
  std::int64_t step = 0;
  double time = 0, step_length = 0;
  std::string device;
  std::vector<Line> lines;
  bool passed() const;
};

Judgement judged(const std::filesystem::path& file, const Scene& scene, const compute::DevicePtr& device,
                 const Options& options);

}  // namespace simscope::judge
