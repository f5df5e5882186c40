#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
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

// The numbers on one device, and the same on the host.
struct Numbers {
  compute::DevicePtr device;
  compute::Buffer<float> there;
  std::vector<float> host;

  Numbers(const compute::DevicePtr& on, const std::vector<float>& start) : device(on), there(on, start), host(start) {}

  void bring() { device->upload(there.data(), host.data(), there.bytes()); }
  void fetch() { device->download(host.data(), there.data(), there.bytes()); }
  void step() { compute::parallelFor(*device, there.size(), Relax{there.data()}); }
};

// Three ways of taking `steps` steps from the start. All must end in the same numbers; otherwise nothing is measured.
void addWays(std::vector<Way>& ways, Numbers& numbers, const std::vector<float>& start) {
  const auto way = [&](const std::string& title, TimedBy timed_by, const OfSize& take) {
    const std::string name = (numbers.device->isCuda() ? "GPU, " : "CPU, ") + title;
    const auto check = [&numbers, name, timed_by](std::size_t steps) {
      if (timed_by == TimedBy::Device) numbers.fetch();
      std::vector<double> ends;
      for (std::size_t i = 0; i < kStarts; ++i) ends.push_back(afterSteps(i, static_cast<int>(steps)));
      for (std::size_t i = 0; i < numbers.host.size(); ++i) {
        const double expected = ends[i % kStarts];
        if (i == 0 || std::abs(numbers.host[i] - expected) > 1e-5) {
          requireValue(name, numbers.host[i], expected, 1e-5);
        }
      }
    };
    const auto clear = [&numbers, &start] {
      numbers.host = start;
      numbers.bring();
    };
    ways.push_back(
        {.title = name, .device = numbers.device, .prepare = tasks(take, check), .clear = clear, .timed_by = timed_by});
  };
  way("stays there", TimedBy::Device, [&](std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) numbers.step();
  });
  way("there and back once", TimedBy::Host, [&](std::size_t steps) {
    numbers.bring();
    for (std::size_t i = 0; i < steps; ++i) numbers.step();
    numbers.fetch();
  });
  way("there and back each step", TimedBy::Host, [&](std::size_t steps) {
    for (std::size_t i = 0; i < steps; ++i) {
      numbers.bring();
      numbers.step();
      numbers.fetch();
    }
  });
}

std::string findingOf(const Sweep& sweep, bool gpu) {
  const std::vector<Way>& ways = sweep.ways;
  const int steps = static_cast<int>(sweep.sizes.back());
  const auto slower = [&](std::size_t a, std::size_t b) { return ways[a].atLargest() / ways[b].atLargest(); };
  if (!gpu) {
    return fmt::format(
        "On this machine {} steps take {} with a copy before and after each step as without, although the copies stay "
        "within the host's memory.",
        steps, timesAs(slower(2, 0), "long"));
  }
  std::string text =
      fmt::format("On this machine {} steps on the GPU take {} if the data crosses the bus twice a step as if it stays",
                  steps, timesAs(slower(5, 3), "long"));
  const double against = slower(0, 5);
  text += against > 1 ? fmt::format(" (still {} as the CPU)", timesAs(against, "fast"))
                      : fmt::format(" ({} as on the CPU)", timesAs(1 / against, "long"));
  const auto pays = crossing(sweep.sizes, ways[4].seconds, ways[0].seconds);
  if (!pays) return text + "; one transfer there and back does not pay within these steps.";
  return text + fmt::format("; one transfer there and back pays from {:.0f} {} on.", std::ceil(*pays),
                            std::ceil(*pays) == 1 ? "step" : "steps");
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const double most = fitting(bench, p.size, {.host = 32, .gpu = 8});
  std::vector<float> start(static_cast<std::size_t>(std::max(most, 1000.0)));
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = startOf(i);
  const auto count = static_cast<double>(start.size());
  Sweep sweep{.sizes = {}};
  for (int steps = 1; steps <= p.largest; steps *= 2) sweep.sizes.push_back(steps);
  std::vector<Numbers> numbers;
  for (const compute::DevicePtr& device : bench.devices()) numbers.emplace_back(device, start);
  for (Numbers& each : numbers) addWays(sweep.ways, each, start);
  sweep.time(bench);

  Result result;
  result.columns = {{"One step", "s"},
                    {render::countText(static_cast<std::int64_t>(sweep.sizes.back())) + " steps", "s"},
                    {"A step of these", "s"},
                    limitShare("Share of the limit")};
  sweep.addRows(result, [&](const Way& way, double steps, double seconds) {
    const double each = carried(seconds / steps, seconds);
    return Row{.name = way.title,
               .values = {way.atSmallest(), seconds, each, bench.memoryShare(way.device, kBytes * count / each)},
               .headroom = headroomOf(way.device, kBytes * count)};
  });
  sweep.drawTimes(result.chart,
                  fmt::format("Time over the number of steps, {} numbers",
                              render::countText(static_cast<std::int64_t>(start.size()))),
                  {.title = "steps"});
  for (std::size_t way = 0; way < sweep.ways.size(); way += 3) {
    if (result.rows[way].values.back() > 1) {
      result.notes.push_back(
          fmt::format("These numbers fit the caches of the {}: the memory, whose rate the shares refer to, does not "
                      "limit its steps.",
                      sweep.ways[way].device->isCuda() ? "GPU" : "CPU"));
    }
  }
  result.noteLackOfCuda(bench, "so the copies cross no bus");
  result.finding = findingOf(sweep, bench.cuda != nullptr);
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
