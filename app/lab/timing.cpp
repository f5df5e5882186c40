#include "app/lab/timing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

#include "app/lab/timekeeper.h"

namespace simscope::lab {
namespace {

constexpr double kBatch = 2e-3;  // seconds: long beside the resolution of clocks and events
constexpr int kBatches = 7, kMostInBatch = 100'000;

// seconds(n): of n calls.
template <class Seconds>
double medianOf(const std::function<void()>& check, const Seconds& seconds) {
  Timekeeper* const keeper = Timekeeper::current();
  const auto between = [&] {
    check();
    if (keeper) keeper->require();
  };
  between();
  seconds(1);  // the first call creates what is needed
  int n = 1;
  double taken = seconds(n);
  while (taken < kBatch && n < kMostInBatch) {
    between();
    const double wanted = 1.3 * kBatch / std::max(taken, 1e-9) * n;
    n = static_cast<int>(std::clamp(wanted, n + 1.0, std::min(16.0 * n, 1.0 * kMostInBatch)));
    taken = seconds(n);
  }
  const int repeats = keeper ? keeper->repeats(kBatches) : kBatches;
  std::vector<double> each(static_cast<std::size_t>(repeats));
  for (double& one : each) {
    between();
    one = seconds(n) / n;
  }
  std::sort(each.begin(), each.end());
  const double median = each[static_cast<std::size_t>(repeats / 2)];
  const auto quarter = static_cast<std::size_t>(repeats / 4);  // of seven the second and the sixth, of three all
  if (keeper && repeats > 1) {
    keeper->note(median, (each[static_cast<std::size_t>(repeats) - 1 - quarter] - each[quarter]) / 2 / median);
  }
  return median;
}

}  // namespace

double secondsOf(compute::Device& device, const std::function<void()>& check, const std::function<void()>& work) {
  return medianOf(check, [&](int n) {
    return 1e-3 * device.timed([&] {
      for (int i = 0; i < n; ++i) work();
    });
  });
}

double hostSecondsOf(const std::function<void()>& check, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  return medianOf(check, [&](int n) {
    const auto start = Clock::now();
    for (int i = 0; i < n; ++i) work();
    return std::chrono::duration<double>(Clock::now() - start).count();
  });
}

}  // namespace simscope::lab
