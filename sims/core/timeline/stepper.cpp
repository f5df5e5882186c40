#include "sims/core/timeline/stepper.h"

#include <algorithm>
#include <limits>
#include <new>
#include <utility>

#include "sims/core/divided.h"
#include "sims/core/memory.h"
#include "sims/foreign/words.h"

namespace simscope {

Stepper::Stepper(const Description& description, compute::DevicePtr device, const ParameterSet& parameters,
                 std::uint64_t seed) {
  if (parameters.infos().data() != description.defaults().infos().data()) {
    throw UsageError("these parameters belong to another simulation than " + description.id);
  }
  requireMemory(description, parameters, *device);
  device->run([&] {
    simulation_ = makeSimulation(description, device, parameters);
    simulation_->reset(seed);
  });
  base_ = parameters;
  beginFromReset();
}

std::unique_ptr<Simulation> Stepper::make(compute::DevicePtr device, const ParameterSet& parameters,
                                          std::uint64_t seed) {
  // The present simulation stays until the new one stands: what it holds is not free.
  try {
    requireMemory(simulation_->description(), parameters, *device);
  } catch (const UsageError&) {
    if (keptBytes() == 0) throw;
    forgetCopies();  // the past gives way
    requireMemory(simulation_->description(), parameters, *device);
  }
  std::unique_ptr<Simulation> made;
  device->run([&] {
    made = makeSimulation(simulation_->description(), device, parameters);
    made->reset(seed);
  });
  return made;
}

// Nothing of what was before can be returned to.
void Stepper::forgetPast() {
  past_.clear();
  schedule_.endStroke();
  replay_.reset();
  met_.clear();
  keyframes_until_ = -HUGE_VAL;
  look_due_ = false;
}

// The run stands right after a reset.
void Stepper::beginFromReset() {
  forgetPast();
  past_.origin = {};
  past_.origin.parameters = simulation_->parameters();
  past_.origin.seed = simulation_->seed();
  past_.origin.steps = simulation_->steps();
  past_.origin.base = base_;
  past_.origin.tracked_at = 0;
  past_.from_reset = true;
  schedule_.next_event = schedule_.next_look = 0;
  first_observers_ = {};
  tracked_at_ = 0;
  watched_ = simulation_->stateBytes() <= kWatchedBytes;
  rescue_.reset();
  beginAt(past_.origin);
}

// The watch begins here.
void Stepper::beginAt(const Checkpoint& point) {
  last_good_ = watched_ ? point : Checkpoint();
  if (rescue_ && rescue_->steps > simulation_->steps()) rescue_.reset();  // it lies on a way that was left
  checked_steps_ = simulation_->steps();
  kept_at_ = std::chrono::steady_clock::now();
  values_fresh_ = false;
}

void Stepper::reset(std::uint64_t seed) {
  endReplay();
  configureInPlace(schedule_.timeline.parametersAt(base_, 0));
  simulation_->device()->run([&] { simulation_->reset(seed); });
  beginFromReset();
  catchUp();
}

void Stepper::configure(const ParameterSet& parameters) {
  if (parameters.needsReset(simulation_->parameters())) {
    simulation_ = make(simulation_->device(), schedule_.timeline.parametersAt(parameters, 0), simulation_->seed());
    base_ = parameters;
    beginFromReset();
    catchUp();
    return;
  }
  if (replay_)
    throw UsageError("the run is being replayed; wait for the end of the replay or stop it, then change parameters");
  if (parameters == base_) return;
  leaveAhead();
  ParameterSet applied = parameters;
  for (const Track& track : schedule_.timeline.tracks) {
    const bool untouched = parameters.get(track.key) == base_.get(track.key);
    if (untouched) applied.set(track.key, simulation_->parameters().get(track.key));
  }
  configureInPlace(applied);
  base_ = parameters;
  recordChange(applied);
}

void Stepper::configureInPlace(const ParameterSet& parameters) {
  if (simulation_->parameters() == parameters) return;
  values_fresh_ = false;
  simulation_->device()->run([&] { simulation_->apply(parameters); });
}

ParameterSet Stepper::withTracked(ParameterSet base, const ParameterSet& from) const {
  for (const Track& track : schedule_.timeline.tracks) base.set(track.key, from.get(track.key));
  return base;
}

void Stepper::moveTo(compute::DevicePtr device) {
  const State here = save();
  std::unique_ptr<Simulation> moved = make(device, simulation_->parameters(), simulation_->seed());
  device->run([&] { moved->load(here); });
  simulation_ = std::move(moved);
  past_.forgetMemory();
  watched_ = here.bytes() <= kWatchedBytes;
  const std::optional<Checkpoint> point = watched_ ? checkpointIfRoom() : std::nullopt;
  watched_ = point.has_value();
  beginAt(point.value_or(Checkpoint()));
}

void Stepper::load(const State& state) {
  const Description& description = simulation_->description();
  if (state.simulation != description.id) {
    throw UsageError("the state belongs to the simulation " + foreign::quoted(state.simulation) + ", not to '" +
                     description.id + "'; select that one first");
  }
  if (state.parameters.needsReset(simulation_->parameters())) {
    std::unique_ptr<Simulation> loaded = make(simulation_->device(), state.parameters, state.seed);
    loaded->device()->run([&] { loaded->load(state); });
    simulation_ = std::move(loaded);
  } else {
    // Parameters alone do not bring the run back: a clock that was started anew has other bits.
    const bool live = !(state.parameters == simulation_->parameters());
    const State before = live ? saveOwn() : State();
    simulation_->device()->run([&] {
      simulation_->apply(state.parameters);
      try {
        simulation_->load(state);
      } catch (...) {
        if (live) {
          simulation_->apply(before.parameters);
          simulation_->load(before);
        }
        throw;
      }
    });
  }
  base_ = withTracked(state.parameters, base_);
  schedule_.standAt(simulation_->steps());
  first_observers_ = {simulation_->steps(), simulation_->observers()};
  tracked_at_ = simulation_->steps();
  forgetPast();
  past_.from_reset = false;
  watched_ = state.bytes() <= kWatchedBytes;
  const bool shared = simulation_->device()->ranks() != nullptr;
  const bool keeps = !shared && state.bytes() <= past_.budget(*simulation_);
  std::optional<Checkpoint> here = watched_ || keeps ? checkpointIfRoom() : std::nullopt;
  watched_ = watched_ && here;
  if (shared && !agreed(watched_)) {
    watched_ = false;
    here.reset();
  }
  if (keeps && here) {
    past_.keep(*here, *simulation_);
    past_.keeps_origin = !past_.kept.empty();
  }
  beginAt(here.value_or(Checkpoint()));
  rescue_.reset();
  if (watched_ && !shared) rescue_ = state;
}

State Stepper::save() {
  State state;
  simulation_->device()->run([&] { state = simulation_->save(); });
  return state;
}

State Stepper::saveOwn() {
  State state;
  simulation_->device()->run([&] { state = simulation_->saveOwn(); });
  return state;
}

Stepper::Checkpoint Stepper::checkpoint() {
  Checkpoint point;
  point.copy = past_.takeMemory();
  simulation_->device()->run([&] { simulation_->keep(*point.copy); });
  point.parameters = simulation_->parameters();
  point.seed = simulation_->seed();
  point.steps = simulation_->steps();
  point.base = base_;
  point.next_event = schedule_.next_event;
  point.next_change = past_.next_change;
  point.tracked_at = tracked_at_;
  return point;
}

// Nothing where there is no memory for it.
std::optional<Stepper::Checkpoint> Stepper::checkpointIfRoom() {
  try {
    return checkpoint();
  } catch (const OutOfMemory&) {
  } catch (const std::bad_alloc&) {
  }
  return std::nullopt;
}

void Stepper::restore(const Checkpoint& point) {
  values_fresh_ = false;
  configureInPlace(point.parameters);
  simulation_->device()->run([&] {
    if (point.copy) {
      simulation_->resume(*point.copy);
    } else {
      simulation_->reset(point.seed);
    }
  });
  base_ = point.base;
  schedule_.next_event = point.next_event;
  past_.next_change = point.next_change;
  tracked_at_ = point.tracked_at;
  keyframes_until_ = simulation_->time();
  placeObservers();
}

int Stepper::batch() const {
  constexpr double kCpuWork = 5e7, kCudaWork = 1e9;           // points, pairs, ... per batch
  constexpr double kCpuPatience = 1e9, kCudaPatience = 1e11;  // the same, for steps that are cheaper at once
  constexpr double kFewest = 1, kMost = 100'000;
  const Throughput throughput = simulation_->throughput();
  const bool cuda = simulation_->device()->isCuda();
  const double work = std::max(1.0, throughput.work_per_step);
  const double steps = (cuda ? kCudaWork : kCpuWork) / work;
  const double at_once = std::min<double>(throughput.at_once, (cuda ? kCudaPatience : kCpuPatience) / work);
  return static_cast<int>(std::clamp(std::max(steps, at_once), kFewest, kMost));
}

void Stepper::step(int n) {
  if (n < 0) throw UsageError("the number of steps must be 0 or more, not " + std::to_string(n));
  if (n == 0) return;
  advanceTo(simulation_->steps() + n);
  arrive();
  if (look_due_) look();
  arriveAtPresent();
  simulation_->device()->run([&] { simulation_->completeStep(); });
}

// Up to the step, without what happens there.
void Stepper::advanceTo(std::int64_t step, bool looks) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  while (simulation_->steps() < step) {
    finds_ = looks;
    arrive();
    finds_ = true;
    if (looks && look_due_) look();
    const int n = static_cast<int>(std::min(kMost, nextStop(step) - simulation_->steps()));
    simulation_->device()->run([&] { simulation_->step(n); });
    values_fresh_ = false;
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

std::vector<Finding> Stepper::findings(const std::vector<double>& values) {
  std::vector<Finding> found;
  simulation_->device()->run([&] { found = simulation_->check(values); });
  return met_.record(std::move(found), simulation_->steps());
}

void Stepper::look() {
  look_due_ = false;
  findings(diagnostics());
}

void Stepper::present(Frame& frame) {
  const compute::DevicePtr& device = simulation_->device();
  if (frame.device != device) {
    frame.channels.clear();
    frame.ready = compute::Fence();
    frame.device = device;
  }
  std::erase_if(frame.channels, [&](const Channel& channel) { return !frame.wants(channel.key); });
  frame.launch_rate = 0;  // until the simulation says one
  device->run([&] { simulation_->present(frame); });
  frame.time = simulation_->time();
  frame.time_step = simulation_->timeStep();
  frame.steps = simulation_->steps();
  frame.parameters = simulation_->parameters();
  frame.followed.clear();
  for (const Track& track : schedule_.timeline.tracks) {
    // One that a recording brought has not been there before.
    const double begins = track.keyframes.front().time;
    if (begins <= 0 || frame.time > begins) frame.followed.push_back(frame.parameters.find(track.key));
  }
  std::sort(frame.followed.begin(), frame.followed.end());
  frame.ready.record(*device);
}

}  // namespace simscope
