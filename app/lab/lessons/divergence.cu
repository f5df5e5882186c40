#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::divergence {

constexpr int kRounds = 128;

// Each element takes one of `paths` ways. The ways differ only in their numbers, but a warp executes them one after the
// other: threads that take another way wait.
struct Paths {
  const unsigned char* path;
  float* x;
  int paths;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int mine = path[i];
    float value = x[i];
    for (int each = 0; each < paths; ++each) {
      if (each == mine) {
        const float slope = 0.5f + 0.01f * static_cast<float>(each);
        for (int round = 0; round < kRounds; ++round) value = value * slope + 0.25f;
      }
    }
    x[i] = value;
  }
};

namespace {

constexpr std::array kPaths = {1, 2, 4, 8, 16, 32};
constexpr std::size_t kChecked = 4096;

struct Parameters {
  int largest = 1 << 22;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::largest<Parameters>(
      {.title = "Elements", .minimum = 1 << 18, .maximum = 1 << 26, .help = "A CPU computes a 64th of them"});
  return all;
}

enum Order { Sorted, Alternating, Random };
constexpr std::array kOrders = {"neighbours alike", "in turn", "at random"};

std::vector<unsigned char> pathsOf(std::size_t n, int paths, Order order) {
  std::vector<unsigned char> all(n);
  const auto count = static_cast<std::size_t>(paths);
  std::uint32_t state = 7;
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    std::size_t one = (state >> 20) % count;
    if (order == Sorted) one = i * count / n;
    if (order == Alternating) one = i % count;
    all[i] = static_cast<unsigned char>(one);
  }
  return all;
}

// The same number by a loop over only its own way.
float expected(float value, int path) {
  const float slope = 0.5f + 0.01f * static_cast<float>(path);
  for (int round = 0; round < kRounds; ++round) value = value * slope + 0.25f;
  return value;
}

double measured(const Bench& bench, const compute::DevicePtr& device, std::size_t n, int paths, Order order) {
  const std::vector<unsigned char> path = pathsOf(n, paths, order);
  std::vector<float> start(n);
  for (std::size_t i = 0; i < n; ++i) start[i] = static_cast<float>(i % 97) / 97;
  const compute::Buffer<unsigned char> paths_there(device, path);
  compute::Buffer<float> x(device, start);
  const Paths work{paths_there.data(), x.data(), paths};
  double seconds = 0;
  bool right = true;
  device->run([&] {
    compute::parallelFor(*device, n, work);
    const std::vector<float> result = x.toHost();
    const std::size_t apart = std::max<std::size_t>(n / kChecked, 1);
    for (std::size_t i = 0; i < n; i += apart) {
      right = right && std::abs(result[i] - expected(start[i], path[i])) < 1e-5f;  // fused: other bits
    }
    if (right) seconds = secondsOf(*device, bench.check, [&] { compute::parallelFor(*device, n, work); });
  });
  requireRight(right, fmt::format("{}: an element took a wrong way", device->info().name));
  return seconds;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const auto largest = static_cast<std::size_t>(binding().read(set).largest);
  Result result;
  result.columns = {{"Ways"}, {"Time", "s"}, {"Of a single way's time", "%"}, limitShare("Of the arithmetic's limit")};
  double done = 0, worst_gpu = 0, sorted_gpu = 0, worst_cpu = 0;
  for (const compute::DevicePtr& device : bench.devices()) {
    const bool gpu = device->isCuda();
    const std::size_t n = gpu ? largest : largest / 64;
    const double limit = bench.limitsOf(device).operations_per_second;
    double one_way = 0;
    for (const Order order : {Sorted, Alternating, Random}) {
      Curve curve{std::string(gpu ? "GPU, " : "CPU, ") + kOrders[order], {}};
      for (const int paths : kPaths) {
        const double seconds = measured(bench, device, n, paths, order);
        if (one_way == 0) one_way = seconds;
        const double slower = seconds / one_way, operations = static_cast<double>(n) * kRounds;
        result.rows.push_back({curve.title, {1.0 * paths, seconds, slower, operations / seconds / limit}});
        curve.values.push_back(slower);
        bench.progress(++done / static_cast<double>(kPaths.size() * 3 * bench.devices().size()));
      }
      if (gpu && order == Alternating) worst_gpu = curve.values.back();
      if (gpu && order == Sorted) sorted_gpu = curve.values.back();
      if (!gpu && order == Random) worst_cpu = curve.values.back();
      result.chart.curves.push_back(std::move(curve));
    }
  }
  result.chart.title = "Time of elements that go different ways";
  result.chart.setDecades({.title = "ways"}, 1, kPaths.back(), {.title = "times as long as one way"});
  if (!bench.cuda) {
    result.noteLackOfCuda(bench, "and no warps");
    result.finding =
        fmt::format("On this machine's CPU 32 ways at random take {} as one{}.", timesAs(worst_cpu, "long"),
                    worst_cpu > 1.05 ? ", because of their comparisons and of wrongly predicted branches" : "");
    return result;
  }
  result.finding = fmt::format(
      "On this machine's GPU 32 ways take {} as one if the threads of a warp take them in turn, {} if neighbours take "
      "the same one, and on its CPU {} at random.",
      timesAs(worst_gpu, "long"), timesAs(sorted_gpu, "long"), timesAs(worst_cpu, "long"));
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 1 << 22 : 1 << 16) * size);
  const auto count = static_cast<double>(n);
  const double seconds = measured(bench, device, n, 1, Sorted);
  into.push_back({.kernel = "128 rounds, one way",
                  .bytes = (sizeof(unsigned char) + 2 * sizeof(float)) * count,
                  .operations = 2.0 * kRounds * count,
                  .seconds = seconds});
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "divergence",
      .title = "Divergence of warps",
      .text =
          "A GPU runs its threads in warps of 32 that share one instruction at a time. If an `if` sends the threads of "
          "a warp different ways, the warp takes these ways one after the other, and the other threads wait: 32 ways "
          "can take 32 times as long. Only the number of ways within a warp matters, not the total number, so sorting "
          "the elements by their way helps. The threads of a CPU are independent; they lose time by wrongly predicted "
          "branches, and cannot use vector instructions.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::divergence
