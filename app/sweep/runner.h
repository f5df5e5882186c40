// Makes the runs of a sweep. Where the simulation can have many side by side (BatchInfo), those of one shape are one
// batch, on either backend; all others are made each by itself: on the CPU several at a time, the threads divided among
// them, on a CUDA device one after the other. A run gives the same, however it is made and whatever is made beside it.
//
// Of several devices (Device::crew) each makes some of them by itself, as ranks do.
//
// Thread: the caller's, which the pool's work beside; of several devices their own. `between` is called on it every so
// often, at least some ten times a second while runs are made by the pool; what it throws ends the sweep and is thrown
// on. A run that cannot begin, or does not stay finite, has no values and says why; Error where that is true of all of
// them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/sweep/plan.h"
#include "sims/compute/device.h"

namespace simscope::sweep {

struct RunResult {
  double time = 0;                  // at the end
  std::vector<double> diagnostics;  // all that are described; NaN where the run failed
  std::string failure;              // why there are none; empty: there are
  std::vector<Finding> warnings;    // about the run at its end
};

// Those of some advice that warn.
std::vector<Finding> warningsAmong(std::vector<Finding> findings);

struct Result {
  std::vector<RunResult> runs;  // in the plan's order
  compute::DeviceInfo device;
  std::string method;       // of one of them
  std::size_t batched = 0;  // how many were made side by side, and in how many batches
  std::size_t batches = 0;
  double seconds = 0;  // all in all
  std::size_t failed() const noexcept;
};

struct Progress {
  std::size_t runs_done = 0, runs = 0;
  double share = 0;  // of all steps
};
using Between = std::function<void(const Progress&)>;

inline constexpr std::size_t kMostSideBySide = 4096;  // in a batch

struct Making {
  bool batched = true;  // where it can be; otherwise each by itself, for comparisons
  // Each makes some of the runs, and rank 0 has the result of them all; the others' is of no use. The device is this
  // rank's alone: Device::ranks() of it is null. Null: this process makes all.
  compute::Ranks* ranks = nullptr;
};

Result makeRuns(const Plan& plan, const compute::DevicePtr& device, const Between& between, const Making& making = {});

// The same of runs whose values are there already (small multiples): Error where all have failed.
void requireAnyRun(const Plan& plan, const Result& result);

}  // namespace simscope::sweep
