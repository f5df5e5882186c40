// A lesson of GPU computing: a measurement on the user's own machine, with the text that explains it.
//
// Plain data and one function. A lesson has a text, knobs (parameters, described like those of simulations), and a
// function that measures. The result of every lesson becomes a table, a chart drawn by the program's figure, JSON, CSV,
// and a short finding computed from it.
// Thread: measure() on one that may wait; it calls `Bench::check` between any two measurements. Errors: UsageError for
// values that do not go together, Error and OutOfMemory as the devices; whatever check throws.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/limits.h"
#include "app/lab/timekeeper.h"
#include "sims/compute/device.h"
#include "sims/core/parameters.h"
#include "sims/core/view.h"

namespace simscope::lab {

// What a lesson measures on.
struct Bench {
  compute::DevicePtr cpu;                                      // all cores
  compute::DevicePtr cuda;                                     // null: there is none
  std::string no_cuda;                                         // why
  std::function<void()> check = [] {};                         // throws if the user has stopped it
  std::function<void(double share)> progress = [](double) {};  // 0 to 1
  std::function<double()> now = steadySeconds;                 // seconds; the clock for the lessons' shares

  // The GPU where there is one.
  const compute::DevicePtr& best() const { return cuda ? cuda : cpu; }
  // Those there are, the CPU first.
  std::vector<compute::DevicePtr> devices() const;
  // Measured at the first call for a device, with a working set that no cache holds.
  const Limits& limitsOf(const compute::DevicePtr& device);
  // Of tensor cores: none of a CPU. Takes some tenths of a second of a GPU.
  const ProductLimits& productLimitsOf(const compute::DevicePtr& device);
  // FLOP/s that arithmetic in this format can reach by either; 0: the device does not have it.
  double arithmeticOf(const compute::DevicePtr& device, Format format);

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
inline constexpr double kMostShare = 1.05;  // allows for the error of the limit
// How much more than its limit a row can reach, and why.
struct Headroom {
  double most = kMostShare;
  std::string why = {};
};
struct Row {
  std::string name;
  std::vector<double> values;  // one for each column; NaN: none
  std::string note = {};
  // How far each value varies from measurement to measurement (Timekeeper::spreadOf), in its unit; NaN: not known.
  // measure() fills it.
  std::vector<double> spreads = {};
  Headroom headroom = {};  // of its shares
};

// Curves over sizes, or bars side by side. The chart is drawn as a view of curves is.
struct Curve {
  std::string title;
  std::vector<double> values;  // at each place; NaN: a gap
  bool expected = false;       // faint: a law, a limit, or another run's
  std::string group = {};      // has one colour, and one name in the legend
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
  // Where the first and the last value lie along x, those between at equal distances; of an axis in decades the
  // logarithms. The curves' values are the numbers themselves; the chart takes logarithms where y counts decades.
  double first = 0, last = 1;
  std::vector<std::string> names = {};  // of bars: one for each place; x counts nothing then
  std::vector<Curve> curves = {};
  Picture picture = {};  // drawn in the curves' place where there is one
};

struct Result {
  std::vector<Column> columns;
  std::vector<Row> rows;
  Chart chart;
  std::string finding;             // what this machine's result says, in a sentence or a few
  std::vector<std::string> notes;  // what could not be measured, and why
};

// A kernel at one size that fills the device, for the roofline of the machine: what it has to move between memory and
// processor at least, what it computes, and how long it took.
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
  // scales how much they work on: 1, or less. Null: it has none of which bytes and operations are known.
  void (*points)(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) = nullptr;

  ParameterSet defaults() const { return ParameterSet(parameters); }
};

// In their order. UsageError, with the closest id, for an unknown one.
const std::vector<const Lesson*>& lessons();
const Lesson& lessonById(const std::string& id);

// Measures, after checks that hold for every lesson: as many values as columns and places. Says in a note where time
// ran short. OutOfTime where there is no more of it.
Result measure(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance = {});

}  // namespace simscope::lab
