#include "sims/core/stepper.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "sims/core/memory.h"

namespace simscope {
namespace {

using Clock = std::chrono::steady_clock;

// The state is copied to the host no more often than this, and never for more than a fiftieth of the time.
constexpr Clock::duration kKeepInterval = std::chrono::seconds(2);
constexpr int kKeepShare = 50;

const char* const kWhatHappened = "The state is not finite (NaN or Inf)";

}  // namespace

// What a search for the first bad step found. The simulation stands at the step before, if `exact`.
struct Stepper::Located {
  bool exact = false;
  std::int64_t step = 0;
};

Stepper::Stepper(const Description& description, compute::DevicePtr device, const ParameterSet& parameters,
                 std::uint64_t seed) {
  if (parameters.infos().data() != description.defaults().infos().data()) {
    throw UsageError("these parameters belong to another simulation than " + description.id);
  }
  requireMemory(description, parameters, *device);
  device->run([&] {
    simulation_ = description.create(device, parameters);
    simulation_->reset(seed);
  });
  beginFromReset();
}

std::unique_ptr<Simulation> Stepper::make(compute::DevicePtr device, const ParameterSet& parameters,
                                          std::uint64_t seed) const {
  // The present simulation stays until the new one stands: what it holds is not free.
  requireMemory(simulation_->description(), parameters, *device);
  std::unique_ptr<Simulation> made;
  device->run([&] {
    made = simulation_->description().create(device, parameters);
    made->reset(seed);
  });
  return made;
}

void Stepper::beginFromReset() {
  State origin;
  origin.parameters = simulation_->parameters();
  origin.seed = simulation_->seed();
  origin.steps = simulation_->steps();
  watched_ = true;
  beginFrom(std::move(origin));
}

void Stepper::beginFrom(State state) {
  last_good_ = std::move(state);
  changes_.clear();
  checked_steps_ = simulation_->steps();
  kept_at_ = Clock::now();
  values_fresh_ = false;
}

void Stepper::reset(std::uint64_t seed) {
  simulation_->device()->run([&] { simulation_->reset(seed); });
  beginFromReset();
}

void Stepper::configure(const ParameterSet& parameters) {
  if (parameters.needsReset(simulation_->parameters())) {
    simulation_ = make(simulation_->device(), parameters, simulation_->seed());
    beginFromReset();
    return;
  }
  if (parameters == simulation_->parameters()) return;
  simulation_->device()->run([&] { simulation_->apply(parameters); });
  values_fresh_ = false;
  remember({.step = simulation_->steps(), .stroke = {}, .parameters = parameters});
}

void Stepper::moveTo(compute::DevicePtr device) {
  State state = save();
  std::unique_ptr<Simulation> moved = make(device, simulation_->parameters(), simulation_->seed());
  device->run([&] { moved->load(state); });
  simulation_ = std::move(moved);
  watched_ = state.bytes() <= kWatchedBytes;
  beginFrom(watched_ ? std::move(state) : State());
}

void Stepper::load(const State& state) {
  const Description& description = simulation_->description();
  if (state.simulation != description.id) {
    throw UsageError("the state belongs to the simulation '" + state.simulation + "', not to '" + description.id +
                     "'; select that one first");
  }
  if (state.parameters.needsReset(simulation_->parameters())) {
    std::unique_ptr<Simulation> loaded = make(simulation_->device(), state.parameters, state.seed);
    loaded->device()->run([&] { loaded->load(state); });
    simulation_ = std::move(loaded);
  } else {
    const ParameterSet before = simulation_->parameters();
    simulation_->device()->run([&] {
      simulation_->apply(state.parameters);
      try {
        simulation_->load(state);
      } catch (...) {
        simulation_->apply(before);
        throw;
      }
    });
  }
  watched_ = state.bytes() <= kWatchedBytes;
  beginFrom(watched_ ? state : State());
}

bool Stepper::poke(const Brush& brush) {
  bool changed = false;
  simulation_->device()->run([&] { changed = simulation_->poke(brush); });
  if (changed) {
    values_fresh_ = false;
    remember({.step = simulation_->steps(), .stroke = brush, .parameters = {}});
  }
  return changed;
}

State Stepper::save() {
  State state;
  simulation_->device()->run([&] { state = simulation_->save(); });
  state.simulation = simulation_->description().id;
  state.parameters = simulation_->parameters();
  state.seed = simulation_->seed();
  state.steps = simulation_->steps();
  state.time = simulation_->time();
  return state;
}

void Stepper::step(int n) {
  if (n < 0) throw UsageError("the number of steps must be 0 or more, not " + std::to_string(n));
  if (n == 0) return;
  values_fresh_ = false;
  simulation_->device()->run([&] { simulation_->step(n); });
}

bool Stepper::finite() {
  bool finite = false;
  simulation_->device()->run([&] { finite = simulation_->finite(); });
  return finite;
}

void Stepper::remember(Change change) {
  if (watched_) changes_.push_back(std::move(change));
}

void Stepper::keepLastGood() {
  const Clock::time_point start = Clock::now();
  try {
    State state = save();
    watched_ = state.bytes() <= kWatchedBytes;
    last_good_ = watched_ ? std::move(state) : State();
  } catch (const OutOfMemory&) {
    watched_ = false;
  } catch (const std::bad_alloc&) {
    watched_ = false;
  }
  changes_.clear();
  kept_at_ = Clock::now();
  keeping_took_ = kept_at_ - start;
}

void Stepper::verify() {
  if (finite()) {
    checked_steps_ = simulation_->steps();
    const Clock::duration due = std::max(kKeepInterval, kKeepShare * keeping_took_);
    if (watched_ && Clock::now() - kept_at_ > due) keepLastGood();
    return;
  }
  values_fresh_ = false;
  const std::int64_t bad_step = simulation_->steps();
  const std::string cause = simulation_->likelyCauseOfNaN();
  const Located located = locate(bad_step);
  std::string message = kWhatHappened;
  if (located.exact) {
    message += " from step " + std::to_string(located.step) + " on. ";
  } else if (checked_steps_ + 1 < bad_step) {
    message += "; it was last so at step " + std::to_string(checked_steps_) + ", and is no more at step " +
               std::to_string(bad_step) + ". ";
  } else {
    message += " at step " + std::to_string(bad_step) + ". ";
  }
  throw NotFinite(message + cause, located.step);
}

void Stepper::configureInPlace(const ParameterSet& parameters) {
  if (simulation_->parameters() == parameters) return;
  simulation_->device()->run([&] { simulation_->apply(parameters); });
}

void Stepper::restore(const State& state) {
  configureInPlace(state.parameters);
  simulation_->device()->run([&] {
    if (state.arrays.empty()) {
      simulation_->reset(state.seed);
    } else {
      simulation_->load(state);
    }
  });
}

void Stepper::replay(std::int64_t target, std::size_t& next_change) {
  const auto advance = [this](std::int64_t to) {
    while (simulation_->steps() < to) {
      constexpr std::int64_t kMost = std::numeric_limits<int>::max();
      step(static_cast<int>(std::min(kMost, to - simulation_->steps())));
    }
  };
  for (; next_change < changes_.size() && changes_[next_change].step < target; ++next_change) {
    const Change& change = changes_[next_change];
    advance(change.step);
    simulation_->device()->run([&] {
      if (change.parameters) simulation_->apply(*change.parameters);
      if (change.stroke) simulation_->poke(*change.stroke);
    });
  }
  advance(target);
}

Stepper::Located Stepper::locate(std::int64_t bad_step) {
  const Located unknown{.exact = false, .step = bad_step};
  if (!watched_) return unknown;
  const ParameterSet wanted = simulation_->parameters();
  try {
    // The first replay may start from a reset, before anybody has seen how large the state is.
    if (last_good_.arrays.empty() && save().bytes() > kWatchedBytes) {
      watched_ = false;
      return unknown;
    }
    restore(last_good_);
    if (!finite()) {
      const std::int64_t first = simulation_->steps();
      configureInPlace(wanted);
      return {.exact = true, .step = first};
    }
    State good = save();
    std::int64_t bad = bad_step;
    std::size_t next = 0, good_next = 0;
    // Invariant: the run is finite at good.steps, which `good` holds, and is not at `bad`.
    while (bad - good.steps > 1) {
      const std::int64_t middle = good.steps + (bad - good.steps) / 2;
      replay(middle, next);
      if (finite()) {
        good = save();
        good_next = next;
      } else {
        bad = middle;
        restore(good);
        next = good_next;
      }
    }
    // A stroke or a change at the last step can be the culprit, too: then the replay up to there is finite.
    replay(bad, next);
    if (finite()) good = save();
    restore(good);
    configureInPlace(wanted);
    good.parameters = wanted;
    beginFrom(std::move(good));
    return {.exact = true, .step = bad};
  } catch (const std::exception&) {
    return unknown;  // no memory for the copies, or the device gave up: the interval must do
  }
}

const std::vector<double>& Stepper::diagnostics() {
  if (!values_fresh_) {
    values_.assign(simulation_->description().diagnostics.size(), std::numeric_limits<double>::quiet_NaN());
    simulation_->device()->run([&] { simulation_->diagnostics(values_); });
    values_fresh_ = true;
  }
  return values_;
}

std::vector<Finding> Stepper::findings() {
  const std::vector<double>& values = diagnostics();
  std::vector<Finding> found;
  simulation_->device()->run([&] { found = simulation_->check(values); });
  return found;
}

void Stepper::present(Frame& frame) {
  const compute::DevicePtr& device = simulation_->device();
  if (frame.device != device) {
    frame.channels.clear();
    frame.ready = compute::Fence();
    frame.device = device;
  }
  device->run([&] { simulation_->present(frame); });
  frame.time = simulation_->time();
  frame.steps = simulation_->steps();
  frame.ready.record(*device);
}

}  // namespace simscope
