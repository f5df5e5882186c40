#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lessons/reductions/reductions_ways.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"

namespace simscope::lab::reductions {
namespace {

constexpr double kSmallest = 1e3;
constexpr double kMostBySlow = 1e7;  // for slow ways: more would take longer and show nothing new
constexpr int kBits = 14;            // of a number behind its point, so that every one is exact in single precision

enum class Show { Time, Error };

struct Parameters {
  int largest = 50'000'000;
  int per_decade = 2;
  int offset = 100;
  Show show = Show::Time;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Most numbers",
                                .minimum = 10'000,
                                .maximum = 1'000'000'000,
                                .help = "Summed at once; fewer if the memory is too small"})
          .integer(
              &Parameters::offset, "offset",
              {.title = "Offset",
               .minimum = 0,
               .maximum = 1000,
               .help =
                   "The numbers are between this value and one more: the larger it is, the more digits the sums lose"})
          .choice(&Parameters::show, "show", {.title = "Chart", .help = "Quantity over the number of numbers"},
                  {{"time", "Time"}, {"error", "Error of the sum"}});
  return all;
}

// The digits of number i behind its point.
std::uint32_t digitsOf(std::size_t i) {
  auto x = static_cast<std::uint32_t>(i) * 0x9e3779b9u;
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  return (x ^ (x >> 13)) >> (32 - kBits);
}

// Sums of whole numbers, which are exact.
struct Exact {
  std::size_t n = 0;
  std::uint64_t sum = 0, squares = 0;
  void extendTo(std::size_t end) {
    for (; n < end; ++n) {
      const std::uint64_t each = digitsOf(n);
      sum += each;
      squares += each * each;
    }
  }
  Sums<double> sums(double offset) const {
    const double unit = std::ldexp(1.0, -kBits), count = static_cast<double>(n);
    const double s = static_cast<double>(sum) * unit, q = static_cast<double>(squares) * unit * unit;
    return {count * offset + s, count * offset * offset + 2 * offset * s + q};
  }
  double deviation() const {
    const double unit = std::ldexp(1.0, -kBits), count = static_cast<double>(n);
    const double mean = static_cast<double>(sum) / count;
    return unit * std::sqrt(static_cast<double>(squares) / count - mean * mean);
  }
};

void measureWay(Way& way, const Bench& bench, std::size_t n, const Exact& exact, double offset) {
  if (way.slow && static_cast<double>(n) > kMostBySlow) {
    way.seconds.push_back(std::nan(""));
    way.errors.push_back(std::nan(""));
    return;
  }
  way.device->run([&] {
    way.sum(n);
    const Sums<double> got = way.result(), wanted = exact.sums(offset);
    const double tolerance = way.tolerance(static_cast<double>(n));
    requireValue(way.title, got.sum / wanted.sum, 1, tolerance);
    requireValue(way.title + ", of squares", got.squares / wanted.squares, 1, tolerance);
    way.errors.push_back(std::abs(got.sum / wanted.sum - 1));
    const double mean = got.sum / static_cast<double>(n);
    const double variance = got.squares / static_cast<double>(n) - mean * mean;
    way.deviation_error = std::abs(std::sqrt(std::max(variance, 0.0)) / exact.deviation() - 1);
    way.size = static_cast<double>(n);
    way.seconds.push_back(secondsOf(*way.device, bench.check, [&] { way.sum(n); }));
  });
}

std::string findingOf(const std::vector<Way>& ways, bool gpu);
Result resultOf(Bench& bench, const std::vector<Way>& ways, const std::vector<double>& sizes, Show show);

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double largest = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / 16);
  if (bench.cuda) largest = std::min(largest, static_cast<double>(bench.cuda->memoryFree()) / 8);
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);
  std::vector<float> x(static_cast<std::size_t>(sizes.back()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(p.offset + std::ldexp(static_cast<double>(digitsOf(i)), -kBits));
  }
  std::vector<Way> ways;
  addCpuWays(ways, bench.cpu, x);
  if (bench.cuda) addGpuWays(ways, bench.cuda, x);
  Exact exact;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    bench.check();
    exact.extendTo(static_cast<std::size_t>(sizes[k]));
    for (Way& way : ways) measureWay(way, bench, exact.n, exact, p.offset);
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }
  return resultOf(bench, ways, sizes, p.show);
}

Result resultOf(Bench& bench, const std::vector<Way>& ways, const std::vector<double>& sizes, Show show) {
  Result result;
  result.columns = {{"Numbers"},          {"Time", "s"},       {"Read", "B/s"}, {"Share of the limit", "%", true},
                    {"Error of the sum"}, {"Of the deviation"}};
  for (const Way& way : ways) {
    const auto at = static_cast<std::size_t>(std::find(sizes.begin(), sizes.end(), way.size) - sizes.begin());
    const double rate = carried(way.size * sizeof(float) / way.seconds[at], way.seconds[at]);
    result.rows.push_back({way.title,
                           {way.size, way.seconds[at], rate, rate / bench.limitsOf(way.device).bytes_per_second,
                            way.errors[at], way.deviation_error}});
    result.rows.back().headroom = headroomOf(way.device, way.size * sizeof(float));
    result.chart.curves.push_back({way.title, show == Show::Time ? way.seconds : way.errors});
  }
  if (show == Show::Error) {
    // A logarithmic axis cannot show 0: errors below half a unit of single precision are drawn there.
    for (Curve& curve : result.chart.curves) {
      for (double& each : curve.values) each = std::isnan(each) ? each : std::max(each, kDouble / 2);
    }
  }
  result.chart.title = show == Show::Time ? "Time of the sums over the number of numbers" : "Error of the sum";
  result.chart.x = {.title = "numbers", .decades = true};
  result.chart.y = show == Show::Time ? AxisInfo{.title = "time", .unit = "s", .decades = true}
                                      : AxisInfo{.title = "relative error", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  result.finding = findingOf(ways, bench.cuda != nullptr);
  if (!bench.cuda) result.notes.push_back("No CUDA device, so no kernels are compared: " + bench.no_cuda);
  return result;
}

std::string findingOf(const std::vector<Way>& ways, bool gpu) {
  const auto lastOf = [](const std::vector<double>& values) {
    return *std::find_if(values.rbegin(), values.rend(), [](double each) { return !std::isnan(each); });
  };
  const auto error = [&](std::size_t way) { return lastOf(ways[way].errors); };
  std::string text = fmt::format(
      "The sum of {} numbers in single precision, one after the other, is wrong by {} of its value, by {} with Kahan's "
      "correction",
      sizeText(ways[0].size), roundText(error(0)), roundText(error(1)));
  if (!gpu) {
    return text + fmt::format(
                      ", which takes {} on this machine; many partial sums, as all threads of the CPU make them, are "
                      "wrong by {}.",
                      timesAs(lastOf(ways[1].seconds) / lastOf(ways[0].seconds), "long"), roundText(error(3)));
  }
  const auto place = static_cast<std::size_t>(
      std::find_if(ways[4].seconds.begin(), ways[4].seconds.end(), [](double each) { return std::isnan(each); }) -
      ways[4].seconds.begin() - 1);
  return text + fmt::format(
                    "; on this machine's GPU, sums of as many numbers within blocks are {} as an atomic addition for "
                    "each number; at the largest size shuffles, wrong by {}, take {} as CUB.",
                    timesAs(ways[4].seconds[place] / ways[6].seconds[place], "fast"), roundText(error(6)),
                    timesAs(ways[6].seconds.back() / ways[7].seconds.back(), "long"));
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 5e7 : 1e7) * size);
  std::vector<float> x(n);
  Exact exact;
  exact.extendTo(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(std::ldexp(static_cast<double>(digitsOf(i)), -kBits));
  std::vector<Way> ways;
  device->isCuda() ? addGpuWays(ways, device, x) : addCpuWays(ways, device, x);
  for (Way& way : ways) {
    if (way.slow || way.epsilon != kSingle) continue;
    measureWay(way, bench, n, exact, 0);
    const double count = static_cast<double>(n);
    into.push_back(
        {"two sums" + way.title.substr(way.title.rfind(',')), sizeof(float) * count, 3 * count, way.seconds.back()});
  }
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "reductions",
      .title = "Reductions",
      .text =
          "Mean and standard deviation need two sums, of the numbers and of their squares; one pass finds both. "
          "Threads that all add to one place wait for each other. Therefore each thread first adds up its own share; "
          "the sums of a block are combined in shared memory, or by reading each other's registers, and few results "
          "are left. The order changes the result, because every addition rounds: a long sum in single precision loses "
          "digits of each number added to it, many short sums lose less, Kahan's correction or double precision lose "
          "almost nothing. The deviation loses most if the mean is large, because it is then a small difference of "
          "large sums.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::reductions
