#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timing.h"
#include "app/render/figure/ticks.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::vector_addition {

struct Add {
  const float *a, *b;
  float* sum;
  SIMSCOPE_HD void operator()(std::size_t i) const { sum[i] = a[i] + b[i]; }
};

namespace {

constexpr double kSmallest = 1e3;
constexpr double kBytes = 12;  // two numbers read, one written

struct Parameters {
  int largest = 100'000'000;
  int per_decade = 3;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Largest vector",
                                .minimum = 10'000,
                                .maximum = 1'000'000'000,
                                .help = "Elements; fewer if the memory is too small"});
  return all;
}

double added(compute::Device& device, const Bench& bench, const compute::Buffer<float>& a,
             const compute::Buffer<float>& b, compute::Buffer<float>& sum, std::size_t n) {
  const Add add{a.data(), b.data(), sum.data()};
  return secondsOf(device, bench.check, [&] { compute::parallelFor(device, n, add); });
}

// A plain loop on the calling thread.
double addedByOne(const Bench& bench, const compute::Buffer<float>& a, const compute::Buffer<float>& b,
                  compute::Buffer<float>& sum, std::size_t n) {
  const Add add{a.data(), b.data(), sum.data()};
  return hostSecondsOf(bench.check, [&] {
    for (std::size_t i = 0; i < n; ++i) add(i);
  });
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double largest = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / 4 / kBytes);
  if (bench.cuda) largest = std::min(largest, static_cast<double>(bench.cuda->memoryFree()) / 2 / kBytes);
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);
  const auto most = static_cast<std::size_t>(sizes.back());

  Curve one{"CPU, one thread", {}}, all{"CPU, all threads", {}}, gpu{"GPU, data there", {}},
      with_transfers{"GPU, with transfers", {}};
  std::vector<float> a(most), b(most), sum(most);
  for (std::size_t i = 0; i < most; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = 0.5f;
  }
  const compute::Buffer<float> host_a(bench.cpu, a), host_b(bench.cpu, b);
  compute::Buffer<float> host_sum(bench.cpu, most), gpu_a, gpu_b, gpu_sum;
  host_sum.zero();
  if (bench.cuda) {
    gpu_a = compute::Buffer<float>(bench.cuda, a);
    gpu_b = compute::Buffer<float>(bench.cuda, b);
    gpu_sum = compute::Buffer<float>(bench.cuda, most);
  }
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto n = static_cast<std::size_t>(sizes[k]);
    one.values.push_back(addedByOne(bench, host_a, host_b, host_sum, n));
    host_sum.zero();
    bench.cpu->run([&] { all.values.push_back(added(*bench.cpu, bench, host_a, host_b, host_sum, n)); });
    const auto expected = [&](std::size_t i) { return a[i] + b[i]; };
    requireValues(all.title, *bench.cpu, host_sum.data(), n, 0, expected);
    if (bench.cuda) {
      compute::Device& device = *bench.cuda;
      gpu.values.push_back(added(device, bench, gpu_a, gpu_b, gpu_sum, n));
      with_transfers.values.push_back(hostSecondsOf(bench.check, [&] {
        device.upload(gpu_a.data(), a.data(), n * sizeof(float));
        device.upload(gpu_b.data(), b.data(), n * sizeof(float));
        compute::parallelFor(device, n, Add{gpu_a.data(), gpu_b.data(), gpu_sum.data()});
        device.download(sum.data(), gpu_sum.data(), n * sizeof(float));
      }));
      requireValues(with_transfers.title, device, gpu_sum.data(), n, 0, expected);
    }
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  Result result;
  result.columns = {{one.title, "s"}, {all.title, "s"}};
  result.chart.curves = {one, all};
  if (bench.cuda) {
    result.columns.push_back({gpu.title, "s"});
    result.columns.push_back({with_transfers.title, "s"});
    result.chart.curves.push_back(gpu);
    result.chart.curves.push_back(with_transfers);
  }
  result.columns.push_back({"Share of the limit", "%", true});
  const double rate = bench.limitsOf(bench.best()).bytes_per_second;
  Curve limit{"its memory's limit", {}, true};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    limit.values.push_back(kBytes * sizes[k] / rate);
    Row row{render::countText(static_cast<std::int64_t>(sizes[k])), {}};
    for (const Curve& each : result.chart.curves) row.values.push_back(each.values[k]);
    row.values.push_back(limit.values[k] / (bench.cuda ? gpu : all).values[k]);
    row.headroom = headroomOf(bench.best(), kBytes * sizes[k]);
    result.rows.push_back(std::move(row));
  }
  result.chart.curves.push_back(limit);
  result.chart.title = "Time of an addition over the vectors' length";
  result.chart.x = {.title = "elements", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());

  const double last = one.values.back() / all.values.back();
  const auto threads = crossing(sizes, all.values, one.values);
  result.finding =
      threads ? fmt::format("On this machine all threads of the CPU pay from {} elements on ({} as one at the largest)",
                            sizeText(*threads), timesAs(last, "fast"))
              : std::string("On this machine all threads of the CPU are no faster than one at the largest length");
  if (!bench.cuda) {
    result.finding += ".";
    result.notes.push_back("No CUDA device: " + bench.no_cuda);
    return result;
  }
  const auto there = crossing(sizes, gpu.values, all.values),
             moved = crossing(sizes, with_transfers.values, all.values);
  result.finding += there ? fmt::format(", the GPU from {} elements on if the data is there already", sizeText(*there))
                          : std::string(", the GPU at no length");
  result.finding += moved ? fmt::format(", and from {} on if it must be sent and fetched.", sizeText(*moved))
                          : std::string(", and never if each addition sends its data and fetches the sum.");
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 5e7 : 1e7) * size);
  std::vector<float> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<float>(i % 1000);
  const compute::Buffer<float> first(device, a), second(device, a);
  compute::Buffer<float> sum(device, n);
  const double seconds = added(*device, bench, first, second, sum, n);
  requireValues("vector addition", *device, sum.data(), n, 0, [](std::size_t i) { return 2.0 * (i % 1000); });
  into.push_back({"vector addition", kBytes * static_cast<double>(n), static_cast<double>(n), seconds});
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "vector_addition",
      .title = "Vector addition",
      .text =
          "The smallest program for a GPU: c = a + b, number by number. It makes one addition for twelve bytes, far "
          "less than any processor could, so memory limits the speed. Short vectors are faster on the CPU, because a "
          "launch on the GPU takes some microseconds whatever its size. Long vectors are faster on the GPU, because "
          "its memory is an order of magnitude faster, unless the vectors must cross the bus for this one addition.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::vector_addition
