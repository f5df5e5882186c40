#include "app/lab/timing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace simscope::lab {
namespace {

constexpr double kBatch = 2e-3;  // seconds: long beside the resolution of clocks and events
constexpr int kBatches = 7, kMostInBatch = 100'000;

// seconds(n): of n calls.
template <class Seconds>
double medianOf(const std::function<void()>& check, const Seconds& seconds) {
  check();
  seconds(1);  // pays for what is made at the first call
  int n = 1;
  double taken = seconds(n);
  while (taken < kBatch && n < kMostInBatch) {
    check();
    const double wanted = 1.3 * kBatch / std::max(taken, 1e-9) * n;
    n = static_cast<int>(std::clamp(wanted, n + 1.0, std::min(16.0 * n, 1.0 * kMostInBatch)));
    taken = seconds(n);
  }
  std::array<double, kBatches> each{};
  for (double& one : each) {
    check();
    one = seconds(n) / n;
  }
  std::nth_element(each.begin(), each.begin() + kBatches / 2, each.end());
  return each[kBatches / 2];
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
