#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/loops/parallel.h"
#include "sims/core/describe.h"

namespace simscope::lab::roofline {

struct Body {
  float x, y, z, mass;
};
struct Force {
  float x, y, z;
};

// Of all bodies on one: 20 operations per pair in the usual count, with the root as one.
struct AllPairs {
  static constexpr float kSoftening2 = 1e-2f;
  static constexpr double kOperations = 20;
  const Body* bodies;
  Force* forces;
  std::size_t n;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Body me = bodies[i];
    Force sum{0, 0, 0};
    for (std::size_t j = 0; j < n; ++j) {
      const Body other = bodies[j];
      const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      const float r2 = dx * dx + dy * dy + dz * dz + kSoftening2;
      const float inverse = 1.0f / std::sqrt(r2), pull = other.mass * inverse * inverse * inverse;
      sum.x += pull * dx;
      sum.y += pull * dy;
      sum.z += pull * dz;
    }
    forces[i] = sum;
  }
};

namespace {

struct Parameters {
  int largest = 100;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = Binding<Parameters>().integer(
      &Parameters::largest, "largest",
      {.title = "Size of the problems",
       .unit = "%",
       .minimum = 1,
       .maximum = 100,
       .scale = Scale::Log,
       .help = "Relative to problems that fill the device; small ones measure caches and launches instead"});
  return all;
}

void addBodies(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 65536 : 4096) * std::sqrt(size));
  std::vector<Body> start(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto part = [&](std::size_t step) { return static_cast<float>((i * step) % 1009) / 1009; };
    start[i] = {part(389), part(617), part(757), 1 + part(71)};
  }
  const compute::Buffer<Body> bodies(device, start);
  compute::Buffer<Force> forces(device, n);
  const AllPairs pairs{bodies.data(), forces.data(), n};
  const auto run = [&] { compute::parallelFor(*device, n, pairs, 16); };
  run();
  const std::vector<Force> got = forces.toHost();
  for (std::size_t i = 0; i < n; i += n / 3) {
    double sum = 0, scale = 0;
    for (const Body& each : start) {
      const double dx = static_cast<double>(each.x) - static_cast<double>(start[i].x),
                   dy = static_cast<double>(each.y) - static_cast<double>(start[i].y),
                   dz = static_cast<double>(each.z) - static_cast<double>(start[i].z);
      const double r2 = dx * dx + dy * dy + dz * dz + static_cast<double>(AllPairs::kSoftening2);
      const double term = static_cast<double>(each.mass) * dx / (r2 * std::sqrt(r2));
      sum += term;
      scale += std::abs(term);
    }
    requireValue("all pairs of bodies", static_cast<double>(got[i].x) / scale, sum / scale, 1e-4);
  }
  const double count = static_cast<double>(n);
  into.push_back({.kernel = "bodies, all pairs",
                  .bytes = (sizeof(Body) + sizeof(Force)) * count,
                  .operations = AllPairs::kOperations * count * count,
                  .seconds = secondsOf(*device, bench.check, run)});
}

void addTransform(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  constexpr int kLength = 4096;
  const int batch = std::max(1, static_cast<int>((device->isCuda() ? 8192 : 512) * size));
  const compute::Fft<float> transform(device, {{kLength}, batch});
  using Number = compute::Complex<float>;
  const std::size_t n = transform.elements();
  std::vector<Number> start(n, Number{0, 0});
  for (std::size_t k = 1; k < n; k += kLength) start[k].re = 1;  // their transforms are plane waves
  compute::Buffer<Number> data(device, start);
  transform.forward(data.data());
  requireValues("a Fourier transform", *device, reinterpret_cast<const float*>(data.data()), 2 * n, 1e-5,
                [](std::size_t place) {
                  const double phase = -2 * 3.14159265358979323846 * static_cast<double>(place / 2 % kLength) / kLength;
                  return place % 2 == 0 ? std::cos(phase) : std::sin(phase);
                });
  data.zero();  // repeated transforms would overflow
  const double count = static_cast<double>(n);
  into.push_back({.kernel = "Fourier transforms of 4096",
                  .bytes = 2 * sizeof(Number) * count,
                  .operations = 5 * std::log2(kLength) * count,
                  .seconds = secondsOf(*device, bench.check, [&] { transform.forward(data.data()); })});
}

struct Placed : RoofPoint {
  std::string group;  // its name in the chart: there are more kernels than colours
};

std::string groupOf(const Lesson& lesson) {
  if (lesson.id == "vector_addition" || lesson.id == "fusion" || lesson.id == "reductions" || lesson.id == "one_pass") {
    return "arrays";
  }
  if (lesson.id == "windows") return "windows";
  if (lesson.id == "sorts_scans" || lesson.id == "random_numbers") return "whole numbers";
  if (lesson.id == "matrix_product") return "matrices";
  if (lesson.id == "occupancy" || lesson.id == "cpu_threads" || lesson.id == "divergence") return "in registers";
  return lesson.title;
}

std::vector<Placed> pointsOf(Bench& bench, const compute::DevicePtr& device, double size) {
  std::vector<Placed> all;
  const auto add = [&](const std::string& group, const auto& measured) {
    std::vector<RoofPoint> points;
    measured(bench, device, size, points);
    for (RoofPoint& each : points) all.push_back({std::move(each), group});
  };
  const double lessons_here = static_cast<double>(lessons().size()), of_all = bench.cuda ? 2 : 1;
  double done = device->isCuda() ? lessons_here : 0;
  device->run([&] {
    for (const Lesson* const each : lessons()) {
      bench.check();
      if (each->points != nullptr) add(groupOf(*each), each->points);
      bench.progress(++done / (lessons_here * of_all + 1));
    }
    add("transforms", addTransform);
    add("in registers", addBodies);
  });
  return all;
}

double intensityOf(const RoofPoint& point) {
  return point.operations / point.bytes;
}

// A small diamond around a point: a curve that goes up and down within it.
Curve markerOf(const Placed& point, double first, double last, int places) {
  constexpr int kHalf = 9;
  constexpr double kHigh = 0.08;  // decades
  Curve curve{point.kernel, std::vector<double>(static_cast<std::size_t>(places), std::nan("")), false, point.group};
  const double share = (std::log10(intensityOf(point)) - first) / (last - first);
  const int middle = static_cast<int>(std::lround(share * (places - 1)));
  const double rate = point.operations / point.seconds;
  for (int k = -kHalf; k <= kHalf; ++k) {
    const int place = middle + k;
    if (place < 0 || place >= places) continue;
    const double high = kHigh * (1 - std::abs(k) / static_cast<double>(kHalf)) * (k % 2 == 0 ? 1 : -1);
    curve.values[static_cast<std::size_t>(place)] = rate * std::pow(10, high);
  }
  return curve;
}

void draw(Bench& bench, const compute::DevicePtr& device, const std::vector<Placed>& points, Chart& chart) {
  constexpr int kPlaces = 1200;  // so dense that a marker is filled
  double first = -1, last = 2;
  for (const Placed& each : points) {
    first = std::min(first, std::floor(std::log10(intensityOf(each))));
    last = std::max(last, std::ceil(std::log10(intensityOf(each))));
  }
  for (std::size_t k = 0; k < kFormatNames.size(); ++k) {
    const auto format = static_cast<Format>(k);
    const double most = bench.arithmeticOf(device, format);
    if (!(most > 0)) continue;
    Curve roof{fmt::format("roof of {}", nameOf(format)), {}, true, "roofs"};
    for (int place = 0; place < kPlaces; ++place) {
      const double intensity = std::pow(10, first + (last - first) * place / (kPlaces - 1));
      roof.values.push_back(std::min(most, intensity * bench.limitsOf(device).bytes_per_second));
    }
    chart.curves.push_back(std::move(roof));
  }
  for (const Placed& each : points) chart.curves.push_back(markerOf(each, first, last, kPlaces));
  chart.title = fmt::format("Arithmetic of the {} over operations a byte", device->isCuda() ? "GPU" : "CPU");
  chart.x = {.title = "operations", .unit = "FLOP/B", .decades = true};
  chart.y = {.title = "rate", .unit = "FLOP/s", .decades = true};
  chart.first = first;
  chart.last = last;
}

// "vector addition, two sums, and 3 more".
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t k = 0; k < std::min(names.size(), kMost); ++k) text += (k > 0 ? "; " : "") + names[k];
  if (names.size() > kMost) text += fmt::format("; {} more", names.size() - kMost);
  return text;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const double size = binding().read(set).largest / 100.0;
  Result result;
  result.columns = {{"Operations a byte"}, {"Time", "s"},      {"Rate", "FLOP/s"},
                    {"Moved", "B/s"},      {"Roof", "FLOP/s"}, limitShare("Share of the roof")};
  std::vector<std::string> by_memory, by_arithmetic;
  double best_by_memory = 0, best_by_arithmetic = 0;
  for (const compute::DevicePtr& device : bench.devices()) {
    const std::vector<Placed> points = pointsOf(bench, device, size);
    by_memory.clear();
    by_arithmetic.clear();
    best_by_memory = best_by_arithmetic = 0;
    for (const Placed& each : points) {
      const double most = bench.arithmeticOf(device, each.format), intensity = intensityOf(each);
      const double slope = intensity * bench.limitsOf(device).bytes_per_second, rate = each.operations / each.seconds;
      const bool memory = slope < most || most <= 0;
      const double roof = memory ? slope : most;
      result.rows.push_back({fmt::format("{}, {}", device->isCuda() ? "GPU" : "CPU", each.kernel),
                             {intensity, each.seconds, rate, each.bytes / each.seconds, roof, rate / roof},
                             fmt::format("{}, bound by {}", nameOf(each.format), memory ? "memory" : "arithmetic")});
      if (memory) result.rows.back().headroom = headroomOf(device, each.bytes);
      (memory ? by_memory : by_arithmetic).push_back(each.kernel);
      double& best = memory ? best_by_memory : best_by_arithmetic;
      // A point above its roof has its data in a cache, or was measured wrong (shares.h).
      if (rate / roof <= 1) best = std::max(best, rate / roof);
    }
    if (device == bench.best()) draw(bench, device, points, result.chart);
  }
  const Limits& limits = bench.limitsOf(bench.best());
  result.finding = fmt::format(
      "On this machine's {} arithmetic limits a kernel from {} operations a byte on in float32, from {} in float64. "
      "Memory limits {} of these kernels ({}); the best of them below its roof reaches {} of it. Arithmetic limits {} "
      "({})",
      bench.cuda ? "GPU" : "CPU", roundText(limits.single() / limits.bytes_per_second),
      roundText(limits.twice() / limits.bytes_per_second), by_memory.size(), listed(by_memory),
      percentText(best_by_memory), by_arithmetic.size(), listed(by_arithmetic));
  result.finding +=
      by_arithmetic.empty() ? "." : fmt::format("; the best reaches {}.", percentText(best_by_arithmetic));
  result.notes.push_back(
      "Bytes are those that must cross to memory or back at least once; kernels that fit a cache can be above the "
      "roof. Sorts, scans, and random numbers use whole numbers; their operations are compared with the roof of "
      "float32. Lessons that only move, allocate, or launch have no point.");
  result.noteLackOfCuda(bench);
  if (bench.cuda && bench.productLimitsOf(bench.cuda).rows > 0) {
    result.notes.push_back(fmt::format("The roofs of TF32 and float16 are the rates of cuBLAS with {} rows.",
                                       bench.productLimitsOf(bench.cuda).rows));
  }
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "roofline",
      .title = "The roofline of this machine",
      .text =
          "A kernel must move its numbers and compute with them, and the slower of the two limits it. The operations a "
          "byte say which: below the machine's own quotient, memory sets the roof, which rises with them; above it, "
          "arithmetic sets the roof, which is flat, and lower for numbers of more digits. Here both are measured, and "
          "the kernels of the other lessons are points below. A point under the slope gains by moving fewer bytes, as "
          "with fusion and tiles, which shifts it to the right. A point under the flat part gains by simpler "
          "arithmetic or fewer digits. A point far below its roof waits for something else.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::roofline
