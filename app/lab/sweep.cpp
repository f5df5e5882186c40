#include "app/lab/sweep.h"

#include <algorithm>
#include <cmath>

#include "app/lab/timing.h"

namespace simscope::lab {

double fitting(const Bench& bench, double wanted, const FreeMemory& each) {
  const double most = std::min(wanted, static_cast<double>(bench.cpu->memoryFree()) / each.host);
  return bench.cuda ? std::min(most, static_cast<double>(bench.cuda->memoryFree()) / each.gpu) : most;
}

std::function<Task(std::size_t n)> tasks(OfSize run, OfSize check, OfSize ready) {
  return [=](std::size_t n) {
    Task task{.run = [=] { run(n); }, .check = [=] { check(n); }};
    if (ready) task.ready = [=] { ready(n); };
    return task;
  };
}

std::size_t Way::last() const {
  std::size_t last = seconds.size() - 1;
  while (last > 0 && std::isnan(seconds[last])) --last;
  return last;
}

double secondsAt(const Way& way, const Bench& bench, std::size_t n) {
  bench.check();
  const Task task = way.prepare(n);
  const auto timed = [&](const std::function<void()>& work) {
    return way.timed_by == TimedBy::Host ? hostSecondsOf(bench.check, work) : secondsOf(*way.device, bench.check, work);
  };
  if (way.clear) way.clear();
  if (task.ready) task.ready();
  task.run();
  task.check();
  if (!task.ready) return timed(task.run);
  const double before = timed(task.ready);
  const double both = timed([&] {
    task.ready();
    task.run();
  });
  return std::max(both - before, 0.1 * both);
}

// By the fastest of all times: a single one may be disturbed.
bool Sweep::leavesOut(const Way& way, double size) const {
  double fastest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < way.seconds.size(); ++k) {
    if (!std::isnan(way.seconds[k])) fastest = std::min(fastest, way.seconds[k] / std::pow(sizes[k], power));
  }
  return size > way.most || (std::isfinite(fastest) && fastest * std::pow(size, power) > way.longest);
}

void Sweep::time(Bench& bench, double from, double to) {
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (Way& way : ways) {
      double seconds = std::nan("");
      if (!leavesOut(way, sizes[k])) {
        way.device->run([&] { seconds = secondsAt(way, bench, static_cast<std::size_t>(sizes[k])); });
      }
      way.seconds.push_back(seconds);
    }
    bench.progress(from + (to - from) * static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }
}

void Sweep::addRows(Result& result, const std::function<Row(const Way& way, double size, double seconds)>& row) const {
  for (const Way& way : ways) result.rows.push_back(row(way, largestOf(way), way.atLargest()));
}

void Sweep::drawTimes(Chart& chart, const std::string& title, const AxisInfo& x) const {
  draw(chart, title, x, {.title = "time", .unit = "s"}, [](double, double seconds) { return seconds; });
}

void Sweep::draw(Chart& chart, const std::string& title, const AxisInfo& x, const AxisInfo& y,
                 const std::function<double(double size, double seconds)>& value) const {
  chart.title = title;
  chart.setDecades(x, sizes.front(), sizes.back(), y);
  for (const Way& way : ways) {
    Curve& curve = chart.curves.emplace_back(Curve{.title = way.title, .values = {}});
    for (std::size_t k = 0; k < sizes.size(); ++k) curve.values.push_back(value(sizes[k], way.seconds[k]));
  }
}

}  // namespace simscope::lab
