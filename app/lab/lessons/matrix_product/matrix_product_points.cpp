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
double secondsAt(const Bench& bench, const Multiplier& multiplier, const Factors& f) {
  bench.check();
  const Prepared prepared = multiplier.prepare(f);
  prepared.run();
  const double error = relativeError(f, prepared.product(), kLooked);
  requireValue(fmt::format("{}, with {} rows, by its relative error", multiplier.title, f.n), error, 0,
               multiplier.tolerance);
  return secondsOf(*multiplier.device, bench.check, prepared.run);
}

}  // namespace

ProductLimits productLimits(Bench& bench) {
  constexpr double kSeconds = 0.01, kLargest = 8192, kStep = 256;
  ProductLimits limits;
  if (!bench.cuda) return limits;
  std::vector<Multiplier> all;
  std::vector<std::string> notes;  // about missing libraries; the lesson on matrix products shows them
  addCublas(all, bench, notes);
  const Limits& plain = bench.limitsOf(bench.cuda);
  bench.cuda->run([&] {
    for (const Multiplier& each : all) {
      if (each.format == Format::Float32) continue;
      // The largest gain of tensor cores over plain instructions so far.
      const double guess = each.format == Format::Float64 ? 2 * plain.twice() : 8 * plain.single();
      double rows = std::min(kLargest, std::cbrt(guess * kSeconds / 2));
      rows = std::min(rows, std::sqrt(static_cast<double>(bench.cuda->memoryFree()) / 2 / 24));
      const int n = static_cast<int>(std::max(2 * kStep, std::floor(rows / kStep) * kStep));
      const double rate = 2.0 * n * n * n / secondsAt(bench, each, factors(n));
      if (each.format == Format::Float64) limits.float64 = rate;
      if (each.format == Format::Tf32) limits.tf32 = rate;
      if (each.format == Format::Float16) limits.float16 = rate;
      limits.rows = std::max(limits.rows, n);
    }
  });
  return limits;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  std::vector<std::string> notes;
  for (const Multiplier& each : multipliers(bench, notes)) {
    if (each.device != device) continue;
    const double n = std::max(64.0, 16 * std::round((device->isCuda() ? 3072 : 320) * std::cbrt(size) / 16));
    const double result = each.format == Format::Float64 ? 8 : 4;  // bytes of a number
    const double number = each.format == Format::Float16 ? 2 : result;
    RoofPoint point{.kernel = "matrix product" + each.title.substr(each.title.find(',')), .format = each.format};
    point.bytes = n * n * (2 * number + result);
    point.operations = 2 * n * n * n;
    point.seconds = secondsAt(bench, each, factors(static_cast<int>(n)));
    into.push_back(std::move(point));
  }
}

}  // namespace simscope::lab::matrix_product
