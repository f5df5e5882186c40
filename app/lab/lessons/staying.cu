#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "app/render/figure/ticks.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::lab::staying {

constexpr float kShare = 0.125f;

// A step towards the fixed point 1, of each number separately: rounding errors decay.
struct Relax {
  float* x;
  SIMSCOPE_HD void operator()(std::size_t i) const { x[i] += kShare * (1 - x[i]); }
};

namespace {

constexpr double kBytes = 8;  // a step reads a number and writes it

struct Parameters {
  int size = 1'000'000;
  int largest = 128;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::largest<Parameters>({.title = "Most steps",
                                  .minimum = 8,
                                  .maximum = 4096,
                                  .help = "Steps between the start and the result on the host",
                                  .power_of_two = true})
          .integer(&Parameters::size, "size",
                   {.title = "Elements",
                    .minimum = 1000,
                    .maximum = 100'000'000,
                    .scale = Scale::Log,
                    .help = "Numbers that each step works on; fewer if the memory is too small"});
  return all;
}

constexpr std::size_t kStarts = 1000;

float startOf(std::size_t i) {
  return static_cast<float>(i % kStarts) * 0.01f;
}

double afterSteps(std::size_t i, int steps) {
  return 1 + (startOf(i) - 1) * std::pow(1 - kShare, steps);
}

// One device with the three ways of taking steps on it.
struct Place {
  compute::DevicePtr device;
  compute::Buffer<float> there;
  std::vector<float> host;
  Curve stays, once, returns;

  Place(const compute::DevicePtr& on, const std::vector<float>& start, const std::string& name)
      : device(on),
        there(on, start.size()),
        host(start),
        stays{name + ", stays there", {}},
        once{name + ", there and back once", {}},
        returns{name + ", there and back each step", {}} {}

  void bring() { device->upload(there.data(), host.data(), there.bytes()); }
  void fetch() { device->download(host.data(), there.data(), there.bytes()); }
  void step() { compute::parallelFor(*device, there.size(), Relax{there.data()}); }

  // Both ways must end in the same numbers; otherwise nothing is measured.
  void check(const std::vector<float>& start, int steps) {
    std::vector<double> ends;
    for (std::size_t i = 0; i < kStarts; ++i) ends.push_back(afterSteps(i, steps));
    const auto compare = [&](const std::string& what) {
      for (std::size_t i = 0; i < host.size(); ++i) {
        const double expected = ends[i % ends.size()];
        if (i == 0 || std::abs(host[i] - expected) > 1e-5) requireValue(what, host[i], expected, 1e-5);
      }
    };
    host = start;
    bring();
    for (int i = 0; i < steps; ++i) step();
    fetch();
    compare(once.title);
    host = start;
    for (int i = 0; i < steps; ++i) {
      bring();
      step();
      fetch();
    }
    compare(returns.title);
  }

  void measure(const Bench& bench, int steps) {
    stays.values.push_back(secondsOf(*device, bench.check, [&] {
      for (int i = 0; i < steps; ++i) step();
    }));
    once.values.push_back(hostSecondsOf(bench.check, [&] {
      bring();
      for (int i = 0; i < steps; ++i) step();
      fetch();
    }));
    returns.values.push_back(hostSecondsOf(bench.check, [&] {
      for (int i = 0; i < steps; ++i) {
        bring();
        step();
        fetch();
      }
    }));
  }
};

std::string findingOf(const Place& cpu, const Place* gpu, const std::vector<double>& counts) {
  const auto last = [](const Curve& curve) { return curve.values.back(); };
  const int steps = static_cast<int>(counts.back());
  if (gpu == nullptr) {
    return fmt::format(
        "On this machine {} steps take {} with a copy before and after each step as without, although the copies stay "
        "within the host's memory.",
        steps, timesAs(last(cpu.returns) / last(cpu.stays), "long"));
  }
  std::string text =
      fmt::format("On this machine {} steps on the GPU take {} if the data crosses the bus twice a step as if it stays",
                  steps, timesAs(last(gpu->returns) / last(gpu->stays), "long"));
  const double against = last(cpu.stays) / last(gpu->returns);
  text += against > 1 ? fmt::format(" (still {} as the CPU)", timesAs(against, "fast"))
                      : fmt::format(" ({} as on the CPU)", timesAs(1 / against, "long"));
  const auto pays = crossing(counts, gpu->once.values, cpu.stays.values);
  text += pays ? fmt::format("; one transfer there and back pays from {:.0f} {} on.", std::ceil(*pays),
                             std::ceil(*pays) == 1 ? "step" : "steps")
               : std::string("; one transfer there and back does not pay within these steps.");
  return text;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double most = std::min<double>(p.size, static_cast<double>(bench.cpu->memoryFree()) / 32);
  if (bench.cuda) most = std::min(most, static_cast<double>(bench.cuda->memoryFree()) / 8);
  std::vector<float> start(static_cast<std::size_t>(std::max(most, 1000.0)));
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = startOf(i);
  std::vector<double> counts;
  for (int count = 1; count <= p.largest; count *= 2) counts.push_back(count);
  std::vector<Place> places;
  places.emplace_back(bench.cpu, start, "CPU");
  if (bench.cuda) places.emplace_back(bench.cuda, start, "GPU");
  double done = 0;
  for (Place& place : places) {
    place.device->run([&] {
      bench.check();
      place.check(start, 5);
      for (const double count : counts) {
        place.measure(bench, static_cast<int>(count));
        bench.progress(++done / static_cast<double>(counts.size() * places.size()));
      }
    });
  }

  Result result;
  result.columns = {{"One step", "s"},
                    {render::countText(static_cast<std::int64_t>(counts.back())) + " steps", "s"},
                    {"A step of these", "s"},
                    {"Share of the limit", "%", true}};
  for (const Place& place : places) {
    const double limit = kBytes * static_cast<double>(start.size()) / bench.limitsOf(place.device).bytes_per_second;
    for (const Curve* curve : {&place.stays, &place.once, &place.returns}) {
      const double all = curve->values.back(), each = carried(all / counts.back(), all);
      result.rows.push_back({curve->title, {curve->values.front(), all, each, limit / each}});
      result.rows.back().headroom = headroomOf(place.device, kBytes * static_cast<double>(start.size()));
      result.chart.curves.push_back(*curve);
    }
  }
  result.chart.title = fmt::format("Time over the number of steps, {} numbers",
                                   render::countText(static_cast<std::int64_t>(start.size())));
  result.chart.x = {.title = "steps", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = 0;
  result.chart.last = std::log10(counts.back());
  for (const Place& place : places) {
    if (result.rows[place.device->isCuda() ? 3 : 0].values.back() > 1) {
      result.notes.push_back(
          fmt::format("These numbers fit the caches of the {}: the memory, whose rate the shares refer to, does not "
                      "limit its steps.",
                      place.device->isCuda() ? "GPU" : "CPU"));
    }
  }
  if (!bench.cuda) {
    result.notes.push_back("No CUDA device, so the copies cross no bus: " + bench.no_cuda);
  }
  result.finding = findingOf(places.front(), bench.cuda ? &places.back() : nullptr, counts);
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "staying",
      .title = "Keep it on the device",
      .text =
          "A program that fetches its array after every step, to look at it or to do a small thing on the host, and "
          "sends it back for the next step, spends its time on the bus. Here the same steps run in three ways: the "
          "data stays on the device; it is sent once, and fetched once at the end; it goes there and back in each "
          "step. In all three the time grows in proportion to the steps, but the time of a step differs, because the "
          "bus is slower than the device's memory. After many steps a single transfer hardly counts.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::staying
