#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "app/render/figure/ticks.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::fusion {

// The larger root of a·x² + b·x + c = 0, a > 0: in one kernel, and operation by operation.
struct Root {
  const double *a, *b, *c;
  double* root;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    root[i] = (-b[i] + std::sqrt(b[i] * b[i] - 4 * a[i] * c[i])) / (2 * a[i]);
  }
};

enum class Operation { Scale, Multiply, Subtract, SquareRoot, Add, Divide };

template <Operation kOperation>
struct Step {
  const double *x, *y;  // y: for operations on two arrays
  double factor;
  double* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    if constexpr (kOperation == Operation::Scale) out[i] = factor * x[i];
    if constexpr (kOperation == Operation::Multiply) out[i] = x[i] * y[i];
    if constexpr (kOperation == Operation::Subtract) out[i] = x[i] - y[i];
    if constexpr (kOperation == Operation::SquareRoot) out[i] = std::sqrt(x[i]);
    if constexpr (kOperation == Operation::Add) out[i] = x[i] + y[i];
    if constexpr (kOperation == Operation::Divide) out[i] = x[i] / y[i];
  }
};

namespace {

constexpr double kSmallest = 1e3;
constexpr int kSteps = 9;
// Numbers read and written per element: three and one; two or three for each of the steps below.
constexpr double kFusedBytes = 4 * 8, kSteppedBytes = 22 * 8;

using Parameters = knobs::Sizes<10'000'000, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Most equations",
                                .minimum = 10'000,
                                .maximum = 300'000'000,
                                .help = "Solved at once; fewer if the memory is too small"});
  return all;
}

// Coefficients of equations with two real roots.
struct Equation {
  double a, b, c;
  explicit Equation(std::size_t i)
      : a(1 + static_cast<double>(i % 7)), b(10 + static_cast<double>(i % 101)), c(-1 - static_cast<double>(i % 13)) {}
  double root() const { return (-b + std::sqrt(b * b - 4 * a * c)) / (2 * a); }
};

std::array<std::vector<double>, 3> coefficients(std::size_t n) {
  std::array<std::vector<double>, 3> all;
  for (auto& each : all) each.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Equation equation(i);
    all[0][i] = equation.a;
    all[1][i] = equation.b;
    all[2][i] = equation.c;
  }
  return all;
}

struct Arrays {
  compute::DevicePtr device;
  compute::Buffer<double> a, b, c, first, second, root;

  Arrays(const compute::DevicePtr& on, const std::array<std::vector<double>, 3>& start)
      : device(on),
        a(on, start[0]),
        b(on, start[1]),
        c(on, start[2]),
        first(on, start[0].size()),
        second(on, start[0].size()),
        root(on, start[0].size()) {}

  void solve(std::size_t n) { compute::parallelFor(*device, n, Root{a.data(), b.data(), c.data(), root.data()}); }

  template <Operation kOperation>
  void step(std::size_t n, const double* x, const double* y, double factor, double* out) {
    compute::parallelFor(*device, n, Step<kOperation>{x, y, factor, out});
  }
  // As in an array library that executes one operation at a time; two temporary arrays are enough.
  void solveInSteps(std::size_t n) {
    double* const s = first.data();
    double* const t = second.data();
    step<Operation::Multiply>(n, b.data(), b.data(), 0, s);  // b²: one array read
    step<Operation::Scale>(n, a.data(), nullptr, 4, t);      // 4a
    step<Operation::Multiply>(n, t, c.data(), 0, t);         // 4ac
    step<Operation::Subtract>(n, s, t, 0, s);                // b² − 4ac
    step<Operation::SquareRoot>(n, s, nullptr, 0, s);        // √
    step<Operation::Scale>(n, b.data(), nullptr, -1, t);     // −b
    step<Operation::Add>(n, t, s, 0, s);                     // −b + √
    step<Operation::Scale>(n, a.data(), nullptr, 2, t);      // 2a
    step<Operation::Divide>(n, s, t, 0, root.data());
  }
};

void addWays(std::vector<Way>& ways, Arrays& arrays) {
  const auto way = [&](const char* what, double bytes, const OfSize& solve) {
    const std::string title = (arrays.device->isCuda() ? "GPU, " : "CPU, ") + std::string(what);
    const auto check = [&arrays, title](std::size_t n) {
      requireValues(title, *arrays.device, arrays.root.data(), n, 1e-12,
                    [](std::size_t i) { return Equation(i).root(); });
    };
    ways.push_back({.title = title,
                    .device = arrays.device,
                    .prepare = tasks(solve, check),
                    .clear = [&arrays] { arrays.root.zero(); },
                    .bytes = bytes});
  };
  way("one kernel", kFusedBytes, [&](std::size_t n) { arrays.solve(n); });
  way("a kernel each step", kSteppedBytes, [&](std::size_t n) { arrays.solveInSteps(n); });
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  constexpr double kHeld = 6 * 8;  // bytes per equation in each device's memory
  const double largest = fitting(bench, p.largest, {.host = 3 * kHeld, .gpu = 2 * kHeld});
  Sweep sweep{.sizes = sizesBetween(kSmallest, largest, p.per_decade)};
  const auto start = coefficients(static_cast<std::size_t>(sweep.sizes.back()));
  std::vector<Arrays> arrays;
  for (const compute::DevicePtr& device : bench.devices()) arrays.emplace_back(device, start);
  for (Arrays& each : arrays) addWays(sweep.ways, each);
  sweep.time(bench);

  Result result;
  result.columns = {{"Kernels"},
                    {"Bytes an equation", "B"},
                    {fmt::format("Time of {}", render::countText(static_cast<std::int64_t>(sweep.sizes.back()))), "s"},
                    {"Moved", "B/s"},
                    limitShare("Share of the limit")};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const double kernels = way.bytes == kFusedBytes ? 1 : kSteps, rate = carried(way.bytes * n / seconds, seconds);
    return Row{.name = way.title,
               .values = {kernels, way.bytes, seconds, rate, bench.memoryShare(way.device, rate)},
               .headroom = headroomOf(way.device, kFusedBytes * n)};
  });
  sweep.drawTimes(result.chart, "Time to solve quadratic equations over their number", {.title = "equations"});
  if (std::any_of(result.rows.begin(), result.rows.end(), [](const Row& row) { return row.values.back() > 1; })) {
    result.notes.push_back("The limit is the rate of a copy. Steps that write over their own input can be faster.");
  }
  const Way &fused = sweep.ways[sweep.ways.size() - 2], &stepped = sweep.ways.back();
  result.finding = fmt::format(
      "On this machine's {} one kernel solves {} equations {} as {} kernels, which move {} times the bytes; with {} "
      "equations, where the start of a kernel matters more, it is {}.",
      bench.cuda ? "GPU" : "CPU", sizeText(sweep.sizes.back()),
      timesAs(stepped.atLargest() / fused.atLargest(), "fast"), kSteps, roundText(kSteppedBytes / kFusedBytes),
      sizeText(sweep.sizes.front()), timesAs(stepped.atSmallest() / fused.atSmallest(), "fast"));
  result.noteLackOfCuda(bench);
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 2e7 : 2e6) * size);
  Arrays arrays(device, coefficients(n));
  std::vector<Way> ways;
  addWays(ways, arrays);
  for (const Way& way : ways) {
    into.push_back({.kernel = way.bytes == kFusedBytes ? "quadratic formula" : "quadratic formula in steps",
                    .bytes = way.bytes * static_cast<double>(n),
                    .operations = 1.0 * kSteps * static_cast<double>(n),
                    .seconds = secondsAt(way, bench, n),
                    .format = Format::Float64});
  }
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "fusion",
      .title = "Fusion",
      .text =
          "A library of arrays computes a formula one operation at a time: each operation reads its operands from "
          "memory and writes a result that the next one reads again. The larger root of a quadratic equation takes "
          "nine such steps and moves 176 bytes for each equation in double precision. Only 32 bytes are needed, for "
          "three numbers read and one written: a single kernel keeps all other results in registers. Short arrays "
          "gain, too, because one kernel starts instead of nine. Arrays that fit a cache hide part of the difference.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::fusion
