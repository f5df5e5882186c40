#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

#include "app/lab/lessons/windows/windows_kernels.h"

namespace simscope::lab::windows {
namespace {

constexpr double kBytes = 8;                 // at least: one number read, one written
constexpr int kNarrowest = 2, kStencil = 5;  // numbers that a result needs
constexpr double kMostOnCpu = 4e6;           // its rates do not change beyond this, and it must not take long
constexpr int kWidestAnewOnCpu = 64;         // for the same reason

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

// The numbers on one device: a line, and a plane of about as many.
struct Data {
  compute::DevicePtr device;
  std::size_t n;
  Plane plane;
  compute::Buffer<float> in, out;

  // Averages of n numbers, over the widths of their windows.
  void addAverages(std::vector<Way>& ways) {
    const auto average = [&](const char* title, const OfSize& run, double widest = kWidest) {
      const auto check = [this, title](std::size_t width) {
        requireValues(title, *device, out.data(), n, 1e-4,
                      [&](std::size_t i) { return averageOf(i, static_cast<int>(width)); });
      };
      ways.push_back({.title = title,
                      .device = device,
                      .prepare = tasks(run, check),
                      .clear = [this] { out.zero(); },
                      .most = widest});
    };
    const auto of = [this](std::size_t width) { return Average{in.data(), out.data(), static_cast<int>(width)}; };
    if (!device->isCuda()) {
      average(
          "CPU, each window anew", [=, this](std::size_t width) { compute::parallelFor(*device, n, of(width)); },
          kWidestAnewOnCpu);
      average("CPU, sliding", [=, this](std::size_t width) {
        const SlidingAverage sliding{in.data(), out.data(), static_cast<int>(width), n};
        compute::parallelFor(*device, (n - 1) / SlidingAverage::kStretch + 1, sliding, 8);
      });
      return;
    }
#if SIMSCOPE_HAVE_CUDA
    const auto stream = static_cast<cudaStream_t>(device->stream());
    const auto launched = [=, this](auto kernel, int each) {
      return [=, this](std::size_t width) {
        const auto blocks = static_cast<unsigned>((n - 1) / static_cast<std::size_t>(each) + 1);
        kernel<<<blocks, kThreads, 0, stream>>>(of(width), n);
        SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      };
    };
    average("GPU, global memory", [=, this](std::size_t width) { compute::parallelFor(*device, n, of(width)); });
    average("GPU, shared memory", launched(averageInSharedMemory, kThreads));
    average("GPU, registers", launched(averageInRegisters, kRegisterTile));
#endif
  }

  // Steps of the plane, by stencils of kStencil numbers.
  void addStencils(std::vector<Way>& ways) {
    const FivePoints points{in.data(), out.data(), plane.nx, plane.ny};
    const auto step = [&](const char* title, const std::function<void()>& run) {
      const auto check = [this, title](std::size_t) {
        requireValues(title, *device, out.data(), plane.points(), 1e-4, [&](std::size_t i) { return plane.stepOf(i); });
      };
      ways.push_back(
          {.title = title, .device = device, .prepare = tasks([run](std::size_t) { run(); }, check), .clear = [this] {
             out.zero();
           }});
    };
    if (!device->isCuda()) {
      step("CPU, five points", [=, this] { compute::parallelFor2d(*device, points.nx, points.ny, points); });
      return;
    }
#if SIMSCOPE_HAVE_CUDA
    const auto stream = static_cast<cudaStream_t>(device->stream());
    const auto launched = [=](auto kernel, int rows) {
      return [=] {
        const dim3 grid(static_cast<unsigned>((points.nx - 1) / kTileX + 1),
                        static_cast<unsigned>((points.ny - 1) / rows + 1));
        kernel<<<grid, dim3(kTileX, kTileY), 0, stream>>>(points);
        SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      };
    };
    step("GPU, five points, global memory", launched(fivePointsInGlobalMemory, kTileY));
    step("GPU, five points, shared memory", launched(fivePointsInSharedMemory, kTileY));
    step("GPU, five points, registers", launched(fivePointsInRegisters, kTileY * kRows));
#endif
  }
};

Data dataOn(const compute::DevicePtr& device, double most, int widest) {
  const auto n = static_cast<std::size_t>(most) - 1;  // not a multiple of a block
  const int side = static_cast<int>(std::sqrt(most)) - 3;
  std::vector<float> start(n + static_cast<std::size_t>(widest));
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = numberOf(i);
  return {device, n, {side, side}, compute::Buffer<float>(device, start), compute::Buffer<float>(device, n)};
}

// Of one device.
struct Measured {
  Sweep averages, stencils;
};

std::string findingOf(const std::vector<Measured>& measured) {
  const std::vector<Way>&averages = measured.back().averages.ways, &stencils = measured.back().stencils.ways;
  const std::vector<double>& widths = measured.back().averages.sizes;
  if (measured.size() == 1) {
    const std::size_t last = averages[0].last();
    return fmt::format(
        "On this machine's CPU a window of {} takes {} as one of {} if each average is computed anew, and {} if the "
        "window slides.",
        widths[last], timesAs(averages[0].atLargest() / averages[0].atSmallest(), "long"), widths.front(),
        timesAs(averages[1].seconds[last] / averages[1].atSmallest(), "long"));
  }
  const auto faster = [](const std::vector<Way>& ways, std::size_t way) {
    return ways[0].atLargest() / ways[way].atLargest();
  };
  const double shared = faster(stencils, 1), registers = faster(stencils, 2);
  return fmt::format(
      "On this machine's GPU averages of {} numbers are computed {} from shared memory as from global memory, and {} "
      "with sums in registers; a stencil of five points {} and {}{}.",
      widths.back(), timesAs(faster(averages, 1), "fast"), timesAs(faster(averages, 2), "fast"),
      timesAs(shared, "fast"), timesAs(registers, "fast"),
      std::max(shared, registers) < 1.2 ? ", because the cache already shares its numbers" : "");
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const double most = fitting(bench, p.largest, {.host = 32, .gpu = 32});
  std::vector<double> widths;
  for (int width = kNarrowest; width <= p.widest; width *= 2) widths.push_back(width);
  std::vector<Data> data;
  for (const compute::DevicePtr& device : bench.devices()) {
    data.push_back(dataOn(device, device->isCuda() ? most : std::min(most, kMostOnCpu), p.widest));
  }
  Result result;
  result.columns = {{"Window"}, {"Of points"}, {"Time", "s"}, {"Points", "points/s"}, limitShare("Share of the limit")};
  std::vector<Measured> measured;
  for (Data& each : data) {
    auto& [averages, stencils] =
        measured.emplace_back(Measured{.averages = {.sizes = widths}, .stencils = {.sizes = {kStencil}}});
    each.addAverages(averages.ways);
    each.addStencils(stencils.ways);
    const double from = static_cast<double>(measured.size() - 1) / static_cast<double>(data.size());
    const double to = static_cast<double>(measured.size()) / static_cast<double>(data.size());
    averages.time(bench, from, to);
    stencils.time(bench, to, to);

    const auto row = [&](const Way& way, double window, std::size_t n, double seconds) {
      const auto points = static_cast<double>(n);
      const double rate = carried(points / seconds, seconds);
      result.rows.push_back({.name = way.title,
                             .values = {window, points, seconds, rate, bench.memoryShare(way.device, kBytes * rate)},
                             .headroom = headroomOf(way.device, kBytes * points)});
    };
    for (const Way& way : averages.ways) {
      row(way, widths.front(), each.n, way.atSmallest());
      row(way, averages.largestOf(way), each.n, way.atLargest());
    }
    for (const Way& way : stencils.ways) row(way, kStencil, each.plane.points(), way.atLargest());
    averages.draw(result.chart, "Moving averages a second over their width", {.title = "numbers in a window"},
                  {.title = "averages", .unit = "points/s"},
                  [&](double, double seconds) { return static_cast<double>(each.n) / seconds; });
  }
  result.finding = findingOf(measured);
  result.noteLackOfCuda(bench, "so no kernels are compared");
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  const double most = std::max(1e4, (device->isCuda() ? 2e7 : 2e6) * size);
  const int width = device->isCuda() ? 64 : 16;
  Data data = dataOn(device, most, width);
  std::vector<Way> averages, stencils;
  data.addAverages(averages);
  data.addStencils(stencils);
  const auto kernel = [](const Way& way) { return way.title.substr(way.title.find(',') + 2); };
  for (const Way& way : averages) {
    if (way.title.find("sliding") != std::string::npos) continue;  // its additions differ
    const auto points = static_cast<double>(data.n);
    into.push_back({.kernel = fmt::format("average of {}, {}", width, kernel(way)),
                    .bytes = kBytes * points,
                    .operations = width * points,
                    .seconds = secondsAt(way, bench, static_cast<std::size_t>(width))});
  }
  for (const Way& way : stencils) {
    const auto points = static_cast<double>(data.plane.points());
    into.push_back({.kernel = kernel(way),
                    .bytes = kBytes * points,
                    .operations = 7 * points,
                    .seconds = secondsAt(way, bench, kStencil)});
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
