// What the runner does about its device: what it costs and can do, and what follows where it is lost.
#include <algorithm>
#include <set>
#include <utility>

#include "sims/compute/device_lost.h"
#include "sims/compute/held_memory.h"
#include "sims/compute/ranks/crew.h"
#include "sims/core/run/runner_loop.h"

namespace simscope {

void Runner::Loop::carryOut(const MeasureLimit&) {
  if (!stepper_) throw Error("no simulation is selected whose limit could be measured");
  limit_ = simscope::measureLimit(device_, stepper_->simulation().throughput());
  if (!device_->isCuda()) return;
  std::set<int> all;  // of several each does its part at the same time
  for (const compute::DeviceInfo& each : device_->info().members) all.insert(each.index);
  if (all.empty()) return;
  limit_->copy_bytes_per_second *= static_cast<double>(all.size());
  limit_->lane_operations_per_second *= static_cast<double>(all.size());
}

void Runner::Loop::measureMemory(const Frame& written, RunnerStatus& next) {
  std::size_t own = 0;
  for (const Channel& channel : written.channels) own += channel.data.bytes();
  frames_held_[&written] = {written.device, own};
  for (const auto& [frame, held] : frames_held_) {
    if (held.first == device_) next.memory.frames += held.second;
  }
  std::size_t all = compute::heldBytes(*device_);
  const compute::Crew* const crew = device_->crew();
  for (int rank = 0; crew && rank < crew->size(); ++rank) {
    next.memory.members.push_back(compute::heldBytes(*crew->device(rank)));
    all += next.memory.members.back();
  }
  next.memory.simulation = all - std::min(all, next.memory.frames);
}

// A library's error does not tell; the next call does.
bool Runner::Loop::deviceIsLost() const noexcept {
  if (!device_ || !device_->isCuda()) return false;
  try {
    device_->synchronize();
  } catch (const compute::DeviceLost&) {
    return true;
  } catch (...) {
  }
  return false;
}

// Whether the run has a device to lose: the processor's memory is all that there is, but several ranks of it can be
// given up for one.
bool Runner::Loop::canGoElsewhere() const noexcept {
  return device_ && (device_->isCuda() || device_->crew());
}

// False: that did not work either, and the message says both.
bool Runner::Loop::goOnElsewhere(const std::string& why) noexcept {
  if (!stepper_) {
    say(why);
    return false;
  }
  try {
    const Simulation& lost = stepper_->simulation();
    const Description& description = lost.description();
    compute::DevicePtr cpu = compute::Device::open("cpu", threads_);
    auto next = std::make_unique<Stepper>(description, cpu, stepper_->base(), lost.seed());
    next->changeTimeline(stepper_->timeline());
    const State* const good = stepper_->lastGood();
    if (good) next->load(*good);
    const std::int64_t step = next->simulation().steps();
    const bool came_from_state = loaded_;
    stepper_ = std::move(next);
    chosen_ = device_ = std::move(cpu);
    device_spec_ = "cpu";
    frames_held_.clear();
    restarted();
    loaded_ = came_from_state;
    measureAnew();
    say(why + ". The run continues on the CPU, from " +
        (good ? "its last copied state, step " + std::to_string(step) : std::string("its beginning")) + ".");
    return true;
  } catch (const std::exception& error) {
    say(why + ". The CPU cannot continue it: " + error.what());
  } catch (...) {
    say(why);
  }
  return false;
}

}  // namespace simscope
