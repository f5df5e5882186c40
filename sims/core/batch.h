// Many runs of a simulation side by side on one device: parameter sets of one shape (BatchInfo::shape), each an
// independent run from its reset on, all of them advanced together. A run gives the results of a Simulation with its
// parameters: the same bits in its state, and diagnostics that differ at most in the order of their sums. No strokes,
// no keyframes.
//
// Owner: its creator owns all runs and their memory. Thread: one at a time, inside Device::run. Errors: as Simulation.
// A run that stops being finite does not disturb the others.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sims/core/description.h"

namespace simscope {

class Batch {
 public:
  virtual ~Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  virtual std::size_t runs() const = 0;
  // n ≥ 0 steps of every run, enqueued.
  virtual void step(int n) = 0;
  // Those of Simulation::diagnostics for each run in turn. Waits.
  virtual void diagnostics(std::span<double> values) = 0;
  virtual double time(std::size_t run) const = 0;
  // Advice about a run, as Simulation::check, for the state that diagnostics() has measured.
  virtual std::vector<Finding> check(std::size_t run) const = 0;
  // Whether each run is finite. Waits.
  virtual std::vector<bool> finite() = 0;
  // The bytes of one run's array that Description::state_array names. Waits.
  virtual std::vector<std::byte> stateArray(std::size_t run) = 0;
  // How the runs are advanced; for summaries.
  virtual std::string method() const = 0;

 protected:
  Batch() = default;
};

}  // namespace simscope
