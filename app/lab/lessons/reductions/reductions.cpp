#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lessons/reductions/reductions_ways.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"

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

// Of one summation.
struct Errors {
  std::vector<double> sums;  // relative, at each size
  double deviation = 0;      // at the last of them
};

Way wayOf(const Summation& summation, Exact& exact, double offset, Errors& errors) {
  const auto check = [summation, &exact, offset, &errors](std::size_t n) {
    exact.extendTo(n);
    const Sums<double> got = summation.result(), wanted = exact.sums(offset);
    const double count = static_cast<double>(n), tolerance = summation.tolerance(count);
    requireValue(summation.title, got.sum / wanted.sum, 1, tolerance);
    requireValue(summation.title + ", of squares", got.squares / wanted.squares, 1, tolerance);
    const double mean = got.sum / count, variance = got.squares / count - mean * mean;
    errors.sums.push_back(std::abs(got.sum / wanted.sum - 1));
    errors.deviation = std::abs(std::sqrt(std::max(variance, 0.0)) / exact.deviation() - 1);
  };
  return {.title = summation.title,
          .device = summation.device,
          .prepare = tasks(summation.sum, check),
          .bytes = sizeof(float),
          .most = summation.slow ? kMostBySlow : std::numeric_limits<double>::infinity()};
}

std::string findingOf(const Sweep& sweep, const std::vector<Errors>& errors, bool gpu) {
  const std::vector<Way>& ways = sweep.ways;
  const auto error = [&](std::size_t way) { return roundText(errors[way].sums[ways[way].last()]); };
  std::string text = fmt::format(
      "The sum of {} numbers in single precision, one after the other, is wrong by {} of its value, by {} with Kahan's "
      "correction",
      sizeText(sweep.largestOf(ways[0])), error(0), error(1));
  if (!gpu) {
    return text + fmt::format(
                      ", which takes {} on this machine; many partial sums, as all threads of the CPU make them, are "
                      "wrong by {}.",
                      timesAs(ways[1].atLargest() / ways[0].atLargest(), "long"), error(3));
  }
  return text + fmt::format(
                    "; on this machine's GPU, sums of as many numbers within blocks are {} as an atomic addition for "
                    "each number; at the largest size shuffles, wrong by {}, take {} as CUB.",
                    timesAs(ways[4].atLargest() / ways[6].seconds[ways[4].last()], "fast"), error(6),
                    timesAs(ways[6].atLargest() / ways[7].atLargest(), "long"));
}

void drawErrors(Chart& chart, const std::vector<Errors>& errors) {
  chart.title = "Error of the sum";
  chart.y = {.title = "relative error", .decades = true};
  for (std::size_t way = 0; way < errors.size(); ++way) {
    chart.curves[way].values = errors[way].sums;
    // A logarithmic axis cannot show 0: errors below half a unit of single precision are drawn there.
    for (double& each : chart.curves[way].values) each = std::isnan(each) ? each : std::max(each, kDouble / 2);
  }
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Sweep sweep{.sizes = sizesBetween(kSmallest, fitting(bench, p.largest, {.host = 16, .gpu = 8}), p.per_decade)};
  std::vector<float> x(static_cast<std::size_t>(sweep.sizes.back()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(p.offset + std::ldexp(static_cast<double>(digitsOf(i)), -kBits));
  }
  std::vector<Summation> all;
  addOnCpu(all, bench.cpu, x);
  if (bench.cuda) addOnGpu(all, bench.cuda, x);
  Exact exact;
  std::vector<Errors> errors(all.size());
  for (std::size_t k = 0; k < all.size(); ++k) sweep.ways.push_back(wayOf(all[k], exact, p.offset, errors[k]));
  sweep.time(bench);
  for (Errors& each : errors) each.sums.resize(sweep.sizes.size(), std::nan(""));

  Result result;
  result.columns = {{"Numbers"},          {"Time", "s"},       {"Read", "B/s"}, limitShare("Share of the limit"),
                    {"Error of the sum"}, {"Of the deviation"}};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const double rate = carried(way.bytes * n / seconds, seconds);
    const Errors& of = errors[sweep.indexOf(way)];
    return Row{.name = way.title,
               .values = {n, seconds, rate, bench.memoryShare(way.device, rate), of.sums[way.last()], of.deviation},
               .headroom = headroomOf(way.device, way.bytes * n)};
  });
  sweep.drawTimes(result.chart, "Time of the sums over the number of numbers", {.title = "numbers"});
  if (p.show == Show::Error) drawErrors(result.chart, errors);
  result.finding = findingOf(sweep, errors, bench.cuda != nullptr);
  result.noteLackOfCuda(bench, "so no kernels are compared");
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const auto n = static_cast<std::size_t>((device->isCuda() ? 5e7 : 1e7) * size);
  std::vector<float> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(std::ldexp(static_cast<double>(digitsOf(i)), -kBits));
  std::vector<Summation> all;
  device->isCuda() ? addOnGpu(all, device, x) : addOnCpu(all, device, x);
  Exact exact;
  Errors errors;
  const double count = static_cast<double>(n);
  for (const Summation& each : all) {
    if (each.slow || each.epsilon != kSingle) continue;
    into.push_back({.kernel = "two sums" + each.title.substr(each.title.rfind(',')),
                    .bytes = sizeof(float) * count,
                    .operations = 3 * count,
                    .seconds = secondsAt(wayOf(each, exact, 0, errors), bench, n)});
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
