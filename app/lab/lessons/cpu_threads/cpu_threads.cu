#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lessons/cpu_threads/cpu_threads_kernels.h"
#include "app/lab/phrases.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::cpu_threads {

constexpr std::size_t kBlock = 32 * kStride;  // elements per task: 32 kB with the results

struct Block {
  const float* from;
  float* to;
  void (*map)(const float*, float*, std::size_t);
  SIMSCOPE_HD void operator()(std::size_t i) const { map(from + i * kBlock, to + i * kBlock, kBlock); }
};

namespace {

struct Parameters {
  int largest = 1 << 20;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::largest<Parameters>(
      {.title = "Elements",
       .minimum = 1 << 16,
       .maximum = 1 << 26,
       .help = "Divided among the threads; with more of them the start of threads matters less"});
  return all;
}

// By factors of about two, equidistant on the chart's axis.
std::vector<int> threadCounts(int most) {
  const auto steps = std::lround(std::log2(most));
  std::vector<int> all = {1};
  for (long k = 1; k <= steps; ++k) {
    all.push_back(static_cast<int>(std::lround(std::pow(most, static_cast<double>(k) / static_cast<double>(steps)))));
  }
  return all;
}

// A whole number of blocks, and what one lane makes of them.
struct Elements {
  std::size_t blocks, n;
  std::vector<float> start, right;

  explicit Elements(std::size_t count) : blocks(count), n(count * kBlock), start(n), right(n) {
    for (std::size_t i = 0; i < n; ++i) start[i] = static_cast<float>(i % 4093) / 4093;
    widths().front().map(start.data(), right.data(), n);
  }
};

// Inside Device::run. Checks the result, too.
double secondsOf(const Bench& bench, const compute::DevicePtr& device, const Elements& elements, const Width& width) {
  const compute::Buffer<float> from(device, elements.start);
  compute::Buffer<float> to(device, elements.n);
  to.zero();
  const Block block{from.data(), to.data(), width.map};
  const double seconds =
      lab::secondsOf(*device, bench.check, [&] { compute::parallelFor(*device, elements.blocks, block, 1); });
  requireRight(std::memcmp(to.data(), elements.right.data(), to.bytes()) == 0,
               std::string(width.title) + ": the result differs from that of one lane");
  return seconds;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Elements elements(static_cast<std::size_t>(binding().read(set).largest) / kBlock);
  const std::vector<Width> all = widths();
  const std::vector<int> counts = threadCounts(bench.cpu->info().threads);
  std::vector<std::vector<double>> seconds(all.size());
  for (std::size_t t = 0; t < counts.size(); ++t) {
    const compute::DevicePtr device = compute::Device::open("cpu", counts[t]);
    for (std::size_t w = 0; w < all.size(); ++w) {
      device->run([&] { seconds[w].push_back(secondsOf(bench, device, elements, all[w])); });
    }
    bench.progress(static_cast<double>(t + 1) / static_cast<double>(counts.size()));
  }

  Result result;
  result.columns = {{"Threads"}, {"Time", "s"}, {"Rate", "FLOP/s"}, {"Times as fast"}, limitShare("Of the limit")};
  // Instructions per lane and second: none is fused, so that each counts as one.
  const double limit = bench.limitsOf(bench.cpu).operations_per_second;
  const double work = static_cast<double>(elements.n) * kOperations;
  for (std::size_t w = 0; w < all.size(); ++w) {
    Curve curve{all[w].title, {}};
    for (std::size_t t = 0; t < counts.size(); ++t) {
      const double each = seconds[w][t], faster = seconds[0][0] / each;
      result.rows.push_back(
          {all[w].title, {1.0 * counts[t], each, carried(work / each, each), faster, work / each / limit}});
      curve.values.push_back(faster);
    }
    result.chart.curves.push_back(std::move(curve));
  }
  const std::vector<double>& widest = seconds.back();
  const double lanes = seconds[0][0] / widest[0], threads = widest.front() / widest.back();
  result.finding = fmt::format("On this machine {} lanes make one thread {}", all.back().lanes, timesAs(lanes, "fast"));
  if (counts.size() > 1) {
    std::vector<double> n_threads(counts.begin(), counts.end()), faster;
    for (const double each : widest) faster.push_back(widest[0] / each);
    const double serial = serialShare(n_threads, faster);
    Curve law{.title = "Amdahl's law", .values = {}, .expected = true};
    for (const double each : n_threads) law.values.push_back(lanes / (serial + (1 - serial) / each));
    result.chart.curves.push_back(std::move(law));
    if (threads < 1.02) {
      result.finding +=
          fmt::format(", and {} threads gain nothing more; other programs may be using the cores", counts.back());
    } else {
      result.finding += fmt::format(", and {} threads make that {} times as fast, {} times together", counts.back(),
                                    roundText(threads), roundText(lanes * threads));
      result.finding +=
          serial > 1e-4
              ? fmt::format(
                    "; Amdahl's law fits with {} of the work not divided among threads, so they gain at most {} times",
                    percentText(serial), roundText(1 / serial))
              : std::string("; all of the work is divided among the threads");
    }
  } else {
    result.notes.push_back("Amdahl's law needs two points, but this machine has one processor");
  }
  result.finding += ".";
  result.chart.title = "Gain by lanes and threads";
  result.chart.setDecades({.title = "threads"}, 1, counts.back(), {.title = "times as fast as one lane of one thread"});
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  if (device->isCuda()) return;
  const Elements elements(static_cast<std::size_t>(std::max(1.0, size * (1 << 21) / kBlock)));
  const double count = static_cast<double>(elements.n);
  into.push_back({.kernel = "64 rounds of a map",
                  .bytes = 8 * count,
                  .operations = kOperations * count,
                  .seconds = secondsOf(bench, device, elements, widths().back())});
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "cpu_threads",
      .title = "Threads and lanes of the CPU",
      .text =
          "A CPU computes in parallel in two ways: its cores run separate threads, and the vector registers of each "
          "core hold several numbers, which one instruction changes together. The two gains multiply. Here the same "
          "map, x ← 1 − 1.9 x², is applied 64 times to each element, in registers of every width of this processor, by "
          "one thread and by more, with bit-identical results. Amdahl's law gives the gain by threads: the share of "
          "the work that is not divided among them takes the same time for any number of threads. The share follows "
          "from the measured times of the widest registers. It includes the effects of clocks that fall as more cores "
          "work, and of cores that share their units between two threads.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::cpu_threads
