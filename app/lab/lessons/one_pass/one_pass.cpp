#include "app/lab/lessons/one_pass/one_pass.h"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"

namespace simscope::lab::one_pass {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kHeld = 16;  // bytes a number on each device

struct Parameters {
  int largest = 50'000'000;
  int per_decade = 2;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Most numbers",
                                .minimum = 10'000,
                                .maximum = 1'000'000'000,
                                .help = "Summed at once; fewer if the memory is too small"});
  return all;
}

double gain(const MeasuredWay& two, const MeasuredWay& one) {
  return two.seconds[lastMeasured(two.seconds)] / one.seconds[lastMeasured(one.seconds)];
}

Result resultOf(Bench& bench, const std::vector<MeasuredWay>& ways, const std::vector<double>& sizes) {
  Result result;
  result.columns = {
      {"Numbers"}, {"Time", "s"}, {"Moved", "B/s"}, {"Share of the limit", "%", true}, {"Bytes a number", "B"}};
  for (const MeasuredWay& way : ways) {
    const std::size_t last = lastMeasured(way.seconds);
    const double seconds = way.seconds[last], rate = carried(way.bytes * sizes[last] / seconds, seconds);
    result.rows.push_back(
        {way.title, {sizes[last], seconds, rate, rate / bench.limitsOf(way.device).bytes_per_second, way.bytes}});
    result.rows.back().headroom = headroomOf(way.device, way.bytes * sizes[last]);
    result.chart.curves.push_back({way.title, way.seconds});
  }
  result.chart.title = "Time of a weighted sum over the number of numbers";
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  alongSizes(result.chart, sizes, "numbers");
  result.finding = fmt::format(
      "At the largest size a weighted sum in two passes takes {} as in one on all threads of this machine's CPU, {} on "
      "one thread",
      timesAs(gain(ways[2], ways[3]), "long"), timesAs(gain(ways[0], ways[1]), "long"));
  if (bench.cuda) {
    result.finding += fmt::format(", and {} on its GPU", timesAs(gain(ways[4], ways[5]), "long"));
  } else {
    result.notes.push_back("No CUDA device, so its passes are not compared: " + bench.no_cuda);
  }
  result.finding += fmt::format("; it moves {} times the bytes.", roundText(ways[2].bytes / ways[3].bytes));
  return result;
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
  return resultOf(bench, ways, sizes);
}

// The lesson's float32 numbers, in the ways that use the whole device.
void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 5e7 : 1e7) * size);
  const auto count = static_cast<double>(n);
  std::vector<MeasuredWay> ways;
  addWays(ways, device, n);
  for (const MeasuredWay& way : ways) {
    if (way.title.find("one thread") != std::string::npos) continue;
    into.push_back({"weighted sum" + way.title.substr(way.title.rfind(',')), way.bytes * count, 2 * count,
                    secondsAt(way, bench, n)});
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
