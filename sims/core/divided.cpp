#include "sims/core/divided.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sims/compute/device_lost.h"

namespace simscope {

namespace {

std::string wordsOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& each) {
    return each.what();
  } catch (...) {
    return "an unknown error";
  }
}

}  // namespace

std::unique_ptr<Simulation> makeSimulation(const Description& description, const compute::DevicePtr& device,
                                           const ParameterSet& parameters) {
  description.requireValid(parameters);
  compute::Crew* const crew = device->crew();
  if (!crew) return description.create(device, parameters);
  const std::string why = whyNotDivided(description, parameters, crew->size(), device->info().backend);
  if (!why.empty()) {
    throw UsageError(fmt::format("{}; choose one device of {} for it", why, device->info().id));
  }
  return std::make_unique<DividedSimulation>(description, device, parameters);
}

std::string whyNotDivided(const Description& description, const ParameterSet& parameters, int devices,
                          compute::Backend backend) {
  const DecompositionInfo& info = description.decomposition;
  if (info.kind == Decomposition::None)
    return fmt::format("a run of {} cannot be divided among devices", description.id);
  if (!info.applies.holds(parameters)) {
    return fmt::format("a run of {} can be divided among devices only with {}", description.id,
                       typedText(info.applies));
  }
  if (backend == compute::Backend::Cuda && !info.on_cuda.holds(parameters)) {
    return fmt::format("a run of {} can be divided among CUDA devices only with {}", description.id,
                       typedText(info.on_cuda));
  }
  const int most = info.most_ranks ? info.most_ranks(parameters) : devices;
  if (devices <= most) return {};
  return fmt::format("a run of {} with {} = {} can be divided among at most {} devices, not among {}", description.id,
                     description.size_key, toText(parameters.get(description.size_key)), most, devices);
}

DividedSimulation::DividedSimulation(const Description& description, compute::DevicePtr device,
                                     const ParameterSet& parameters)
    : Simulation(description, std::move(device), parameters) {
  const Decomposition kind = description.decomposition.kind;
  saves_together_ = kind == Decomposition::Slabs;
  looks_together_ = saves_together_ || kind == Decomposition::Bodies;
  counted_ = device_->crew()->counters();
  parts_.resize(static_cast<std::size_t>(device_->crew()->size()));
  try {
    all(Effect::Reads, [&](int rank, Part& own) {
      own.simulation = description.create(device_->crew()->device(rank), parameters);
      own.frame.device = device_->crew()->device(rank);
    });
  } catch (...) {
    // What has been made goes where it was made.
    (void)device_->crew()->tryRun([&](int rank) { parts_[static_cast<std::size_t>(rank)] = {}; });
    throw;
  }
  follow();
}

DividedSimulation::~DividedSimulation() {
  (void)device_->crew()->tryRun([&](int rank) { parts_[static_cast<std::size_t>(rank)] = {}; });
}

// All ranks do it, after what has been enqueued on the device, and before what will be.
template <class Work>
void DividedSimulation::all(Effect effect, const Work& work) const {
  if (!lost_.empty()) throw compute::DeviceLost(lost_);
  compute::Crew& crew = *device_->crew();
  begun_.record(*device_);
  const auto failed = crew.tryRun([&](int rank) {
    Part& own = parts_[static_cast<std::size_t>(rank)];
    const compute::Device& device = *crew.device(rank);
    begun_.enqueueWait(device.stream());
    work(rank, own);
    own.ended.record(device);
  });
  const compute::Counters now = crew.counters();
  device_->countLaunches(now.launches - counted_.launches);
  device_->countTransfers(now.bytes_to_device - counted_.bytes_to_device, now.bytes_to_host - counted_.bytes_to_host);
  counted_ = now;
  if (failed) {
    if (effect == Effect::Changes && !failed->alike) {
      lost_ = fmt::format("the run on {} has ended: {}", device_->info().id, wordsOf(failed->error));
    }
    std::rethrow_exception(failed->error);
  }
  for (const Part& each : parts_) each.ended.enqueueWait(device_->stream());
}

// What the base says of the run is what rank 0's simulation says.
void DividedSimulation::follow() {
  seed_ = first().seed();
  steps_ = first().steps();
}

void DividedSimulation::reset(std::uint64_t seed) {
  all(Effect::Changes, [&](int, Part& own) { own.simulation->reset(seed); });
  follow();
}

void DividedSimulation::step(int n) {
  all(Effect::Changes, [&](int, Part& own) { own.simulation->step(n); });
  follow();
}

void DividedSimulation::completeStep() {
  all(Effect::Changes, [&](int, Part& own) { own.simulation->completeStep(); });
}

void DividedSimulation::present(Frame& frame) {
  all(Effect::Reads, [&](int rank, Part& own) {
    if (rank != 0 && !looks_together_) return;
    if (rank != 0) {
      own.frame.wanted = frame.wanted;
      std::erase_if(own.frame.channels, [&](const Channel& each) { return !own.frame.wants(each.key); });
      own.simulation->present(own.frame);
      return;
    }
    // Its channels lie on the first of the crew, which has the memory of the device that stands for all.
    struct Lent {
      Frame& frame;
      compute::DevicePtr stands_for_all;
      ~Lent() { frame.device = std::move(stands_for_all); }
    } lent{frame, std::exchange(frame.device, own.simulation->device())};
    own.simulation->present(frame);
  });
}

void DividedSimulation::diagnostics(std::span<double> values) {
  all(Effect::Reads, [&](int rank, Part& own) {
    if (rank == 0) return own.simulation->diagnostics(values);
    if (!looks_together_) return;
    std::vector<double> unseen(values.begin(), values.end());
    own.simulation->diagnostics(unseen);
  });
}

std::vector<Finding> DividedSimulation::check(std::span<const double> values) const {
  std::vector<Finding> found;
  all(Effect::Reads, [&](int rank, Part& own) {
    if (rank == 0) {
      found = own.simulation->check(values);
    } else if (looks_together_) {
      own.simulation->check(values);
    }
  });
  return found;
}

bool DividedSimulation::finite() {
  std::vector<char> here(parts_.size(), 1);
  all(Effect::Reads, [&](int rank, Part& own) { here[static_cast<std::size_t>(rank)] = own.simulation->finite(); });
  return std::all_of(here.begin(), here.end(), [](char each) { return each != 0; });
}

State DividedSimulation::save() {
  State state;
  all(Effect::Reads, [&](int rank, Part& own) {
    if (rank == 0) {
      state = own.simulation->save();
    } else if (saves_together_) {
      own.simulation->save();
    }
  });
  return state;
}

void DividedSimulation::load(const State& state) {
  all(Effect::Changes, [&](int, Part& own) { own.simulation->load(state); });
  follow();
}

void DividedSimulation::keep(KeptState& former) {
  former.begin(device_);
  State& head = former.state;
  head.simulation = description().id;
  head.parameters = parameters_;
  head.seed = seed_;
  head.steps = steps_;
  head.time = time();
  former.parts.resize(parts_.size());
  try {
    all(Effect::Reads,
        [&](int rank, Part& own) { own.simulation->keep(former.parts[static_cast<std::size_t>(rank)]); });
  } catch (...) {
    former.parts.clear();
    throw;
  }
}

void DividedSimulation::resume(const KeptState& kept) {
  if (kept.parts.size() != parts_.size()) {
    throw UsageError(fmt::format("the copy does not belong to a run on {}", device_->info().id));
  }
  all(Effect::Changes,
      [&](int rank, Part& own) { own.simulation->resume(kept.parts[static_cast<std::size_t>(rank)]); });
  follow();
}

void DividedSimulation::setObservers(std::span<const double> placed) {
  all(Effect::Changes, [&](int, Part& own) { own.simulation->setObservers(placed); });
}

std::string DividedSimulation::method() const {
  const compute::DeviceInfo& info = device_->info();
  return fmt::format("{}; {} devices, by {}", first().method(), info.members.size(), info.link);
}

// save() and its like, which go by the table, ask the parts for theirs.
void DividedSimulation::visit(Archive&) {}
void DividedSimulation::loaded(const State&) {}

void DividedSimulation::change(const ParameterSet& parameters) {
  all(Effect::Changes, [&](int, Part& own) { own.simulation->apply(parameters); });
}

bool DividedSimulation::stroke(const Brush& brush) {
  std::vector<char> did(parts_.size(), 0);
  all(Effect::Changes, [&](int rank, Part& own) { did[static_cast<std::size_t>(rank)] = own.simulation->poke(brush); });
  return did.front() != 0;
}

}  // namespace simscope
