// A simulation under watch: advances it, finds NaN or Inf, and locates the step at which they appeared.
// The one engine beneath the window's runner, `simscope run`, and `simscope render`.
//
// Thread: one at a time; every member enters Device::run itself. The watch costs one reduction a check and, every so
// often, a copy of the state to the host (states up to kWatchedBytes), from which the first bad step is found by
// bisection: the steps since that copy are made again, with the changes and strokes that came between. Larger states
// report the interval.
// Errors: UsageError where a simulation would not fit the device's memory (sims/core/memory.h), before any is taken.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/simulation.h"

namespace simscope {

// The state stopped being finite. what() names the step (or interval) and the likely cause.
class NotFinite : public Error {
 public:
  NotFinite(const std::string& message, std::int64_t first_bad_step) : Error(message), step_(first_bad_step) {}
  std::int64_t step() const noexcept { return step_; }

 private:
  std::int64_t step_;
};

class Stepper {
 public:
  static constexpr std::size_t kWatchedBytes = 64u << 20;

  // Makes the simulation and resets it.
  Stepper(const Description& description, compute::DevicePtr device, const ParameterSet& parameters,
          std::uint64_t seed);

  Simulation& simulation() noexcept { return *simulation_; }
  const Simulation& simulation() const noexcept { return *simulation_; }

  void reset(std::uint64_t seed);
  // Applies live changes; a change that needs a reset makes a new simulation (the old one is dropped only once the
  // new one stands) and resets it with the present seed.
  void configure(const ParameterSet& parameters);
  // Moves the run to another device, continuing from the same state.
  void moveTo(compute::DevicePtr device);
  // Takes over the state's parameters, too (a new simulation where they need one).
  void load(const State& state);
  // Simulation::poke, remembered for the bisection.
  bool poke(const Brush& brush);
  State save();

  // Enqueues n steps.
  void step(int n);
  // Throws NotFinite where the state is not finite any more; the simulation is left at the last good state, if known.
  void verify();
  // All diagnostics, and the findings that follow from them.
  const std::vector<double>& diagnostics();
  std::vector<Finding> findings();
  void present(Frame& frame);

 private:
  // What happened to the run at a step since the last good state was kept.
  struct Change {
    std::int64_t step = 0;
    std::optional<Brush> stroke;
    std::optional<ParameterSet> parameters;
  };
  struct Located;

  std::unique_ptr<Simulation> make(compute::DevicePtr device, const ParameterSet& parameters, std::uint64_t seed) const;
  void beginFromReset();
  void beginFrom(State state);
  void remember(Change change);
  void keepLastGood();
  Located locate(std::int64_t bad_step);
  void replay(std::int64_t target, std::size_t& next_change);
  void configureInPlace(const ParameterSet& parameters);
  void restore(const State& state);
  bool finite();

  std::unique_ptr<Simulation> simulation_;
  State last_good_;              // where the watch replays from; without arrays: from a reset
  std::vector<Change> changes_;  // since then, oldest first
  std::int64_t checked_steps_ = 0;
  bool watched_ = true;  // false once the state has turned out to be larger than kWatchedBytes
  std::chrono::steady_clock::time_point kept_at_;
  std::chrono::steady_clock::duration keeping_took_{};
  std::vector<double> values_;
  bool values_fresh_ = false;
};

}  // namespace simscope
