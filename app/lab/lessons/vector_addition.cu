#include <fmt/format.h>

#include <functional>
#include <optional>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
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

using Parameters = knobs::Sizes<100'000'000, 3>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Largest vector",
                                .minimum = 10'000,
                                .maximum = 1'000'000'000,
                                .help = "Elements; fewer if the memory is too small"});
  return all;
}

// Two vectors and their sum in a device's memory.
struct Vectors {
  compute::Buffer<float> a, b, sum;
  Vectors(const compute::DevicePtr& device, const std::vector<float>& first, const std::vector<float>& second)
      : a(device, first), b(device, second), sum(device, first.size()) {}
  Add add() { return {a.data(), b.data(), sum.data()}; }
};

std::string findingOf(const Sweep& sweep, bool gpu) {
  const std::vector<Way>& ways = sweep.ways;
  const auto from = [&](std::size_t way, std::size_t against) {
    return crossing(sweep.sizes, ways[way].seconds, ways[against].seconds);
  };
  const auto threads = from(1, 0);
  std::string text = "On this machine all threads of the CPU are no faster than one at the largest length";
  if (threads) {
    text = fmt::format("On this machine all threads of the CPU pay from {} elements on ({} as one at the largest)",
                       sizeText(*threads), timesAs(ways[0].atLargest() / ways[1].atLargest(), "fast"));
  }
  if (!gpu) return text + ".";
  const auto there = from(2, 1), moved = from(3, 1);
  text += there ? fmt::format(", the GPU from {} elements on if the data is there already", sizeText(*there))
                : std::string(", the GPU at no length");
  return text + (moved ? fmt::format(", and from {} on if it must be sent and fetched.", sizeText(*moved))
                       : std::string(", and never if each addition sends its data and fetches the sum."));
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const double largest = fitting(bench, p.largest, {.host = 4 * kBytes, .gpu = 2 * kBytes});
  Sweep sweep{.sizes = sizesBetween(kSmallest, largest, p.per_decade)};
  const auto most = static_cast<std::size_t>(sweep.sizes.back());
  std::vector<float> a(most), b(most, 0.5f), sum(most);
  for (std::size_t i = 0; i < most; ++i) a[i] = static_cast<float>(i % 1000);
  Vectors here(bench.cpu, a, b);
  std::optional<Vectors> there;
  const auto way = [&](const char* title, Vectors& vectors, TimedBy timed_by, const OfSize& work) {
    const auto check = [&, title](std::size_t n) {
      const auto expected = [&](std::size_t i) { return a[i] + b[i]; };
      requireValues(title, *vectors.sum.device(), vectors.sum.data(), n, 0, expected);
    };
    sweep.ways.push_back({.title = title,
                          .device = vectors.sum.device(),
                          .prepare = tasks(work, check),
                          .clear = [&] { vectors.sum.zero(); },
                          .timed_by = timed_by});
  };
  way("CPU, one thread", here, TimedBy::Host, [&](std::size_t n) {
    const Add add = here.add();
    for (std::size_t i = 0; i < n; ++i) add(i);
  });
  way("CPU, all threads", here, TimedBy::Device,
      [&](std::size_t n) { compute::parallelFor(*bench.cpu, n, here.add()); });
  if (bench.cuda) {
    there.emplace(bench.cuda, a, b);
    way("GPU, data there", *there, TimedBy::Device,
        [&](std::size_t n) { compute::parallelFor(*bench.cuda, n, there->add()); });
    way("GPU, with transfers", *there, TimedBy::Host, [&](std::size_t n) {
      bench.cuda->upload(there->a.data(), a.data(), n * sizeof(float));
      bench.cuda->upload(there->b.data(), b.data(), n * sizeof(float));
      compute::parallelFor(*bench.cuda, n, there->add());
      bench.cuda->download(sum.data(), there->sum.data(), n * sizeof(float));
    });
  }
  sweep.time(bench);

  Result result;
  for (const Way& each : sweep.ways) result.columns.push_back({each.title, "s"});
  result.columns.push_back(limitShare("Share of the limit"));
  const std::vector<double>& best = sweep.ways[bench.cuda ? 2 : 1].seconds;
  Curve limit{.title = "its memory's limit", .values = {}, .expected = true};
  for (std::size_t k = 0; k < sweep.sizes.size(); ++k) {
    const double bytes = kBytes * sweep.sizes[k];
    limit.values.push_back(bytes / bench.limitsOf(bench.best()).bytes_per_second);
    Row row{.name = render::countText(static_cast<std::int64_t>(sweep.sizes[k])), .values = {}};
    for (const Way& each : sweep.ways) row.values.push_back(each.seconds[k]);
    row.values.push_back(limit.values[k] / best[k]);
    row.headroom = headroomOf(bench.best(), bytes);
    result.rows.push_back(std::move(row));
  }
  sweep.drawTimes(result.chart, "Time of an addition over the vectors' length", {.title = "elements"});
  result.chart.curves.push_back(limit);
  result.noteLackOfCuda(bench);
  result.finding = findingOf(sweep, bench.cuda != nullptr);
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 5e7 : 1e7) * size);
  std::vector<float> a(n);
  for (std::size_t i = 0; i < n; ++i) a[i] = static_cast<float>(i % 1000);
  Vectors vectors(device, a, a);
  const double seconds = secondsOf(*device, bench.check, [&] { compute::parallelFor(*device, n, vectors.add()); });
  requireValues("vector addition", *device, vectors.sum.data(), n, 0, [](std::size_t i) { return 2.0 * (i % 1000); });
  into.push_back({.kernel = "vector addition",
                  .bytes = kBytes * static_cast<double>(n),
                  .operations = static_cast<double>(n),
                  .seconds = seconds});
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
