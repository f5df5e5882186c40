#include "app/lab/lesson.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/lab/lessons/matrix_product/matrix_product.h"
#include "app/lab/shares.h"
#include "sims/compute/device_lost.h"
#include "sims/compute/lanes/lane_rate.h"
#include "sims/core/machine_limit.h"
#include "sims/foreign/words.h"

namespace simscope::lab {

#define SIMSCOPE_LESSON(id) \
  namespace id {            \
  const Lesson& lesson();   \
  }
#include "app/lab/lessons.def"
#undef SIMSCOPE_LESSON

std::vector<compute::DevicePtr> Bench::devices() const {
  if (cuda) return {cpu, cuda};
  return {cpu};
}

Bench::Known& Bench::known(const compute::DevicePtr& device) {
  for (const auto& each : known_) {
    if (each->device == device) return *each;
  }
  check();
  // A working set that no cache holds, and arithmetic of any amount.
  const Throughput work{.bytes_per_step = 512e6, .lane_operations_per_step = 1};
  Limits limits;
  device->run([&] {
    const MachineLimit machine = measureLimit(device, work, check);
    check();
    const compute::LaneRate twice = compute::doubleLaneRate(*device);
    limits = {machine.copy_bytes_per_second, machine.lane_operations_per_second, twice.per_second, twice.arithmetic};
  });
  known_.push_back(std::make_unique<Known>(Known{device, limits}));
  return *known_.back();
}

const Limits& Bench::limitsOf(const compute::DevicePtr& device) {
  return known(device).limits;
}

const ProductLimits& Bench::productLimitsOf(const compute::DevicePtr& device) {
  Known& of = known(device);
  if (!of.products) of.products = device->isCuda() ? matrix_product::productLimits(*this) : ProductLimits{};
  return *of.products;
}

double Bench::arithmeticOf(const compute::DevicePtr& device, Format format) {
  switch (format) {
    case Format::Float32:
      return limitsOf(device).single();
    case Format::Float64:
      // Some cards have tensor cores for these, too.
      return std::max(limitsOf(device).twice(), productLimitsOf(device).float64);
    case Format::Tf32:
      return productLimitsOf(device).tf32;
    case Format::Float16:
      break;
  }
  return productLimitsOf(device).float16;
}

void Chart::setDecades(const AxisInfo& along, double from, double to, const AxisInfo& up) {
  x = along;
  y = up;
  x.decades = y.decades = true;
  first = std::log10(from);
  last = std::log10(to);
}

void Result::noteLackOfCuda(const Bench& bench, const std::string& lack) {
  if (bench.cuda) return;
  notes.push_back(fmt::format("No CUDA device{}{}: {}", lack.empty() ? "" : ", ", lack, bench.no_cuda));
}

bool usable(std::vector<std::string>& notes, const std::string& lack, const std::function<void()>& use) {
  try {
    use();
    return true;
  } catch (const compute::DeviceLost&) {
    throw;
  } catch (const Error& error) {
    notes.push_back(fmt::format("{}: {}", lack, error.what()));
    return false;
  }
}

const std::vector<const Lesson*>& lessons() {
  static const std::vector<const Lesson*> all = {
#define SIMSCOPE_LESSON(id) &id::lesson(),
#include "app/lab/lessons.def"
#undef SIMSCOPE_LESSON
  };
  return all;
}

const Lesson& lessonById(const std::string& id) {
  std::vector<std::string> ids;
  for (const Lesson* each : lessons()) {
    if (each->id == id) return *each;
    ids.push_back(each->id);
  }
  const std::string closest = closestName(id, ids);
  throw UsageError(fmt::format("there is no lesson {}{}; simscope lab lists them", foreign::shown(id),
                               closest.empty() ? "" : fmt::format(" (did you mean {}?)", closest)));
}

Result measure(const Lesson& lesson, Bench& bench, const ParameterSet& parameters, const Allowance& allowance) {
  Timekeeper keeper(allowance, bench.now);
  bench.check();
  bench.progress(0);
  Result result = lesson.measure(bench, parameters);
  for (Row& row : result.rows) {
    if (row.values.size() != result.columns.size()) {
      throw Error(fmt::format("lesson {}: row {} has {} values for {} columns", lesson.id, row.name, row.values.size(),
                              result.columns.size()));
    }
    if (row.spreads.empty()) {
      for (const double value : row.values) row.spreads.push_back(keeper.spreadOf(value));
    }
  }
  removeImpossibleShares(result);
  if (keeper.hurried() > 0) {
    result.notes.push_back(
        fmt::format("This lesson has little time among all: {} of {} measurements were repeated less than in a run of "
                    "this lesson alone.",
                    keeper.hurried(), keeper.measured()));
  }
  const Chart& chart = result.chart;
  for (const Curve& curve : chart.curves) {
    const std::size_t places = chart.names.empty() ? chart.curves.front().values.size() : chart.names.size();
    if (curve.values.size() != places) {
      throw Error(fmt::format("lesson {}: curve {} has {} values for {} places", lesson.id, curve.title,
                              curve.values.size(), places));
    }
  }
  if (chart.picture.values.size() !=
      static_cast<std::size_t>(chart.picture.width) * static_cast<std::size_t>(chart.picture.height)) {
    throw Error(fmt::format("lesson {}: a picture of {} × {} has {} values", lesson.id, chart.picture.width,
                            chart.picture.height, chart.picture.values.size()));
  }
  bench.progress(1);
  return result;
}

}  // namespace simscope::lab
