#include "app/lab/lessons/one_pass/one_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/shares.h"
#include "app/lab/timing.h"

namespace simscope::lab::one_pass {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kMostByOne = 1e7;  // more on one thread takes long, and says the same
constexpr double kHeld = 16;        // bytes a number on each device

struct Parameters {
  int largest = 50'000'000;
  int per_decade = 2;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Most numbers",
                                                                   .minimum = 10'000,
                                                                   .maximum = 1'000'000'000,
                                                                   .help = "Summed at once; fewer where the memory "
                                                                           "is smaller"});
  return all;
}

// The plain loop that the results are held to.
struct Exact {
  std::size_t n = 0;
  double sum = 0;
  void extendTo(std::size_t end) {
    for (; n < end; ++n) sum += static_cast<double>(numberOf(n)) * static_cast<double>(weightOf(n));
  }
};

// Of the sizes that the way was timed with.
std::size_t lastOf(const Way& way) {
  std::size_t last = way.seconds.size() - 1;
  while (std::isnan(way.seconds[last])) --last;
  return last;
}

double gain(const Way& two, const Way& one) {
  return two.seconds[lastOf(two)] / one.seconds[lastOf(one)];
}

Result resultOf(Bench& bench, const std::vector<Way>& ways, const std::vector<double>& sizes) {
  Result result;
  result.columns = {
      {"Numbers"}, {"Time", "s"}, {"Moved", "B/s"}, {"Share of the limit", "%", true}, {"Bytes a number", "B"}};
  for (const Way& way : ways) {
    const std::size_t last = lastOf(way);
    const double rate = way.bytes * sizes[last] / way.seconds[last];
    result.rows.push_back(
        {way.title,
         {sizes[last], way.seconds[last], rate, rate / bench.limitsOf(way.device).bytes_per_second, way.bytes}});
    result.rows.back().headroom = headroomOf(way.device, way.bytes * sizes[last]);
    result.chart.curves.push_back({way.title, way.seconds});
  }
  result.chart.title = "Time of a weighted sum over the number of numbers";
  result.chart.x = {.title = "numbers", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  result.finding = fmt::format(
      "At the largest size a weighted sum in two passes takes {:.2g} times as long as in one on all threads of this "
      "machine's CPU, {:.2g} times on one thread",
      gain(ways[2], ways[3]), gain(ways[0], ways[1]));
  if (bench.cuda) {
    result.finding += fmt::format(", and {:.2g} times on its GPU, where {:.2g} times as many bytes would say so.",
                                  gain(ways[4], ways[5]), ways[4].bytes / ways[5].bytes);
  } else {
    result.finding += fmt::format("; twice as many bytes go through memory.");
    result.notes.push_back("No CUDA device, so that its passes are not compared: " + bench.no_cuda);
  }
  return result;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double largest = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / (4 * kHeld));
  if (bench.cuda) largest = std::min(largest, static_cast<double>(bench.cuda->memoryFree()) / (2 * kHeld));
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);
  std::vector<Way> ways;
  for (const compute::DevicePtr& device : bench.devices()) {
    bench.check();
    addWays(ways, device, static_cast<std::size_t>(sizes.back()));
  }
  Exact exact;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const auto n = static_cast<std::size_t>(sizes[k]);
    exact.extendTo(n);
    for (Way& way : ways) {
      if (way.slow && sizes[k] > kMostByOne) {
        way.seconds.push_back(std::nan(""));
        continue;
      }
      way.device->run([&] {
        way.sum(n);
        requireValue(way.title, way.result(), exact.sum, 0);
        way.seconds.push_back(secondsOf(*way.device, bench.check, [&] { way.sum(n); }));
      });
    }
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }
  return resultOf(bench, ways, sizes);
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "one_pass",
      .title = "Map and reduce in one pass",
      .text =
          "A weighted sum is a product for each number and one sum of them all. Written as two steps, all products go "
          "to memory and come back, only to be added up: sixteen bytes a number where eight are needed. A reduction "
          "that is given the product as a function makes it where it adds, in a register, and nothing but the result "
          "leaves the processor. What is limited by memory is then as much faster as there are fewer bytes, until the "
          "arrays fit a cache, or a launch takes longer than the work.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::one_pass
