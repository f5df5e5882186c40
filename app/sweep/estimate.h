// What a sweep will take, before it begins: from what a step of the scene costs now, or, where one like it was made
// before, from what that took. Plain functions; any thread.
#pragma once

#include <optional>

#include "app/sweep/runner.h"

namespace simscope::sweep {

// What is known of the scene's own run.
struct KnownCost {
  ParameterSet parameters;  // that it was measured with
  double step_seconds = 0;  // of one step; 0: not measured
  compute::DeviceInfo device;
};

// A sweep that was made: what a step of one of its runs took, as a share of all.
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
  double bytes = 0;               // on the device at a time, at most; 0: little
  std::size_t at_a_time = 1;
};
// `figures`: all runs live at once.
Estimate estimateOf(const Plan& plan, const KnownCost& known, const std::optional<FormerSweep>& former, bool figures);

}  // namespace simscope::sweep
