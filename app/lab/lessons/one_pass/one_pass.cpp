#include "app/lab/lessons/one_pass/one_pass.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"

namespace simscope::lab::one_pass {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kHeld = 16;  // bytes a number on each device

using Parameters = knobs::Sizes<50'000'000, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Most numbers",
                                .minimum = 10'000,
                                .maximum = 1'000'000'000,
                                .help = "Summed at once; fewer if the memory is too small"});
  return all;
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
  result.columns = {
      {"Numbers"}, {"Time", "s"}, {"Moved", "B/s"}, limitShare("Share of the limit"), {"Bytes a number", "B"}};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const double rate = carried(way.bytes * n / seconds, seconds);
    return Row{.name = way.title,
               .values = {n, seconds, rate, bench.memoryShare(way.device, rate), way.bytes},
               .headroom = headroomOf(way.device, way.bytes * n)};
  });
  sweep.drawTimes(result.chart, "Time of a weighted sum over the number of numbers", {.title = "numbers"});
  const std::vector<Way>& ways = sweep.ways;
  const auto two_passes = [&](std::size_t two) {
    return timesAs(ways[two].atLargest() / ways[two + 1].atLargest(), "long");
  };
  result.finding = fmt::format(
      "At the largest size a weighted sum in two passes takes {} as in one on all threads of this machine's CPU, {} on "
      "one thread",
      two_passes(2), two_passes(0));
  if (bench.cuda) result.finding += fmt::format(", and {} on its GPU", two_passes(4));
  result.finding += fmt::format("; it moves {} times the bytes.", roundText(ways[2].bytes / ways[3].bytes));
  result.noteLackOfCuda(bench, "so its passes are not compared");
  return result;
}

// The lesson's float32 numbers, in the ways that use the whole device.
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 5e7 : 1e7) * size);
  const auto count = static_cast<double>(n);
  std::vector<Way> ways;
  addWays(ways, device, n);
  for (const Way& way : ways) {
    if (way.title.find("one thread") != std::string::npos) continue;
    into.push_back({.kernel = "weighted sum" + way.title.substr(way.title.rfind(',')),
                    .bytes = way.bytes * count,
                    .operations = 2 * count,
                    .seconds = secondsAt(way, bench, n)});
  }
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "one_pass",
      .title = "Map and reduce in one pass",
      .text =
          "A weighted sum is a product for each number and one sum of all products. In two steps, all products are "
          "written to memory and read again, only to be added up: this moves sixteen bytes a number, although eight "
          "are enough. A reduction that takes the product as a function computes each product in a register and adds "
          "it at once; only the result leaves the processor. If memory is the limit, the speed grows as the number of "
          "bytes shrinks, until the arrays fit a cache, or a launch takes longer than the work.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::one_pass
