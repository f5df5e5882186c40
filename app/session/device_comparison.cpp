#include "app/session/device_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "app/session/session.h"
#include "sims/core/memory.h"
#include "sims/core/words.h"

namespace simscope {

namespace {

using Clock = std::chrono::steady_clock;

void requireRoom(const Description& description, const ParameterSet& parameters, const compute::Device& device) {
  if (!description.memory) return;
  const double needed = description.memory(parameters, device.info().backend);
  const double free = static_cast<double>(device.memoryFree());
  if (needed <= free / 2) return;  // false for NaN
  throw UsageError(
      fmt::format("a second {} beside the run needs {} of memory, more than half of the {} free on {}; choose a "
                  "smaller problem, or play on each device",
                  description.title, memoryText(needed), memoryText(free), device.info().id));
}

StepTime timeHere(const Description& description, const ParameterSet& parameters, std::uint64_t seed,
                  std::int64_t run_steps, const compute::DevicePtr& device, double seconds,
                  const std::function<void()>& between) {
  constexpr double kBatches = 8;  // that there is time for
  constexpr std::int64_t kMostSteps = 1'000'000;
  constexpr int kFewest = 3;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  const std::unique_ptr<Simulation> simulation = description.create(device, parameters);
  simulation->reset(seed);
  const Throughput told = simulation->throughput();
  std::int64_t most = kMostSteps;
  if (told.comes_to_rest) most = std::max<std::int64_t>(run_steps, 1);
  const auto microseconds = [&](std::int64_t steps) {
    if (between) between();
    if (told.comes_to_rest && simulation->steps() + steps > most) simulation->reset(seed);
    const double milliseconds = device->timed([&] {
      if (told.only_last_step_costs) {
        for (std::int64_t i = 0; i < steps; ++i) simulation->step(1);
      } else {
        simulation->step(static_cast<int>(steps));
      }
      simulation->completeStep();
    });
    return 1e3 * milliseconds / static_cast<double>(steps);
  };
  StepTime time{.device = device->info(), .method = simulation->method()};
  const auto take = [&](std::int64_t steps) {
    const double us = microseconds(steps);
    if (steps != time.batch_steps) time = {time.device, time.method, us, 0, steps, {}};
    time.step_us = std::min(time.step_us, us);
    ++time.batches;
    return us;
  };
  // The first of a length pays for plans, and for code that is compiled on first use.
  const auto warm = [&](std::int64_t steps) {
    microseconds(steps);
    time.batch_steps = 0;
    return take(steps);
  };
  double us = warm(1);
  const double wanted_us = 1e6 * seconds / kBatches;
  std::int64_t batch = std::min<std::int64_t>(std::max(told.at_once, 1), most);
  if (static_cast<double>(batch) * us > wanted_us) batch = 1;
  if (batch > 1) us = warm(batch);
  while (static_cast<double>(batch) * us < 0.7 * wanted_us && batch < most && Clock::now() < end) {
    const double fit = wanted_us / std::max(us, 1e-3);
    batch = std::min({most, 16 * batch, std::max<std::int64_t>(std::llround(fit), batch + 1)});
    us = warm(batch);
  }
  // No batch starts that would end late, except the few that a minimum needs.
  const auto left_us = [&] { return std::chrono::duration<double, std::micro>(end - Clock::now()).count(); };
  while (left_us() > (time.batches < kFewest ? 0 : static_cast<double>(batch) * us)) us = take(batch);
  return time;
}

}  // namespace

std::string deviceName(const compute::DeviceInfo& device) {
  if (device.backend == compute::Backend::Cuda) return device.id;
  return fmt::format("{}, {}", device.id, counted(device.threads, "thread"));
}

std::string countText(const StepTime& time) {
  const std::string steps = counted(time.batch_steps, "step");
  return time.batches == 1 ? fmt::format("one batch of {}", steps)
                           : fmt::format("best of {} batches of {}", time.batches, steps);
}

std::string comparisonText(const std::string& one, double one_us, const std::string& other, double other_us) {
  const bool first_is_slow = one_us >= other_us;
  const std::string &slow = first_is_slow ? one : other, &fast = first_is_slow ? other : one;
  const double times = std::max(one_us, other_us) / std::min(one_us, other_us);
  if (times < 1.05) return fmt::format("{} and {} are equally fast here.", fast, slow);
  return fmt::format("A step takes {:.{}f} times as long on {} as on {}.", times, times < 10 ? 1 : 0, slow, fast);
}

std::string comparisonText(const std::vector<StepTime>& times) {
  const StepTime *slow = nullptr, *fast = nullptr;
  for (const StepTime& each : times) {
    if (!(each.step_us > 0)) continue;
    if (!slow || each.step_us > slow->step_us) slow = &each;
    if (!fast || each.step_us < fast->step_us) fast = &each;
  }
  if (!slow || slow == fast) return {};
  return comparisonText(deviceName(slow->device), slow->step_us, deviceName(fast->device), fast->step_us);
}

StepTime timeStep(const Description& description, const ParameterSet& parameters, std::uint64_t seed,
                  std::int64_t run_steps, const compute::DevicePtr& device, double seconds,
                  const std::function<void()>& between) {
  requireRoom(description, parameters, *device);
  StepTime time;
  device->run([&] { time = timeHere(description, parameters, seed, run_steps, device, seconds, between); });
  return time;
}

DeviceComparison::~DeviceComparison() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void DeviceComparison::start(Order order) {
  if (state().running || order.contestants.empty()) return;
  if (thread_.joinable()) thread_.join();  // it has come to its end
  stop_ = false;
  order_ = std::move(order);
  report([&](State& state) { state.running = true; });
  thread_ = std::thread([this] { measure(); });
}

void DeviceComparison::measure() {
  std::vector<StepTime> times;
  try {
    for (const Contestant& each : order_.contestants) {
      report([&](State& state) { state.device = each.device; });
      try {
        const compute::DevicePtr device = compute::Device::open(each.device, each.threads);
        times.push_back(timeStep(*order_.description, order_.parameters, order_.seed, order_.run_steps, device,
                                 order_.seconds, [this] {
                                   if (stop_) throw Stopped{};
                                 }));
      } catch (const std::exception& error) {
        StepTime none;
        none.device.backend = each.device == "cpu" ? compute::Backend::Cpu : compute::Backend::Cuda;
        none.device.id = each.device;
        none.device.threads = each.threads;
        none.failure = error.what();
        times.push_back(std::move(none));
      }
      if (stop_) throw Stopped{};
    }
  } catch (const Stopped&) {
    report([&](State& state) {
      state.running = false;
      state.times.clear();
    });
    return;
  }
  report([&](State& state) {
    state.running = false;
    state.device.clear();
    state.times = std::move(times);
  });
}

void DeviceComparison::report(const std::function<void(State&)>& change) {
  const std::lock_guard lock(mutex_);
  change(state_);
  ++state_.news;
}

bool DeviceComparison::isOf(const Description& description, const ParameterSet& parameters) const {
  const State now = state();
  if (!now.running && now.times.empty()) return false;  // none yet, or it was cancelled
  return &description == order_.description && parameters.infos().data() == order_.parameters.infos().data() &&
         !parameters.needsReset(order_.parameters);
}

DeviceComparison::State DeviceComparison::state() const {
  const std::lock_guard lock(mutex_);
  return state_;
}

DeviceComparison::Order comparisonOf(const Session& session) {
  DeviceComparison::Order order;
  order.description = session.status.description;
  order.parameters = session.status.parameters;
  order.seed = session.status.seed;
  if (!order.description || !session.hasPast()) return order;
  for (const Preset& each : order.description->presets) {
    if (each.key == session.scene.preset) order.run_steps = std::int64_t{each.frames} * each.steps_per_frame;
  }
  const compute::DeviceInfo *cpu = nullptr, *cuda = nullptr;
  for (const compute::DeviceInfo& each : session.devices) {
    if (each.backend == compute::Backend::Cpu) {
      if (!cpu) cpu = &each;
    } else if (!cuda || each.id == session.status.device.id) {
      cuda = &each;
    }
  }
  if (!cpu) return order;
  const int threads = session.threads() > 0 ? session.threads() : cpu->threads;
  if (cuda) {
    order.contestants = {{cpu->id, threads}, {cuda->id}};
  } else if (threads > 1) {
    order.contestants = {{cpu->id, threads}, {cpu->id, 1}};
  }
  return order;
}

}  // namespace simscope
