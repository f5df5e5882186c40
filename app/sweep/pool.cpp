#include "app/sweep/pool.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "app/recording/scene_run.h"
#include "app/sweep/threads.h"

namespace simscope::sweep {

namespace {

constexpr auto kLook = std::chrono::milliseconds(20);  // how often the caller's thread looks at the pool

// The sweep was ended while a run was made; never leaves this file.
struct PoolEnded {};

RunResult makeOne(const Plan& plan, std::size_t run, const compute::DevicePtr& device, Counter& counter,
                  const std::function<void()>& between, std::string& method) {
  RunResult made;
  std::int64_t steps = 0;
  try {
    device->run([&] {
      Stepper stepper = begin(sceneOf(plan, run), device, std::nullopt, between);
      stepWatched(
          stepper, plan.steps,
          [&](int n) {
            stepper.step(n);
            steps += n;
            counter.steps += n;
          },
          between);
      made = finishedRun(stepper);
      method = stepper.simulation().method();
    });
  } catch (const Error& error) {
    made = failedRun(plan, error.what());
  } catch (const UsageError& error) {  // values that do not go together, or that take too much memory
    made = failedRun(plan, error.what());
  }
  counter.steps += plan.steps - steps;
  ++counter.runs;
  return made;
}

class Pool {
 public:
  Pool(const Plan& plan, std::span<const std::size_t> runs, Shares shares, Counter& counter, Result& result)
      : plan_(plan), runs_(runs), counter_(counter), result_(result), working_(shares.workers) {
    threads_ = startedThreads(shares.workers, ended_, [this, each = shares.threads_each](int) { work(each); });
  }
  ~Pool() {
    ended_ = true;
    for (std::thread& each : threads_) each.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void wait(const Between& between) {
    std::unique_lock lock(mutex_);
    while (!idle_.wait_for(lock, kLook, [&] { return working_ == 0; })) {
      lock.unlock();
      between(counter_.progress(plan_));
      lock.lock();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void work(int threads) {
    std::string method;
    try {
      const compute::DevicePtr device = compute::Device::open("cpu", threads);
      const auto stop = [this] {
        if (ended_) throw PoolEnded();
      };
      for (std::size_t i; !ended_ && (i = next_++) < runs_.size();) {
        result_.runs[runs_[i]] = makeOne(plan_, runs_[i], device, counter_, stop, method);
      }
    } catch (const PoolEnded&) {
    } catch (...) {
      ended_ = true;
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    if (!method.empty()) result_.method = method;
    --working_;
    idle_.notify_all();
  }

  const Plan& plan_;
  std::span<const std::size_t> runs_;
  Counter& counter_;
  Result& result_;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> ended_{false};
  std::mutex mutex_;
  std::condition_variable idle_;
  int working_;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

Progress Counter::progress(const Plan& plan) const {
  const double all = static_cast<double>(plan.runs()) * static_cast<double>(plan.steps);
  return {runs, plan.runs(), all > 0 ? static_cast<double>(steps) / all : 0};
}

Shares sharesOf(const Plan& plan, std::size_t runs, int threads, double free_memory) {
  threads = std::max(1, threads);
  auto workers = static_cast<int>(std::clamp<std::size_t>(runs, 1, static_cast<std::size_t>(threads)));
  if (plan.description().memory) {
    double largest = 0;
    for (std::size_t run = 0; run < plan.runs(); ++run) {
      largest = std::max(largest, plan.description().memory(plan.parametersOf(run), compute::Backend::Cpu));
    }
    const double fit = largest > 0 ? 0.5 * free_memory / largest : workers;
    workers = std::max(1, static_cast<int>(std::min<double>(workers, fit)));
  }
  return {workers, threads / workers};
}

Scene sceneOf(const Plan& plan, std::size_t run) {
  Scene scene = plan.scene;
  scene.parameters = plan.parametersOf(run);
  return scene;
}

RunResult failedRun(const Plan& plan, std::string why) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {kNone, std::vector<double>(plan.description().diagnostics.size(), kNone), std::move(why), {}};
}

RunResult finishedRun(Stepper& stepper) {
  std::vector<Finding> warnings = warningsAmong(stepper.findings());
  for (Finding& each : warnings) each.message = each.told(stepper.simulation().steps());
  return {stepper.simulation().time(), stepper.diagnostics(), {}, std::move(warnings)};
}

void makeEach(const Plan& plan, std::span<const std::size_t> runs, const compute::DevicePtr& device, int sharing,
              Counter& counter, const Between& between, Result& result) {
  if (runs.empty()) return;
  if (!device->isCuda()) {
    const Shares shares =
        sharesOf(plan, runs.size(), device->info().threads, static_cast<double>(device->memoryFree()) / sharing);
    Pool pool(plan, runs, shares, counter, result);
    return pool.wait(between);
  }
  for (const std::size_t run : runs) {
    result.runs[run] = makeOne(
        plan, run, device, counter, [&] { between(counter.progress(plan)); }, result.method);
    between(counter.progress(plan));
  }
}

}  // namespace simscope::sweep
