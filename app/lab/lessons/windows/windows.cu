#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

#include "app/lab/lessons/windows/windows_kernels.h"

namespace simscope::lab::windows {
namespace {

constexpr double kBytes = 8;  // at least: one number read, one written
constexpr int kNarrowest = 2;
constexpr double kMostOnCpu = 4e6;    // its rates do not change beyond this, and it must not take long
constexpr int kWidestAnewOnCpu = 64;  // for the same reason

struct Parameters {
  int largest = 20'000'000;
  int widest = 256;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::largest<Parameters>(
          {.title = "Points",
           .minimum = 20'000,
           .maximum = 200'000'000,
           .help = "On the line, and in the plane of the stencil; fewer if the memory is too small"})
          .integer(&Parameters::widest, "widest",
                   {.title = "Widest window",
                    .minimum = 4,
                    .maximum = 1024,
                    .scale = Scale::Log,
                    .help = "Largest number of values in an average",
                    .power_of_two = true});
  return all;
}

float numberOf(std::size_t i) {
  return static_cast<float>((i * 7919) % 1013) * 1e-3f;
}

double averageOf(std::size_t i, int width) {
  double sum = 0;
  for (int k = 0; k < width; ++k) sum += static_cast<double>(numberOf(i + static_cast<std::size_t>(k)));
  return sum / width;
}

struct Plane {
  int nx, ny;
  std::size_t points() const { return static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny); }
  // Nothing is compared at the edge, which no step writes.
  double stepOf(std::size_t i) const {
    const auto row = static_cast<std::size_t>(nx);
    const std::size_t x = i % row, y = i / row;
    if (x == 0 || y == 0 || x == row - 1 || y == static_cast<std::size_t>(ny) - 1) return 0;
    const auto of = [](std::size_t k) { return static_cast<double>(numberOf(k)); };
    return of(i) + static_cast<double>(kDiffusion) * (of(i - 1) + of(i + 1) + of(i - row) + of(i + row) - 4 * of(i));
  }
};

struct Way {
  std::string title;
  compute::DevicePtr device;
  float* out;
  std::function<void(int width)> average;  // one of the two
  std::function<void()> step = {};
  int widest = kWidest;
  double points = 0;
  std::vector<double> rates = {};  // points per second at each width
};

struct Place {
  compute::DevicePtr device;
  std::size_t n;
  Plane plane;
  compute::Buffer<float> in, out;

  void addWays(std::vector<Way>& ways) {
    const compute::DevicePtr on = device;
    const std::size_t count = n;
    const auto from = static_cast<const float*>(in.data());
    float* const to = out.data();
    const FivePoints points{from, to, plane.nx, plane.ny};
    const auto average = [&](const char* title, std::function<void(int)> work, int widest = kWidest) {
      ways.push_back(Way{title, on, to, std::move(work), {}, widest, static_cast<double>(count)});
    };
    const auto step = [&](const char* title, std::function<void()> work) {
      ways.push_back(Way{title, on, to, {}, std::move(work), kWidest, static_cast<double>(plane.points())});
    };
    if (!device->isCuda()) {
      average(
          "CPU, each window anew",
          [=](int width) {
            compute::parallelFor(*on, count, Average{from, to, width});
          },
          kWidestAnewOnCpu);
      average("CPU, sliding", [=](int width) {
        compute::parallelFor(*on, (count - 1) / SlidingAverage::kStretch + 1, SlidingAverage{from, to, width, count},
                             8);
      });
      step("CPU, five points", [=] { compute::parallelFor2d(*on, points.nx, points.ny, points); });
      return;
    }
#if SIMSCOPE_HAVE_CUDA
    const auto stream = static_cast<cudaStream_t>(device->stream());
    const auto blocks = [count](int each) {
      return static_cast<unsigned>((count - 1) / static_cast<std::size_t>(each) + 1);
    };
    average("GPU, global memory", [=](int width) { compute::parallelFor(*on, count, Average{from, to, width}); });
    average("GPU, shared memory", [=](int width) {
      averageInSharedMemory<<<blocks(kThreads), kThreads, 0, stream>>>(Average{from, to, width}, count);
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    });
    average("GPU, registers", [=](int width) {
      averageInRegisters<<<blocks(kRegisterTile), kThreads, 0, stream>>>(Average{from, to, width}, count);
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    });
    const auto grid = [=](int rows) {
      return dim3(static_cast<unsigned>((points.nx - 1) / kTileX + 1),
                  static_cast<unsigned>((points.ny - 1) / rows + 1));
    };
    const dim3 tile(kTileX, kTileY);
    const auto launched = [=](auto kernel, int rows) {
      return [=] {
        kernel<<<grid(rows), tile, 0, stream>>>(points);
        SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      };
    };
    step("GPU, five points, global memory", launched(fivePointsInGlobalMemory, kTileY));
    step("GPU, five points, shared memory", launched(fivePointsInSharedMemory, kTileY));
    step("GPU, five points, registers", launched(fivePointsInRegisters, kTileY * kRows));
#endif
  }
};

Place placeOn(const compute::DevicePtr& device, double most, int widest) {
  const auto n = static_cast<std::size_t>(most) - 1;  // not a multiple of a block
  const int side = static_cast<int>(std::sqrt(most)) - 3;
  std::vector<float> start(n + static_cast<std::size_t>(widest));
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = numberOf(i);
  return {device, n, {side, side}, compute::Buffer<float>(device, start), compute::Buffer<float>(device, n)};
}

// Runs once to check the result, then for timing.
void measureWay(Way& way, const Bench& bench, const Place& place, const std::vector<int>& widths) {
  compute::Device& device = *way.device;
  const auto checked = [&](std::size_t n, const std::function<void()>& work, const auto& expected) {
    bench.check();
    device.zero(way.out, place.out.bytes());
    work();
    requireValues(way.title, device, way.out, n, 1e-4, expected);
    const double seconds = secondsOf(device, bench.check, work);
    way.rates.push_back(carried(way.points / seconds, seconds));
  };
  if (way.step) {
    checked(place.plane.points(), way.step, [&](std::size_t i) { return place.plane.stepOf(i); });
    return;
  }
  for (const int width : widths) {
    if (width > way.widest) {
      way.rates.push_back(std::nan(""));
      continue;
    }
    checked(
        place.n, [&] { way.average(width); }, [&](std::size_t i) { return averageOf(i, width); });
  }
}

// Over the measured widths.
std::size_t lastOf(const Way& way) {
  std::size_t last = way.rates.size() - 1;
  while (std::isnan(way.rates[last])) --last;
  return last;
}

std::string findingOf(const std::vector<Way>& ways, const std::vector<int>& widths, bool gpu) {
  const auto quotient = [](const Way& a, const Way& b) { return b.rates.back() / a.rates.back(); };
  if (!gpu) {
    const std::size_t last = lastOf(ways[0]);
    return fmt::format(
        "On this machine's CPU a window of {} takes {} as one of {} if each average is computed anew, and {} if the "
        "window slides.",
        widths[last], timesAs(ways[0].rates.front() / ways[0].rates[last], "long"), widths.front(),
        timesAs(ways[1].rates.front() / ways[1].rates[last], "long"));
  }
  const double shared = quotient(ways[6], ways[7]), registers = quotient(ways[6], ways[8]);
  return fmt::format(
      "On this machine's GPU averages of {} numbers are computed {} from shared memory as from global memory, and {} "
      "with sums in registers; a stencil of five points {} and {}{}.",
      widths.back(), timesAs(quotient(ways[3], ways[4]), "fast"), timesAs(quotient(ways[3], ways[5]), "fast"),
      timesAs(shared, "fast"), timesAs(registers, "fast"),
      std::max(shared, registers) < 1.2 ? ", because the cache already shares its numbers" : "");
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double most = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / 32);
  if (bench.cuda) most = std::min(most, static_cast<double>(bench.cuda->memoryFree()) / 32);
  std::vector<int> widths;
  for (int width = kNarrowest; width <= p.widest; width *= 2) widths.push_back(width);
  std::vector<Place> places;
  for (const compute::DevicePtr& device : bench.devices()) {
    places.push_back(placeOn(device, device->isCuda() ? most : std::min(most, kMostOnCpu), p.widest));
  }
  std::vector<Way> ways;
  for (Place& place : places) {
    const std::size_t from = ways.size();
    place.addWays(ways);
    for (std::size_t k = from; k < ways.size(); ++k) {
      place.device->run([&] { measureWay(ways[k], bench, place, widths); });
      bench.progress(static_cast<double>(k + 1) / (bench.cuda ? 9 : 3));
    }
  }

  Result result;
  result.columns = {
      {"Window"}, {"Of points"}, {"Time", "s"}, {"Points", "points/s"}, {"Share of the limit", "%", true}};
  for (const Way& way : ways) {
    const double limit = bench.limitsOf(way.device).bytes_per_second;
    const auto row = [&](double window, double rate) {
      result.rows.push_back(
          {way.title, {window, way.points, carried(way.points / rate, rate), rate, kBytes * rate / limit}});
      result.rows.back().headroom = headroomOf(way.device, kBytes * way.points);
    };
    if (way.step) {
      row(5, way.rates.front());
      continue;
    }
    const std::size_t last = lastOf(way);
    row(widths.front(), way.rates.front());
    row(widths[last], way.rates[last]);
    result.chart.curves.push_back({way.title, way.rates});
  }
  result.chart.title = "Moving averages a second over their width";
  result.chart.x = {.title = "numbers in a window", .decades = true};
  result.chart.y = {.title = "averages", .unit = "points/s", .decades = true};
  result.chart.first = std::log10(widths.front());
  result.chart.last = std::log10(widths.back());
  result.finding = findingOf(ways, widths, bench.cuda != nullptr);
  if (!bench.cuda) result.notes.push_back("No CUDA device, so no kernels are compared: " + bench.no_cuda);
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const double most = std::max(1e4, (device->isCuda() ? 2e7 : 2e6) * size);
  const int width = device->isCuda() ? 64 : 16;
  Place place = placeOn(device, most, width);
  std::vector<Way> ways;
  place.addWays(ways);
  for (Way& way : ways) {
    if (way.title.find("sliding") != std::string::npos) continue;  // its additions differ
    measureWay(way, bench, place, {width});
    const std::string name = way.title.substr(way.title.find(',') + 2);
    into.push_back({way.step ? name : fmt::format("average of {}, {}", width, name), kBytes * way.points,
                    (way.step ? 7 : width) * way.points, way.points / way.rates.back()});
  }
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "windows",
      .title = "Moving average and stencils",
      .text =
          "If each result needs its neighbourhood, neighbouring results need nearly the same numbers. If every thread "
          "reads all its numbers from global memory, only the cache shares them. A block can read its part once into "
          "shared memory. A thread that computes several results can keep their common numbers in registers, which are "
          "faster still. This pays for wide windows, as a moving average may have; a stencil of five points has little "
          "to share. The CPU uses another way: the window slides, and each average follows from the one before, "
          "whatever the width.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::windows
