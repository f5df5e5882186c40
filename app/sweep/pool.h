// Computes the runs of a sweep separately: on the CPU by several threads, each with its own CPU device; on a CUDA
// device one after the other. Thread and errors: as runner.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "app/sweep/runner.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::sweep {

// The progress of a sweep; updated by any thread.
struct Counter {
  std::atomic<std::size_t> runs{0};
  std::atomic<std::int64_t> steps{0};

  Progress progress(const Plan& plan) const;
};

// The number of runs computed at the same time by these threads, and the threads of each. At most as many as fit into
// half of the free memory.
struct Shares {
  int workers = 1, threads_each = 1;
};
Shares sharesOf(const Plan& plan, std::size_t runs, int threads, double free_memory);

// The scene of one run.
Scene sceneOf(const Plan& plan, std::size_t run);
// The result of a run that failed: all its diagnostics are missing.
RunResult failedRun(const Plan& plan, std::string why);
RunResult finishedRun(Stepper& stepper);

// `sharing`: number of processes that share the machine's memory.
void makeEach(const Plan& plan, std::span<const std::size_t> runs, const compute::DevicePtr& device, int sharing,
              Counter& counter, const Between& between, Result& result);

}  // namespace simscope::sweep
