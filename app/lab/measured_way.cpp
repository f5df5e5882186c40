#include "app/lab/measured_way.h"

#include <algorithm>
#include <cmath>

#include "app/lab/timing.h"

namespace simscope::lab {
// The data that the work consumes must be restored before each call: this is also timed alone, and subtracted.
double secondsAt(const MeasuredWay& way, const Bench& bench, std::size_t n) {
  compute::Device& device = *way.device;
  bench.check();
  if (way.ready) way.ready(n);
  way.work(n);
  way.check(n);
  if (!way.ready) return secondsOf(device, bench.check, [&] { way.work(n); });
  const double before = secondsOf(device, bench.check, [&] { way.ready(n); });
  const double both = secondsOf(device, bench.check, [&] {
    way.ready(n);
    way.work(n);
  });
  return std::max(both - before, 0.1 * both);
}

std::size_t lastMeasured(std::span<const double> values) {
  std::size_t last = values.size() - 1;
  while (last > 0 && std::isnan(values[last])) --last;
  return last;
}

double fitting(const Bench& bench, double wanted, double bytes_each) {
  double most = std::min(wanted, static_cast<double>(bench.cpu->memoryFree()) / (4 * bytes_each));
  if (bench.cuda) most = std::min(most, static_cast<double>(bench.cuda->memoryFree()) / (2 * bytes_each));
  return most;
}

void timeWays(std::vector<MeasuredWay>& ways, Bench& bench, const std::vector<double>& sizes) {
  double done = 0;
  for (const double size : sizes) {
    for (MeasuredWay& way : ways) {
      double seconds = std::nan("");
      if (size <= way.most) way.device->run([&] { seconds = secondsAt(way, bench, static_cast<std::size_t>(size)); });
      way.seconds.push_back(seconds);
    }
    bench.progress(++done / static_cast<double>(sizes.size()));
  }
}

void alongSizes(Chart& chart, const std::vector<double>& sizes, const std::string& title) {
  chart.x = {.title = title, .decades = true};
  chart.first = std::log10(sizes.front());
  chart.last = std::log10(sizes.back());
}

}  // namespace simscope::lab
