// What the runner's thread does at a command.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sims/compute/library_missing.h"
#include "sims/compute/ranks/crew.h"
#include "sims/core/divided.h"
#include "sims/core/run/runner_loop.h"

namespace simscope {
namespace {

// A cautious guess of a step's cost before the first is measured: 1 GB/s and 1 GFLOP/s.
double guessedUs(const Throughput& work) {
  return 1e-3 * std::max(work.bytes_per_step, work.flops_per_step);
}

}  // namespace

// Makes the simulation that the run wants but does not have: at the start, or after an attempt that failed.
void Runner::Loop::build() {
  try {
    if (!chosen_) chosen_ = device_ = compute::Device::open(device_spec_, threads_);
    stepper_ = begun(*description_, parameters_, seed_, first_timeline_);
  } catch (const std::exception& error) {
    const std::lock_guard lock(mutex_);
    status_.message = error.what();  // why there is no run; the command that asked for one is refused with it
    throw;
  }
  restarted();
  measureAnew();
}

std::unique_ptr<Stepper> Runner::Loop::begun(const Description& description, const ParameterSet& parameters,
                                             std::uint64_t seed, const Timeline& timeline) {
  const auto begin = [&](const compute::DevicePtr& device) {
    try {
      return std::make_unique<Stepper>(description, device, parameters, seed);
    } catch (const UsageError&) {
      if (!stepper_ || stepper_->keptBytes() == 0) throw;
      stepper_->forgetCopies();  // its past gives way
      return std::make_unique<Stepper>(description, device, parameters, seed);
    }
  };
  std::unique_ptr<Stepper> stepper;
  try {
    const compute::DevicePtr device = deviceFor(description, parameters);
    stepper = begin(device);
    device_ = device;
  } catch (const compute::LibraryMissing& missing) {
    if (device_spec_ != "auto") throw;  // the user chose this device
    compute::DevicePtr cpu = compute::Device::open("cpu", threads_);
    stepper = begin(cpu);
    chosen_ = device_ = std::move(cpu);
    device_spec_ = "cpu";
    why_elsewhere_ = std::string(missing.what()) + ". The run is on the CPU instead.";
  }
  stepper->keepPast(past_bytes_);
  stepper->changeTimeline(timeline);  // what takes long of it is a way
  return stepper;
}

// The one that was chosen; where it is several that cannot make such a run together, the first of them alone.
compute::DevicePtr Runner::Loop::deviceFor(const Description& description, const ParameterSet& parameters) {
  const compute::DeviceInfo& chosen = chosen_->info();
  if (!chosen_->crew()) return chosen_;
  const std::string why = whyNotDivided(description, parameters, chosen_->crew()->size(), chosen.backend);
  if (why.empty()) return chosen_;
  const std::string& one = chosen.members.front().id;
  why_elsewhere_ = fmt::format("The run uses only {}: {}.", one, why);
  const bool there = device_ != chosen_ && device_->info().id == one;
  return there ? device_ : compute::Device::open(one, threads_);
}

void Runner::Loop::restarted() {
  parameters_ = stepper_->simulation().parameters();
  seed_ = stepper_->simulation().seed();
  ++epoch_;
  if (!playing()) motion_ = Motion::Paused;
  loaded_ = glancing_ = false;
  single_frames_ = left_ = last_frame_steps_ = 0;
  rate_ = 0;
  rate_steps_ = stepper_->simulation().steps();
  rate_at_ = Clock::now();
  timeline_.reset();
  dirty_ = true;
  say(std::exchange(why_elsewhere_, {}));
}

// Another simulation, size, or device: what was measured before says nothing about it.
void Runner::Loop::measureAnew() {
  meter_.start(guessedUs(stepper_->simulation().throughput()));
  diagnostics_ration_.start();
  watch_ration_.start();
  bus_bytes_ = device_->counters().bytes_to_device + device_->counters().bytes_to_host;
  bus_per_frame_.reset();
  launches_ = device_->counters().launches;
  launches_per_frame_.reset();
  limit_.reset();
}

// A run that cannot go on refuses to, and says why again.
void Runner::Loop::requireGoing() {
  if (stepper_ && motion_ != Motion::Stopped) return;
  const std::lock_guard lock(mutex_);
  throw Error(status_.message.empty() ? "the run cannot go on" : status_.message);
}

void Runner::Loop::carryOut(const Play&) {
  requireGoing();
  if (playing()) return;
  motion_ = Motion::Playing;
  rate_ = 0;
  rate_at_ = Clock::now();
  rate_steps_ = stepper_->simulation().steps();
  owed_at_ = Clock::now();
  owed_ = 1;  // the first at once
  glancing_ = false;
}

void Runner::Loop::carryOut(const Pause&) {
  if (playing()) {
    motion_ = Motion::Paused;
    if (stepper_) verify();  // it may have been put off
  }
  // A run that stands shows its own numbers.
  if (stepper_ && diagnostics_steps_ != stepper_->simulation().steps()) dirty_ = dirty_ || !lockstep_;
  rate_ = 0;
  if (left_ > 0 && !lockstep_ && single_frames_ == 0) {
    left_ = 0;  // shows where the run stands, in the middle of a long frame
    dirty_ = true;
  }
}

void Runner::Loop::carryOut(const StepOnce&) {
  requireGoing();
  if (playing()) return;
  if (stepper_->inPast()) {  // through what has been
    const auto& way = stepper_->replay();
    const std::int64_t from = way ? way->to : stepper_->simulation().steps();
    return carryOut(GoTo{std::min(stepper_->lastStep(), from + stepsByHand())});
  }
  ++single_frames_;
  motion_ = Motion::Paused;
}

void Runner::Loop::carryOut(const Reset& reset) {
  if (!stepper_) {
    seed_ = reset.seed.value_or(seed_);
    build();
    return;
  }
  leaveWay();
  stepper_->reset(reset.seed.value_or(stepper_->simulation().seed()));
  restarted();
}

void Runner::Loop::carryOut(const Pace& wanted) {
  pace_ = wanted;
  pace_.steps_per_frame = std::max(1, wanted.steps_per_frame);
  if (!lockstep_ && pace_.mode == Pace::Mode::StepsPerFrame) left_ = std::min(left_, pace_.steps_per_frame);
  if (!lockstep_ && pace_.mode == Pace::Mode::Budget) left_ = std::min(left_, stepsPerFrame());
  owed_at_ = Clock::now();
  owed_ = std::min(owed_, 1.0);
  if (const auto interval = frameInterval()) next_frame_ = std::min(next_frame_, Clock::now() + *interval);
}

void Runner::Loop::carryOut(const SetEnd& wanted) {
  if (wanted.end && wanted.end->step < 1)
    throw UsageError("the end of a run must be at step 1 or later, not at " + std::to_string(wanted.end->step));
  end_ = wanted.end;
}

void Runner::Loop::carryOut(const ShowChannels& shown) {
  if (shown.channels == shown_channels_) return;
  shown_channels_ = shown.channels;
  // A run that stands shows them, too. In lockstep the next frame does.
  if (stepper_) dirty_ = dirty_ || !recording();
}

// What the user wants by all commands so far.
ParameterSet Runner::Loop::asked() const {
  if (waiting_) return std::get<Change>(waiting_->command).wanted;
  return stepper_ ? stepper_->asked() : parameters_;
}

void Runner::Loop::carryOut(const Change& change) {
  ParameterSet all = asked();
  if (all.infos().data() != change.wanted.infos().data()) throw Error("the run is one of another simulation");
  for (const std::size_t index : change.indices) all.set(index, change.wanted[index]);
  if (!replaying() || all.needsReset(stepper_->simulation().parameters())) return configure(all);
  std::vector<std::size_t> indices = change.indices;
  if (waiting_) {
    const std::vector<std::size_t>& former = std::get<Change>(waiting_->command).indices;
    indices.insert(indices.end(), former.begin(), former.end());
  }
  waiting_ = Given{carried_, Change{std::move(all), std::move(indices)}};
}

void Runner::Loop::configure(const ParameterSet& parameters) {
  if (!stepper_) {
    parameters_ = parameters;
    build();
    return;
  }
  const ParameterSet before = stepper_->simulation().parameters();
  stepper_->configure(parameters);
  if (parameters.needsReset(before)) {
    waiting_.reset();
    restarted();
    measureAnew();
  } else if (!(parameters == before)) {
    parameters_ = parameters;
    dirty_ = dirty_ || !recording();
    if (motion_ != Motion::Stopped) say({});
  }
}

void Runner::Loop::carryOut(const SetDevice& wanted) {
  compute::DevicePtr device = compute::Device::open(wanted.device, wanted.threads);
  if (stepper_) stepper_->moveTo(device);
  chosen_ = device_ = std::move(device);
  device_spec_ = wanted.device;
  threads_ = wanted.threads;
  if (!stepper_) {
    build();
    return;
  }
  measureAnew();
  dirty_ = true;
  if (motion_ != Motion::Stopped) say({});
}

void Runner::Loop::carryOut(const Select& selection) {
  if (!stepper_) {
    description_ = selection.description;
    parameters_ = selection.parameters;
    seed_ = selection.seed;
    first_timeline_ = selection.timeline;
    build();
  } else {
    stepper_ = begun(*selection.description, selection.parameters, selection.seed, selection.timeline);
    description_ = selection.description;
    waiting_.reset();
    restarted();
    measureAnew();
  }
  end_.reset();
  shown_channels_.reset();
  first_of_selection_ = published_ + 1;
}

void Runner::Loop::carryOut(const Timeline& timeline) {
  if (!stepper_) {
    first_timeline_ = timeline;
    build();
    return;
  }
  const std::int64_t before = stepper_->simulation().steps();
  timeline_.reset();
  stepper_->changeTimeline(timeline);
  if (stepper_->simulation().steps() < before || motion_ == Motion::Stopped) {
    const bool loaded = loaded_;  // the replay may begin there
    restarted();
    loaded_ = loaded;
    shown_at_ = Clock::now();  // where it begins is seen only if the way is long
  } else {
    dirty_ = dirty_ || !recording();
    say({});
  }
}

void Runner::Loop::carryOut(const EndReplay&) {
  if (!replaying()) return;
  dirty_ = true;
  leaveWay();
}

void Runner::Loop::carryOut(const Load& load) {
  if (!stepper_) throw Error("no simulation is selected to load a state into");
  stepper_->load(*load.state);
  waiting_.reset();
  restarted();
  loaded_ = true;
}

void Runner::Loop::carryOut(const Save& save) {
  if (!stepper_) throw Error("no simulation is selected to save");
  save.done(stepper_->save());
}

void Runner::Loop::carryOut(const Brush& brush) {
  if (!stepper_ || !stepper_->poke(brush)) return;
  timeline_.reset();
  dirty_ = dirty_ || !recording();
}

void Runner::Loop::carryOut(const SetLockstep& lockstep) {
  if (std::exchange(left_, 0) > 0) dirty_ = true;  // in the middle of a frame: the state there begins anew
  if (dirty_) publish();                           // belongs to what came before: it need not be taken
  lockstep_ = lockstep.steps_per_frame;
  if (lockstep_) lockstep_ = std::max(1, *lockstep_);
  const std::lock_guard lock(mutex_);
  awaiting_ = false;
}

}  // namespace simscope
