#include "app/lab/lessons/sorts_scans/sorts_scans.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"

namespace simscope::lab::sorts_scans {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kHeld = 64;  // bytes an element, on each device and for the host's check

struct Parameters {
  int largest = 5'000'000;
  int per_decade = 2;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Most elements",
                                .minimum = 10'000,
                                .maximum = 200'000'000,
                                .help = "Sorted or scanned at once; fewer if the memory is too small"});
  return all;
}

std::string findingOf(const std::vector<MeasuredWay>& ways, const std::vector<double>& sizes, bool gpu) {
  const auto rate = [&](std::size_t way) {
    const std::size_t last = lastMeasured(ways[way].seconds);
    return sizes[last] / ways[way].seconds[last];
  };
  if (!gpu) {
    return fmt::format(
        "At the largest size all threads of this machine's CPU sort {} keys of 32 bits a second, {} as one thread, and "
        "{} by charge (three values).",
        sizeText(rate(1)), timesAs(rate(1) / rate(0), "many"), timesAs(rate(2) / rate(1), "many"));
  }
  const auto from = crossing(sizes, ways[4].seconds, ways[1].seconds);
  return fmt::format(
      "This machine's GPU sorts {} keys of 32 bits a second, {} as all threads of its CPU{}; by charge (three values) "
      "it is {}, and its scan {} as the CPU's.",
      sizeText(rate(4)), timesAs(rate(4) / rate(1), "many"),
      from ? fmt::format(", and is faster from {} elements on", sizeText(*from)) : std::string(),
      timesAs(rate(5) / rate(4), "fast"), timesAs(rate(6) / rate(3), "fast"));
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const std::vector<double> sizes = sizesBetween(kSmallest, fitting(bench, p.largest, kHeld), p.per_decade);
  std::vector<MeasuredWay> ways;
  for (const compute::DevicePtr& device : bench.devices()) {
    bench.check();
    addWays(ways, device, static_cast<std::size_t>(sizes.back()));
  }
  timeWays(ways, bench, sizes);

  Result result;
  result.columns = {{"Elements"}, {"Time", "s"}, {"Rate", "elements/s"}, {"Of the memory's limit", "%", true}};
  for (const MeasuredWay& way : ways) {
    const std::size_t last = lastMeasured(way.seconds);
    const double seconds = way.seconds[last], rate = carried(sizes[last] / seconds, seconds);
    result.rows.push_back(
        {way.title, {sizes[last], seconds, rate, way.bytes * rate / bench.limitsOf(way.device).bytes_per_second}});
    result.rows.back().headroom = headroomOf(way.device, way.bytes * sizes[last], Traffic::AsCopy);
    Curve rates{way.title, {}};
    for (std::size_t k = 0; k < sizes.size(); ++k) rates.values.push_back(sizes[k] / way.seconds[k]);
    result.chart.curves.push_back(std::move(rates));
  }
  result.chart.title = "Elements sorted or scanned a second over their number";
  result.chart.y = {.title = "rate", .unit = "elements/s", .decades = true};
  alongSizes(result.chart, sizes, "elements");
  result.finding = findingOf(ways, sizes, bench.cuda != nullptr);
  if (!bench.cuda) result.notes.push_back("No CUDA device, so CUB is not compared: " + bench.no_cuda);
  return result;
}

// On a GPU a key goes through memory once for every eight of its bits; each digit takes four operations: it is
// extracted, counted, its place is found, and the key is moved there. oneTBB compares about log₂ n times per key,
// possibly in caches.
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const double n = std::floor((device->isCuda() ? 2e7 : 2e6) * size);
  std::vector<MeasuredWay> ways;
  addWays(ways, device, static_cast<std::size_t>(n));
  const MeasuredWay &sort = ways[ways.size() - 3], &scan = ways.back();
  const auto seconds = [&](const MeasuredWay& way) { return secondsAt(way, bench, static_cast<std::size_t>(n)); };
  constexpr double kDigits = 4;
  if (device->isCuda()) {
    into.push_back({"sort, by digits", kDigits * sort.bytes * n, 4 * kDigits * n, seconds(sort)});
  } else {
    into.push_back({"sort, by comparisons", sort.bytes * n, std::log2(n) * n, seconds(sort)});
  }
  into.push_back({"scan", scan.bytes * n, n, seconds(scan)});
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "sorts_scans",
      .title = "Sorts and scans",
      .text =
          "In a running sum each number seems to wait for the one before, and in a sort everything seems to depend on "
          "everything; yet both can be divided among threads. A scan adds up blocks, scans the sums of the blocks, and "
          "adds these to the numbers within, at nearly the speed of a copy. A sort by digits counts how often each "
          "digit occurs, scans the counts, and so knows the place of every key: one pass for eight bits, four for a "
          "key of 32 bits, and a single cheap one for particles with three charges. Each key carries the index of its "
          "old place, which is used to fetch all other data.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::sorts_scans
