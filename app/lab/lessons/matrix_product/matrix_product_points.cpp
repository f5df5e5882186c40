#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/checks.h"
#include "app/lab/lessons/matrix_product/matrix_product.h"
#include "app/lab/timing.h"

namespace simscope::lab::matrix_product {
namespace {

constexpr int kLooked = 20;

// Seconds of a product whose result was checked.
double secondsAt(const Bench& bench, const Way& way, const Factors& f) {
  bench.check();
  const Prepared prepared = way.prepare(f);
  prepared.run();
  const double error = relativeError(f, prepared.product(), kLooked);
  requireValue(fmt::format("{}, with {} rows, by its relative error", way.title, f.n), error, 0, way.tolerance);
  return secondsOf(*way.device, bench.check, prepared.run);
}

}  // namespace

ProductLimits productLimits(Bench& bench) {
  constexpr double kSeconds = 0.01, kLargest = 8192, kStep = 256;
  ProductLimits limits;
  if (!bench.cuda) return limits;
  std::vector<Way> ways;
  std::vector<std::string> notes;  // about missing libraries; the lesson on matrix products shows them
  addCublas(ways, bench, notes);
  const Limits& plain = bench.limitsOf(bench.cuda);
  bench.cuda->run([&] {
    for (const Way& way : ways) {
      if (way.format == Format::Float32) continue;
      // The largest gain of tensor cores over plain instructions so far.
      const double guess = way.format == Format::Float64 ? 2 * plain.twice() : 8 * plain.single();
      double rows = std::min(kLargest, std::cbrt(guess * kSeconds / 2));
      rows = std::min(rows, std::sqrt(static_cast<double>(bench.cuda->memoryFree()) / 2 / 24));
      const int n = static_cast<int>(std::max(2 * kStep, std::floor(rows / kStep) * kStep));
      const double rate = 2.0 * n * n * n / secondsAt(bench, way, factors(n));
      (way.format == Format::Float64 ? limits.float64
       : way.format == Format::Tf32  ? limits.tf32
                                     : limits.float16) = rate;
      limits.rows = std::max(limits.rows, n);
    }
  });
  return limits;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  std::vector<std::string> notes;
  for (const Way& way : ways(bench, notes)) {
    if (way.device != device) continue;
    const double n = std::max(64.0, 16 * std::round((device->isCuda() ? 3072 : 320) * std::cbrt(size) / 16));
    const double number = way.format == Format::Float64 ? 8 : way.format == Format::Float16 ? 2 : 4;
    const double result = way.format == Format::Float64 ? 8 : 4;
    RoofPoint point{.kernel = "matrix product" + way.title.substr(way.title.find(',')), .format = way.format};
    point.bytes = n * n * (2 * number + result);
    point.operations = 2 * n * n * n;
    point.seconds = secondsAt(bench, way, factors(static_cast<int>(n)));
    into.push_back(std::move(point));
  }
}

}  // namespace simscope::lab::matrix_product
