// Estimates the time and memory of a sweep before it begins: from the present cost of a step of the scene, or, if a
// similar sweep was made before, from its duration. Plain functions; any thread.
#pragma once

#include <optional>

#include "app/sweep/runner.h"

namespace simscope::sweep {

// The measured cost of the scene's own run.
struct KnownCost {
  ParameterSet parameters;  // used in the measurement
  double step_seconds = 0;  // of one step; 0: not measured
  compute::DeviceInfo device;
};

// An earlier sweep: its time divided by the steps of all runs.
struct FormerSweep {
  const Description* description = nullptr;
  std::string device;
  bool figures = false;
  double seconds_per_step = 0;
  double size = 0;  // bytes of a run; 0: not known
};
FormerSweep formerOf(const Plan& plan, const Result& result, bool figures);

struct Estimate {
  std::optional<double> seconds;  // nothing: not known yet
  bool at_most = false;           // side by side they will be faster
  double bytes = 0;               // the most on the device at one time; 0: little
  std::size_t at_a_time = 1;
};
// `figures`: all runs are computed at the same time.
Estimate estimateOf(const Plan& plan, const KnownCost& known, const std::optional<FormerSweep>& former, bool figures);

}  // namespace simscope::sweep
