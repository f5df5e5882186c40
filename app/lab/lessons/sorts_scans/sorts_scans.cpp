#include "app/lab/lessons/sorts_scans/sorts_scans.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"

namespace simscope::lab::sorts_scans {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kHeld = 64;  // bytes an element, on each device and for the host's check

using Parameters = knobs::Sizes<5'000'000, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Most elements",
                                .minimum = 10'000,
                                .maximum = 200'000'000,
                                .help = "Sorted or scanned at once; fewer if the memory is too small"});
  return all;
}

std::string findingOf(const Sweep& sweep, bool gpu) {
  const std::vector<Way>& ways = sweep.ways;
  const auto rate = [&](std::size_t way) { return sweep.largestOf(ways[way]) / ways[way].atLargest(); };
  if (!gpu) {
    return fmt::format(
        "At the largest size all threads of this machine's CPU sort {} keys of 32 bits a second, {} as one thread, and "
        "{} by charge (three values).",
        sizeText(rate(1)), timesAs(rate(1) / rate(0), "many"), timesAs(rate(2) / rate(1), "many"));
  }
  const auto from = crossing(sweep.sizes, ways[4].seconds, ways[1].seconds);
  return fmt::format(
      "This machine's GPU sorts {} keys of 32 bits a second, {} as all threads of its CPU{}; by charge (three values) "
      "it is {}, and its scan {} as the CPU's.",
      sizeText(rate(4)), timesAs(rate(4) / rate(1), "many"),
      from ? fmt::format(", and is faster from {} elements on", sizeText(*from)) : std::string(),
      timesAs(rate(5) / rate(4), "fast"), timesAs(rate(6) / rate(3), "fast"));
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const double largest = fitting(bench, p.largest, {.host = 4 * kHeld, .gpu = 2 * kHeld});
  Sweep sweep{.sizes = sizesBetween(kSmallest, largest, p.per_decade)};
  for (const compute::DevicePtr& device : bench.devices()) {
    bench.check();
    addWays(sweep.ways, device, static_cast<std::size_t>(sweep.sizes.back()));
  }
  sweep.time(bench);

  Result result;
  result.columns = {{"Elements"}, {"Time", "s"}, {"Rate", "elements/s"}, limitShare("Of the memory's limit")};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const double rate = carried(n / seconds, seconds);
    return Row{.name = way.title,
               .values = {n, seconds, rate, bench.memoryShare(way.device, way.bytes * rate)},
               .headroom = headroomOf(way.device, way.bytes * n, Traffic::AsCopy)};
  });
  sweep.draw(result.chart, "Elements sorted or scanned a second over their number", {.title = "elements"},
             {.title = "rate", .unit = "elements/s"}, [](double n, double seconds) { return n / seconds; });
  result.finding = findingOf(sweep, bench.cuda != nullptr);
  result.noteLackOfCuda(bench, "so CUB is not compared");
  return result;
}

// On a GPU a key goes through memory once for every eight of its bits; each digit takes four operations: it is
// extracted, counted, its place is found, and the key is moved there. oneTBB compares about log₂ n times per key,
// possibly in caches.
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const double n = std::floor((device->isCuda() ? 2e7 : 2e6) * size);
  std::vector<Way> ways;
  addWays(ways, device, static_cast<std::size_t>(n));
  const Way &sort = ways[ways.size() - 3], &scan = ways.back();
  const auto seconds = [&](const Way& way) { return secondsAt(way, bench, static_cast<std::size_t>(n)); };
  constexpr double kDigits = 4;
  const double passes = device->isCuda() ? kDigits : 1;
  into.push_back({.kernel = device->isCuda() ? "sort, by digits" : "sort, by comparisons",
                  .bytes = passes * sort.bytes * n,
                  .operations = (device->isCuda() ? 4 * kDigits : std::log2(n)) * n,
                  .seconds = seconds(sort)});
  into.push_back({.kernel = "scan", .bytes = scan.bytes * n, .operations = n, .seconds = seconds(scan)});
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
