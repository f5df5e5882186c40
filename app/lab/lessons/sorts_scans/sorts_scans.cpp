#include "app/lab/lessons/sorts_scans/sorts_scans.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/shares.h"
#include "app/lab/timing.h"

namespace simscope::lab::sorts_scans {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kHeld = 64;  // bytes an element, on each device and for the host's check

struct Parameters {
  int largest = 5'000'000;
  int per_decade = 2;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Most elements",
                                                                   .minimum = 10'000,
                                                                   .maximum = 200'000'000,
                                                                   .help = "Sorted or scanned at once; fewer where "
                                                                           "the memory is smaller"});
  return all;
}

// What is sorted must be unsorted before each time: that copy is timed alone, too, and taken off.
void measureWay(Way& way, const Bench& bench, std::size_t n) {
  if (static_cast<double>(n) > way.most) {
    way.seconds.push_back(std::nan(""));
    return;
  }
  compute::Device& device = *way.device;
  device.run([&] {
    bench.check();
    if (way.ready) way.ready(n);
    way.work(n);
    way.check(n);
    const double copy = way.ready ? secondsOf(device, bench.check, [&] { way.ready(n); }) : 0;
    const double both = secondsOf(device, bench.check, [&] {
      if (way.ready) way.ready(n);
      way.work(n);
    });
    way.seconds.push_back(std::max(both - copy, 0.1 * both));
  });
}

std::size_t lastOf(const Way& way) {
  std::size_t last = way.seconds.size() - 1;
  while (std::isnan(way.seconds[last])) --last;
  return last;
}

std::string findingOf(const std::vector<Way>& ways, const std::vector<double>& sizes, bool gpu) {
  const auto rate = [&](std::size_t way) {
    const std::size_t last = lastOf(ways[way]);
    return sizes[last] / ways[way].seconds[last];
  };
  if (!gpu) {
    return fmt::format(
        "At the largest size all threads of this machine's CPU sort {} keys of 32 bits a second, {:.3g} "
        "times as many as one thread does, and {:.3g} times as many by charge, of which there are three.",
        sizeText(rate(1)), rate(1) / rate(0), rate(2) / rate(1));
  }
  const auto from = crossing(sizes, ways[4].seconds, ways[1].seconds);
  return fmt::format(
      "This machine's GPU sorts {} keys of 32 bits a second, {:.3g} times as many as all threads of its CPU"
      "{}; by charge, of which there are three, it is {:.3g} times as fast, and its scan {:.3g} times as fast as the "
      "CPU's.",
      sizeText(rate(4)), rate(4) / rate(1),
      from ? fmt::format(", and more than they do from {} elements on", sizeText(*from)) : std::string(),
      rate(5) / rate(4), rate(6) / rate(3));
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
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (Way& way : ways) measureWay(way, bench, static_cast<std::size_t>(sizes[k]));
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  Result result;
  result.columns = {{"Elements"}, {"Time", "s"}, {"Rate", "elements/s"}, {"Of the memory's limit", "%", true}};
  for (const Way& way : ways) {
    const std::size_t last = lastOf(way);
    const double rate = sizes[last] / way.seconds[last];
    result.rows.push_back(
        {way.title,
         {sizes[last], way.seconds[last], rate, way.bytes * rate / bench.limitsOf(way.device).bytes_per_second}});
    result.rows.back().headroom = headroomOf(way.device, way.bytes * sizes[last], Traffic::AsCopy);
    Curve rates{way.title, {}};
    for (std::size_t k = 0; k < sizes.size(); ++k) rates.values.push_back(sizes[k] / way.seconds[k]);
    result.chart.curves.push_back(std::move(rates));
  }
  result.chart.title = "Elements sorted or scanned a second over their number";
  result.chart.x = {.title = "elements", .decades = true};
  result.chart.y = {.title = "rate", .unit = "elements/s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  result.finding = findingOf(ways, sizes, bench.cuda != nullptr);
  if (!bench.cuda) result.notes.push_back("No CUDA device, so that CUB is not compared: " + bench.no_cuda);
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "sorts_scans",
      .title = "Sorts and scans",
      .text =
          "A running sum looks as if each number had to wait for the one before, and a sort as if everything depended "
          "on everything; yet both divide among threads. A scan adds up blocks, scans the blocks' sums, and adds those "
          "to what lies within, at nearly the speed of a copy. A sort by digits counts how often each digit occurs, "
          "scans the counts, and so knows where every key goes: one pass for eight bits, four for a key of 32, and a "
          "single cheap one where particles are told apart by three charges. Each key carries the place that it came "
          "from, by which all else can be fetched.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::sorts_scans
