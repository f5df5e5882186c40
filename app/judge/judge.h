// Checks a result that another program computed: the result replaces the state of the scene's own run, and the
// simulation's own diagnostics judge it. There is no second formula.
//
// Required is what the description promises: each DiagnosticInfo::bound; each measured value within its tolerance of
// the exact one, where the own run is within it, too (before a run's end it need not be); and `difference`, the
// distance from the own run, at most kMostDifference. Requirements replace these. A value that has no meaning (NaN) is
// not compared, unless it was asked for. Thread: any, one at a time; enters the device's run(). Errors: UsageError for
// what cannot be judged; else as the stepper, and what `between` throws.
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

// Two methods of second order, each within the bounds of the descriptions, came no further apart; another potential, a
// wrong sign, or a lost factor leads further within a few lengths of a packet.
inline constexpr double kMostDifference = 0.1;

// "key<=value": the magnitude of it is no larger; "key>=value": it is no smaller. "inf" removes a bound.
struct Requirement {
  std::string key;
  bool at_least = false;
  double value = 0;
};
Requirement readRequirement(const std::string& text);

struct Options {
  std::optional<double> at;  // time; the nearest step counts
  std::optional<int> frame;  // of the scene's, counted from 0; without either the scene's end
  std::vector<Requirement> requirements;
  std::function<void()> between = [] {};
};

struct Line {
  std::string key, title, unit;
  double theirs = 0, own = 0;  // NaN: it has no meaning here
  std::optional<double> exact = {};
  std::optional<double> most = {};  // of the magnitude
  std::optional<double> least = {};
  bool asked = false;  // by a requirement
  bool kept = true;    // by theirs
  bool own_keeps = true;
};

struct Judgement {
  Scene scene;
  std::string told;                 // of the array: "complex64 (4096,)"
  std::vector<std::string> arrays;  // of the state that it stands for
  std::int64_t step = 0;
  double time = 0, step_length = 0;
  std::string device;
  std::vector<Line> lines;
  bool passed() const;
};

Judgement judged(const std::filesystem::path& file, const Scene& scene, const compute::DevicePtr& device,
                 const Options& options);

}  // namespace simscope::judge
