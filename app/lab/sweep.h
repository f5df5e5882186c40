// Times several ways to do the same work over sizes, and makes the rows and curves of a result from the times. A lesson
// states only what is its own: its ways, its sizes, the bytes of an element, and what a row contains.
//
//   Sweep sweep{.sizes = sizesBetween(1e3, fitting(bench, p.largest, {.host = 48, .gpu = 24}), p.per_decade)};
//   sweep.ways.push_back({.title = "CPU", .device = bench.cpu, .prepare = tasks(run, check)});
//   sweep.time(bench);
//   sweep.drawTimes(result.chart, "Time of an addition over the vectors' length", {.title = "elements"});
//
// Thread: of measuring. Errors: as Device; Error for a wrong result.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "app/lab/lesson.h"

namespace simscope::lab {

// Free memory that must exist for each element, in bytes.
struct FreeMemory {
  double host = 0, gpu = 0;
};
// The number of elements that fits on all of the bench's devices, at most `wanted`.
double fitting(const Bench& bench, double wanted, const FreeMemory& each);

// The work at one size. All functions are called inside the way's Device::run.
struct Task {
  std::function<void()> run;         // timed
  std::function<void()> check;       // the result of one run: throws, by requireRight; waits
  std::function<void()> ready = {};  // restores the data that a run consumes: its own time is subtracted; may be empty
};

// Makes tasks of work that needs nothing prepared: functions of the number of elements.
using OfSize = std::function<void(std::size_t n)>;
std::function<Task(std::size_t n)> tasks(OfSize run, OfSize check, OfSize ready = {});

enum class TimedBy { Device, Host };  // Host: for work that itself waits, such as transfers

// One of several ways to do the same work.
struct Way {
  std::string title;
  compute::DevicePtr device;
  std::function<Task(std::size_t n)> prepare;  // not timed; the task may own what only this size needs
  std::function<void()> clear = {};            // before the run that is checked: removes earlier results
  double bytes = 0;                            // least bytes read and written per element
  // The largest size, and the longest run in seconds: more would take longer and show nothing new.
  double most = std::numeric_limits<double>::infinity(), longest = std::numeric_limits<double>::infinity();
  TimedBy timed_by = TimedBy::Device;
  std::vector<double> seconds = {};  // at each size; NaN: not timed

  double atSmallest() const { return seconds.front(); }
  // The index of the largest size that was timed, and the time there.
  std::size_t last() const;
  double atLargest() const { return seconds[last()]; }
};

// Checks one run of n elements, then times it. Inside Device::run.
double secondsAt(const Way& way, const Bench& bench, std::size_t n);

struct Sweep {
  std::vector<double> sizes;
  std::vector<Way> ways = {};
  double power = 1;  // times grow with this power of the size: predicts which runs would take too long (Way::longest)

  // Fills the ways' seconds; the bench's progress goes from `from` to `to`.
  void time(Bench& bench, double from = 0, double to = 1);
  double largestOf(const Way& way) const { return sizes[way.last()]; }
  // Of one of `ways`.
  std::size_t indexOf(const Way& way) const { return static_cast<std::size_t>(&way - ways.data()); }

  // One row for each way, at its largest size.
  void addRows(Result& result, const std::function<Row(const Way& way, double size, double seconds)>& row) const;
  // One curve for each way: its times, or another quantity, over the sizes.
  void drawTimes(Chart& chart, const std::string& title, const AxisInfo& x) const;
  void draw(Chart& chart, const std::string& title, const AxisInfo& x, const AxisInfo& y,
            const std::function<double(double size, double seconds)>& value) const;

 private:
  bool leavesOut(const Way& way, double size) const;
};

}  // namespace simscope::lab
