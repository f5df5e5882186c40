#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
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

struct Parameters {
  int largest = 10'000'000;
  int per_decade = 2;
};

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

struct Place {
  compute::DevicePtr device;
  compute::Buffer<double> a, b, c, first, second, root;
  Curve fused, stepped;

  Place(const compute::DevicePtr& on, const std::array<std::vector<double>, 3>& start, const std::string& name)
      : device(on),
        a(on, start[0]),
        b(on, start[1]),
        c(on, start[2]),
        first(on, start[0].size()),
        second(on, start[0].size()),
        root(on, start[0].size()),
        fused{name + ", one kernel", {}},
        stepped{name + ", a kernel each step", {}} {}

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

  void measure(const Bench& bench, std::size_t n) {
    const auto one = [&](Curve& curve, const std::function<void()>& solved) {
      root.zero();
      solved();
      requireValues(curve.title, *device, root.data(), n, 1e-12, [](std::size_t i) { return Equation(i).root(); });
      curve.values.push_back(secondsOf(*device, bench.check, solved));
    };
    one(fused, [&] { solve(n); });
    one(stepped, [&] { solveInSteps(n); });
  }
};

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  constexpr double kHeld = 6 * 8;  // bytes per equation in each device's memory
  double largest = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / 3 / kHeld);
  if (bench.cuda) largest = std::min(largest, static_cast<double>(bench.cuda->memoryFree()) / 2 / kHeld);
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);
  const auto start = coefficients(static_cast<std::size_t>(sizes.back()));
  std::vector<Place> places;
  places.emplace_back(bench.cpu, start, "CPU");
  if (bench.cuda) places.emplace_back(bench.cuda, start, "GPU");
  double done = 0;
  for (Place& place : places) {
    place.device->run([&] {
      for (const double size : sizes) {
        place.measure(bench, static_cast<std::size_t>(size));
        bench.progress(++done / static_cast<double>(sizes.size() * places.size()));
      }
    });
  }

  Result result;
  result.columns = {{"Kernels"},
                    {"Bytes an equation", "B"},
                    {fmt::format("Time of {}", render::countText(static_cast<std::int64_t>(sizes.back()))), "s"},
                    {"Moved", "B/s"},
                    {"Share of the limit", "%", true}};
  for (const Place& place : places) {
    const double limit = bench.limitsOf(place.device).bytes_per_second;
    const auto row = [&](const Curve& curve, double kernels, double bytes) {
      const double seconds = curve.values.back(), rate = carried(bytes * sizes.back() / seconds, seconds);
      result.rows.push_back({curve.title, {kernels, bytes, seconds, rate, rate / limit}});
      result.rows.back().headroom = headroomOf(place.device, kFusedBytes * sizes.back());
      result.chart.curves.push_back(curve);
    };
    row(place.fused, 1, kFusedBytes);
    row(place.stepped, kSteps, kSteppedBytes);
  }
  result.chart.title = "Time to solve quadratic equations over their number";
  result.chart.x = {.title = "equations", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  if (std::any_of(result.rows.begin(), result.rows.end(), [](const Row& row) { return row.values.back() > 1; })) {
    result.notes.push_back("The limit is the rate of a copy. Steps that write over their own input can be faster.");
  }
  const Place& best = places.back();
  result.finding = fmt::format(
      "On this machine's {} one kernel solves {} equations {} as {} kernels, which move {} times the bytes; with {} "
      "equations, where the start of a kernel matters more, it is {}.",
      bench.cuda ? "GPU" : "CPU", sizeText(sizes.back()),
      timesAs(best.stepped.values.back() / best.fused.values.back(), "fast"), kSteps,
      roundText(kSteppedBytes / kFusedBytes), sizeText(sizes.front()),
      timesAs(best.stepped.values.front() / best.fused.values.front(), "fast"));
  if (!bench.cuda) {
    result.notes.push_back("No CUDA device: " + bench.no_cuda);
  }
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 2e7 : 2e6) * size);
  Place place(device, coefficients(n), "");
  place.measure(bench, n);
  const auto point = [&](const char* kernel, double bytes, const Curve& curve) {
    into.push_back({kernel, bytes * static_cast<double>(n), 1.0 * kSteps * static_cast<double>(n), curve.values.back(),
                    Format::Float64});
  };
  point("quadratic formula", kFusedBytes, place.fused);
  point("quadratic formula in steps", kSteppedBytes, place.stepped);
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
