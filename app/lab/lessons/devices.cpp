#include <fmt/format.h>

#include <cmath>

#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "sims/compute/host_info.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::lab::devices {
namespace {

constexpr std::size_t kCopies = 3;  // its column

// The highest clock that system and driver report; NaN: unknown.
double clockOf(const compute::Device& device) {
  double hertz = 0;
  if (!device.isCuda()) {
    hertz = compute::processorClock();
  } else {
#if SIMSCOPE_HAVE_CUDA
    int kilohertz = 0;
    SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device.info().index));
    hertz = 1e3 * kilohertz;
#endif
  }
  return hertz > 0 ? hertz : std::nan("");
}

Result measure(Bench& bench, const ParameterSet&) {
  Result result;
  result.columns = {{"Cores"},
                    {"Clock", "Hz"},
                    {"Memory", "B"},
                    {"Copies", "B/s"},
                    {"Multiply-adds", "1/s"},
                    {"In float64", "1/s"},
                    {"Multiply-adds a byte"}};
  Curve copied{"bytes copied", {}}, computed{"multiply-adds", {}};
  for (const compute::DevicePtr& device : bench.devices()) {
    const Limits& limits = bench.limitsOf(device);
    const compute::DeviceInfo& info = device->info();
    result.rows.push_back({info.name,
                           {static_cast<double>(info.threads), clockOf(*device), static_cast<double>(info.memory),
                            limits.bytes_per_second, limits.operations_per_second, limits.double_operations_per_second,
                            limits.operations_per_second / limits.bytes_per_second},
                           info.detail});
    result.chart.names.push_back(info.name);
    copied.values.push_back(limits.bytes_per_second / 1e9);
    computed.values.push_back(limits.operations_per_second / 1e9);
    bench.progress(0.5);
  }
  result.chart.title = "What each device copies and computes";
  result.chart.y = {.title = "rate", .unit = "10⁹/s", .decades = true};
  result.chart.curves = {copied, computed};
  const std::vector<Row>& rows = result.rows;
  if (!bench.cuda) {
    result.noteLackOfCuda(bench);
    result.finding = fmt::format(
        "This machine's CPU makes {} multiply-adds in the time of one byte read or written: a program with fewer per "
        "byte waits for memory.",
        roundText(rows[0].values.back()));
  } else {
    result.finding = fmt::format(
        "This machine's GPU copies {} as its CPU and computes {}; a program with fewer than {} multiply-adds a byte "
        "waits for memory.",
        timesAs(rows[1].values[kCopies] / rows[0].values[kCopies], "fast"),
        timesAs(rows[1].values[kCopies + 1] / rows[0].values[kCopies + 1], "fast"), roundText(rows[1].values.back()));
  }
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "devices",
      .title = "What is in this machine",
      .text =
          "Two numbers describe the speed of a processor: how many bytes it can move to and from its memory in a "
          "second, and how many operations it can make. Here both are measured, not read from a data sheet (only the "
          "clock beside them is): the first by a copy within the device's memory, larger than any cache, the second by "
          "chains of multiply-adds in registers, in single and in double precision. Their quotient says how many "
          "operations a program must make with each byte before arithmetic, and not memory, limits it.",
      .parameters = std::make_shared<const std::vector<ParameterInfo>>(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::devices
