#include "app/sweep/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <span>

#include "app/sweep/pool.h"
#include "app/sweep/scattered.h"
#include "sims/compute/ranks/crew.h"
#include "sims/core/batch.h"
#include "sims/core/words.h"

namespace simscope::sweep {

namespace {

using Clock = std::chrono::steady_clock;
using Indices = std::vector<std::size_t>;

constexpr double kLookSeconds = 0.1;  // between two calls of `between`

double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Those of one shape together, in portions that fit into half of the device's free memory.
std::vector<Indices> portionsOf(const Plan& plan, const Indices& runs, const compute::Device& device, int sharing) {
  std::map<std::vector<std::string>, Indices> shapes;
  double largest = 0;
  for (const std::size_t run : runs) {
    const ParameterSet parameters = plan.parametersOf(run);
    std::vector<std::string> shape;
    for (const std::string& key : plan.description().batch.shape) shape.push_back(toText(parameters.get(key)));
    shapes[shape].push_back(run);
    if (plan.description().memory) {
      largest = std::max(largest, plan.description().memory(parameters, device.info().backend));
    }
  }
  const double free = static_cast<double>(device.memoryFree()) / sharing;
  const double fit = largest > 0 ? 0.5 * free / largest : kMostSideBySide;
  const auto most = static_cast<std::size_t>(std::clamp<double>(fit, 1, kMostSideBySide));
  std::vector<Indices> portions;
  for (const auto& [shape, alike] : shapes) {
    for (std::size_t first = 0; first < alike.size(); first += most) {
      const std::size_t last = std::min(alike.size(), first + most);
      portions.emplace_back(alike.begin() + static_cast<std::ptrdiff_t>(first),
                            alike.begin() + static_cast<std::ptrdiff_t>(last));
    }
  }
  return portions;
}

// The steps of all runs, in portions of about kLookSeconds, however fast they are.
void stepAll(Batch& batch, const Plan& plan, const compute::DevicePtr& device, Counter& counter,
             const Between& between) {
  constexpr std::int64_t kFirst = 64, kMost = 1 << 20;
  std::int64_t portion = kFirst;
  for (std::int64_t left = plan.steps; left > 0;) {
    between(counter.progress(plan));
    const std::int64_t now = std::min(portion, left);
    const Clock::time_point start = Clock::now();
    batch.step(static_cast<int>(now));
    device->synchronize();
    const double seconds = std::max(secondsSince(start), 1e-6);
    left -= now;
    counter.steps += now * static_cast<std::int64_t>(batch.runs());
    portion = static_cast<std::int64_t>(std::clamp<double>(static_cast<double>(now) * kLookSeconds / seconds, 1,
                                                           static_cast<double>(std::min(kMost, 16 * now))));
  }
}

// False where the device cannot have these side by side.
bool makeSideBySide(const Plan& plan, const Indices& runs, const compute::DevicePtr& device, Counter& counter,
                    const Between& between, Result& result) {
  std::vector<ParameterSet> parameters;
  for (const std::size_t run : runs) parameters.push_back(plan.parametersOf(run));
  bool made = false;
  device->run([&] {
    std::unique_ptr<Batch> batch;
    try {
      batch = plan.description().batch.create(device, parameters, plan.scene.seed);
    } catch (const OutOfMemory&) {
      return;
    }
    if (!batch) return;
    made = true;
    stepAll(*batch, plan, device, counter, between);
    const std::size_t count = plan.description().diagnostics.size();
    std::vector<double> values(runs.size() * count);
    batch->diagnostics(values);
    const std::vector<bool> finite = batch->finite();
    for (std::size_t i = 0; i < runs.size(); ++i) {
      RunResult& run = result.runs[runs[i]];
      if (finite[i]) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * count);
        run = {batch->time(i), {first, first + static_cast<std::ptrdiff_t>(count)}, {}, warningsAmong(batch->check(i))};
      } else {
        run = failedRun(plan, fmt::format("NaN or Inf appeared within {}", counted(plan.steps, "step")));
      }
    }
    result.method = batch->method();
    result.batched += runs.size();
    ++result.batches;
    counter.runs += runs.size();
  });
  return made;
}

}  // namespace

std::vector<Finding> warningsAmong(std::vector<Finding> findings) {
  std::erase_if(findings, [](const Finding& each) { return each.level != Finding::Level::Warning; });
  return findings;
}

std::size_t Result::failed() const noexcept {
  return static_cast<std::size_t>(
      std::count_if(runs.begin(), runs.end(), [](const RunResult& run) { return !run.failure.empty(); }));
}

void requireAnyRun(const Plan& plan, const Result& result) {
  if (result.failed() < result.runs.size()) return;
  throw Error(fmt::format("none of the {} reached its end. The first, {}: {}",
                          counted(static_cast<std::int64_t>(result.runs.size()), "run"), plan.label(0),
                          result.runs.front().failure));
}

namespace {

// Each of several devices makes some of them by itself.
Result makeRunsOnAll(const Plan& plan, const compute::Device& device, const Between& told, const Making& making) {
  compute::Crew& crew = *device.crew();
  const std::vector<compute::DeviceInfo>& members = device.info().members;
  Result result;
  crew.run([&](int rank) {
    const compute::DeviceInfo& info = members[static_cast<std::size_t>(rank)];
    const bool cpu = info.backend == compute::Backend::Cpu;
    const compute::DevicePtr own = compute::Device::open(info.id, cpu ? info.threads : 0);
    const Between between = [&](const Progress& progress) {
      if (crew.failing()) throw compute::RanksStopped("another device has failed");
      if (rank == 0) told(progress);
    };
    Result made = makeRuns(plan, own, between, {making.batched, crew.device(rank)->ranks()});
    if (rank == 0) result = std::move(made);
  });
  result.device = device.info();
  return result;
}

}  // namespace

Result makeRuns(const Plan& plan, const compute::DevicePtr& device, const Between& told, const Making& making) {
  if (device->crew()) return makeRunsOnAll(plan, *device, told, making);
  // All begin together, so that opening the device is not part of the time, as in one process.
  if (making.ranks) making.ranks->barrier();
  const Clock::time_point start = Clock::now();
  const int ranks = making.ranks ? making.ranks->size() : 1, sharing = making.ranks ? making.ranks->localSize() : 1;
  // Assumes that the other ranks have come as far.
  const Between between = [&](Progress progress) {
    if (making.ranks) making.ranks->alive();
    progress.runs_done = std::min(progress.runs_done * static_cast<std::size_t>(ranks), progress.runs);
    progress.share = std::min(progress.share * ranks, 1.0);
    told(progress);
  };
  const Indices own = ownRuns(plan.runs(), making.ranks);
  Result result;
  result.runs.resize(plan.runs());
  result.device = device->info();
  Counter counter;
  between(counter.progress(plan));
  Indices single;
  if (making.batched && plan.description().batch.create && plan.scene.timeline.empty()) {
    for (const Indices& portion : portionsOf(plan, own, *device, sharing)) {
      if (makeSideBySide(plan, portion, device, counter, between, result)) continue;
      single.insert(single.end(), portion.begin(), portion.end());
    }
  } else {
    single = own;
  }
  makeEach(plan, single, device, sharing, counter, between, result);
  if (making.ranks) gatherRuns(*making.ranks, result);
  result.seconds = secondsSince(start);
  if (!making.ranks || making.ranks->first()) requireAnyRun(plan, result);
  return result;
}

}  // namespace simscope::sweep
