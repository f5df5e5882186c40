// Runs of a sweep each by itself: on the CPU by several threads, each with a CPU device of its own; on a CUDA device
// one after the other. Thread and errors: as runner.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "app/sweep/runner.h"
#include "sims/core/timeline/stepper.h"

namespace simscope::sweep {

// How far a sweep has come; counted by any thread.
struct Counter {
  std::atomic<std::size_t> runs{0};
  std::atomic<std::int64_t> steps{0};

  Progress progress(const Plan& plan) const;
};

// How many runs are made at a time by so many threads, and the threads that each has. As many as fit into half of the
// free memory.
struct Shares {
  int workers = 1, threads_each = 1;
};
Shares sharesOf(const Plan& plan, std::size_t runs, int threads, double free_memory);

// The scene of one run.
Scene sceneOf(const Plan& plan, std::size_t run);
// What the diagnostics of a run are where there are none.
RunResult failedRun(const Plan& plan, std::string why);
RunResult finishedRun(Stepper& stepper);

// `sharing`: processes that the machine's memory is divided among.
void makeEach(const Plan& plan, std::span<const std::size_t> runs, const compute::DevicePtr& device, int sharing,
              Counter& counter, const Between& between, Result& result);

}  // namespace simscope::sweep
