// Computes the runs of a sweep. If the simulation supports many side by side (BatchInfo), runs of the same shape are
// one batch, on either backend. Other runs are computed separately: on the CPU several at a time, the threads divided
// among them, on a CUDA device one after the other. A run's result does not depend on how, or beside which other runs,
// it is computed.
//
// Each of several devices (Device::crew) computes some of the runs by itself, as ranks do.
//
// Thread: the caller's, beside the pool's; several devices have their own. `between` is called on the caller's thread
// repeatedly, at least about ten times a second while the pool computes runs; its exceptions end the sweep and are
// passed on. A run that cannot begin, or does not stay finite, has no values and a reason; Error if that is true of all
// runs.
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
  std::vector<double> diagnostics;  // all in the description; NaN if the run failed
  std::string failure;              // why there are none; empty: there are values
  std::vector<Finding> warnings;    // about the run at its end
};

// The warnings among some findings.
std::vector<Finding> warningsAmong(std::vector<Finding> findings);

struct Result {
  std::vector<RunResult> runs;  // in the plan's order
  compute::DeviceInfo device;
  std::string method;       // of one of the runs
  std::size_t batched = 0;  // runs computed side by side, and number of batches
  std::size_t batches = 0;
  double seconds = 0;  // in total
  std::size_t failed() const noexcept;
};

struct Progress {
  std::size_t runs_done = 0, runs = 0;
  double share = 0;  // completed fraction of all steps
};
using Between = std::function<void(const Progress&)>;

inline constexpr std::size_t kMostSideBySide = 4096;  // in a batch

struct Making {
  bool batched = true;  // if possible; otherwise separately, for comparisons
  // Each rank computes some of the runs, and rank 0 gets all results; the others' result is incomplete. The device is
  // only this rank's: its Device::ranks() is null. Null: this process computes all runs.
  compute::Ranks* ranks = nullptr;
};

Result makeRuns(const Plan& plan, const compute::DevicePtr& device, const Between& between, const Making& making = {});

// The same for runs whose values exist already (small multiples): Error if all have failed.
void requireAnyRun(const Plan& plan, const Result& result);

}  // namespace simscope::sweep
