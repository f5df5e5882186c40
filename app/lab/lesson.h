// A lesson of GPU computing: a measurement on the user's machine, with the text that explains it.
//
// Plain data and one function. A lesson has a text, knobs (parameters, described like those of simulations), and a
// function that measures. The result of every lesson becomes a table, a chart drawn by the program's figure, JSON, CSV,
// and a short finding computed from it.
// Thread: measure() runs on a thread that may wait; it calls `Bench::check` between any two measurements. Errors:
// UsageError for inconsistent values, Error and OutOfMemory as the devices; exceptions of check.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/lab/limits.h"
#include "app/lab/timekeeper.h"
#include "sims/compute/device.h"
#include "sims/core/parameters.h"
#include "sims/core/view.h"

namespace simscope::lab {

// The devices and callbacks of a measurement.
struct Bench {
  compute::DevicePtr cpu;                                      // all cores
  compute::DevicePtr cuda;                                     // null: there is none
  std::string no_cuda;                                         // why there is none
  std::function<void()> check = [] {};                         // throws if the user has stopped it
  std::function<void(double share)> progress = [](double) {};  // 0 to 1
  std::function<double()> now = steadySeconds;                 // seconds; the clock for the lessons' shares

  // The GPU if there is one.
  const compute::DevicePtr& best() const { return cuda ? cuda : cpu; }
  // The existing ones, the CPU first.
  std::vector<compute::DevicePtr> devices() const;
  // Measured at the first call for a device, with a working set larger than any cache.
  const Limits& limitsOf(const compute::DevicePtr& device);
  // Of tensor cores: none for a CPU. Takes some tenths of a second on a GPU.
  const ProductLimits& productLimitsOf(const compute::DevicePtr& device);
  // FLOP/s in this format, by plain instructions or cuBLAS, whichever is more; 0: the device does not support it.
  double arithmeticOf(const compute::DevicePtr& device, Format format);
  // Of the rate at which the device's memory copies.
  double memoryShare(const compute::DevicePtr& device, double bytes_per_second) {
    return bytes_per_second / limitsOf(device).bytes_per_second;
  }

 private:
  struct Known {
    compute::DevicePtr device;
    Limits limits;
    std::optional<ProductLimits> products = {};
  };
  Known& known(const compute::DevicePtr& device);
  std::vector<std::unique_ptr<Known>> known_;
};

struct Column {
  std::string title;
  std::string unit = {};
  bool share = false;  // of the machine's limit: measure() removes impossible values (shares.h)
};
inline Column limitShare(std::string title) {
  return {.title = std::move(title), .unit = "%", .share = true};
}
inline constexpr double kMostShare = 1.05;  // allows for the error of the limit
// How much a row can exceed its limit, and why.
struct Headroom {
  double most = kMostShare;
  std::string why = {};
};
struct Row {
  std::string name;
  std::vector<double> values;  // one for each column; NaN: none
  std::string note = {};
  // The spread of each value from measurement to measurement (Timekeeper::spreadOf), in its unit; NaN: unknown. Filled
  // by measure().
  std::vector<double> spreads = {};
  Headroom headroom = {};  // of its shares
};

// Curves over sizes, or bars side by side. The chart is drawn like a view of curves.
struct Curve {
  std::string title;
  std::vector<double> values;  // at each place; NaN: a gap
  bool expected = false;       // faint: a law, a limit, or another run's
  std::string group = {};      // shares one colour, and one name in the legend
  int like = -1;               // drawn in the colour of that curve
};
// Values from 0 (black) to 1 (white) in rows, the lowest row first.
struct Picture {
  int width = 0, height = 0;
  std::vector<float> values = {};
};
struct Chart {
  std::string title;
  AxisInfo x = {}, y = {};
  // The positions of the first and the last value along x, the others at equal distances; logarithms for an axis in
  // decades. The curves' values are the numbers themselves; the chart takes logarithms if y is in decades.
  double first = 0, last = 1;
  std::vector<std::string> names = {};  // of bars: one for each place; x then has no scale
  std::vector<Curve> curves = {};
  Picture picture = {};  // drawn instead of the curves, if there is one

  // Both axes in decades, x between these two numbers.
  void setDecades(const AxisInfo& along, double from, double to, const AxisInfo& up);
};

struct Result {
  std::vector<Column> columns;
  std::vector<Row> rows;
  Chart chart;
  std::string finding;             // this machine's result in one or a few sentences
  std::vector<std::string> notes;  // what could not be measured, and why

  // Where the bench has no GPU, a note: "No CUDA device, <lack>: <why>".
  void noteLackOfCuda(const Bench& bench, const std::string& lack = {});
};

// Calls `use`, which needs a library that may be missing. If it throws Error: false, with the note "<lack>: <why>". A
// lost device is passed on.
bool usable(std::vector<std::string>& notes, const std::string& lack, const std::function<void()>& use);

// A kernel at one size that fills the device, for the machine's roofline: the least data it has to move between memory
// and processor, its operations, and its time.
struct RoofPoint {
  std::string kernel;  // "vector addition"
  double bytes = 0;
  double operations = 0;  // additions, products, and similar
  double seconds = 0;
  Format format = Format::Float32;
};

struct Lesson {
  std::string id;     // "vector_addition"
  std::string title;  // "Vector addition"
  std::string text;   // one paragraph
  std::shared_ptr<const std::vector<ParameterInfo>> parameters;
  Result (*measure)(Bench& bench, const ParameterSet& parameters) = nullptr;
  // Measures its kernels on one of the bench's devices, each within tenths of a second; inside Device::run. `size`
  // scales their problem size: 1, or less. Null: no kernel with known bytes and operations.
  void (*points)(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) = nullptr;

  ParameterSet defaults() const { return ParameterSet(parameters); }
};

// In order. UsageError, with the closest id, for an unknown one.
const std::vector<const Lesson*>& lessons();
const Lesson& lessonById(const std::string& id);

// Measures, after checks that hold for every lesson: as many values as columns and places. A note says where time ran
// short. OutOfTime if there is none left.
Result measure(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance = {});

}  // namespace simscope::lab
