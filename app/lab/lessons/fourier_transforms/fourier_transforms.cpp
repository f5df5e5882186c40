#include "app/lab/lessons/fourier_transforms/fourier_transforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "sims/compute/fourier/fft.h"

namespace simscope::lab::fourier_transforms {
namespace {

constexpr int kSmallest = 10;  // log2
constexpr int kStep = 2;
constexpr int kSamples = 2, kSamplesOfSmallest = 200;

enum class Format { Float32, Float64 };

struct Parameters {
  int largest = 1 << 22;
  Format format = Format::Float32;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::largest<Parameters>({.title = "Most points",
                                  .minimum = 1 << 12,
                                  .maximum = 1 << 26,
                                  .help = "In a line, a plane, or a box; rounded down to a power of four",
                                  .power_of_two = true})
          .choice(&Parameters::format, "format", {.title = "Numbers", .help = "Precision of the complex numbers"},
                  {{"float32", "Single precision"}, {"float64", "Double precision"}});
  return all;
}

// The largest distances of a way's results, over all sizes.
struct Distances {
  double from_sums = 0, from_cpu = 0;
};

double operationsOf(double points) {
  return 5 * points * std::log2(points);
}

// What is transformed at one size, and the CPU's results, which come first, for each number of axes.
template <class T>
struct Signal {
  std::vector<Complex<T>> values;
  std::vector<Complex<T>> of_cpu[4];
};

template <class T>
Task transform(const compute::DevicePtr& device, const std::string& title, int axes, std::size_t points,
               Signal<T>& signal, Distances& distances) {
  if (signal.values.size() != points) signal = {signalOf<T>(points), {}};
  const int log2_points = static_cast<int>(std::lround(std::log2(points)));
  const std::vector<int> dimensions = dimensionsOf(log2_points, axes);
  const auto fft = std::make_shared<compute::Fft<T>>(device, compute::FftShape{dimensions, 1});
  const auto data = std::make_shared<compute::Buffer<Complex<T>>>(device, signal.values);
  const auto check = [=, &signal, &distances] {
    const double tolerance = 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) * log2_points;
    const int samples = log2_points == kSmallest ? kSamplesOfSmallest : kSamples;
    std::vector<Complex<T>> result = data->toHost();
    const double distance = distanceFromSums<T>(signal.values, result, dimensions, samples);
    requireValue(title + ", distance from plain sums", distance, 0, tolerance);
    distances.from_sums = std::max(distances.from_sums, distance);
    std::vector<Complex<T>>& other = signal.of_cpu[axes];
    if (other.empty()) {
      other = std::move(result);
      return;
    }
    distances.from_cpu = std::max(distances.from_cpu, distanceBetween<T>(result, other));
    requireValue(title + ", distance from the CPU", distances.from_cpu, 0, tolerance);
  };
  // Repeated in place: the numbers overflow to infinity, which takes no longer.
  return {.run = [=] { fft->forward(data->data()); }, .check = check};
}

std::string findingOf(const Sweep& sweep, const std::vector<Distances>& distances) {
  const std::vector<Way>& ways = sweep.ways;
  Distances most;
  for (const Distances& each : distances) {
    most.from_sums = std::max(most.from_sums, each.from_sums);
    most.from_cpu = std::max(most.from_cpu, each.from_cpu);
  }
  const auto last = [&](std::size_t way) { return ways[way].atLargest(); };
  if (ways.size() == 3) {
    return fmt::format(
        "On this machine's CPU {} points take {} as a line, {} as a plane, and {} as a box, and differ by at most {} "
        "from the defining sums.",
        sizeText(sweep.sizes.back()), valueText(rounded(last(0)), "s"), valueText(rounded(last(1)), "s"),
        valueText(rounded(last(2)), "s"), roundText(most.from_sums));
  }
  const auto from = crossing(sweep.sizes, ways[4].seconds, ways[1].seconds);
  return fmt::format(
      "This machine's GPU transforms {} points in a line {} as its CPU, in a plane {}, and in a box {}{}; each "
      "frequency of the two differs by at most {} of the usual amplitude.",
      sizeText(sweep.sizes.back()), timesAs(last(0) / last(3), "fast"), timesAs(last(1) / last(4), "fast"),
      timesAs(last(2) / last(5), "fast"),
      from ? fmt::format(", and it pays for planes from {} points on", sizeText(*from)) : std::string(),
      roundText(most.from_cpu));
}

template <class T>
Result measureFormat(Bench& bench, double most) {
  Result result;
  std::vector<compute::DevicePtr> devices = {bench.cpu};
  const auto transform_there = [&] { (void)compute::Fft<float>(bench.cuda, {{64}, 1}); };
  if (bench.cuda && usable(result.notes, "The GPU is not compared", transform_there)) devices.push_back(bench.cuda);
  result.noteLackOfCuda(bench, "so cuFFT is not compared");
  constexpr std::array kShapes = {"line", "plane", "box"};
  constexpr double kBytes = sizeof(Complex<T>);
  Sweep sweep{.sizes = {std::ldexp(1.0, kSmallest)}};
  std::vector<Distances> distances(kShapes.size() * devices.size());
  Signal<T> signal;
  for (const compute::DevicePtr& device : devices) {
    most = std::min(most, static_cast<double>(device->memoryFree()) / (8 * kBytes));  // with what the host keeps
    for (std::size_t k = 0; k < kShapes.size(); ++k) {
      const std::string title = fmt::format("{}, {}", device->isCuda() ? "GPU" : "CPU", kShapes[k]);
      Distances& of = distances[sweep.ways.size()];
      sweep.ways.push_back({.title = title, .device = device, .prepare = [=, &signal, &of](std::size_t points) {
                              return transform<T>(device, title, static_cast<int>(k) + 1, points, signal, of);
                            }});
    }
  }
  for (int k = kSmallest + kStep; std::ldexp(1.0, k) <= most; k += kStep) sweep.sizes.push_back(std::ldexp(1.0, k));
  sweep.time(bench);

  result.columns = {{"Points"},
                    {"Time", "s"},
                    {"Rate", "FLOP/s"},
                    {"Moved at least", "B/s"},
                    limitShare("Of the memory's limit"),
                    {"From plain sums"},
                    {"From the CPU's"}};
  sweep.addRows(result, [&](const Way& way, double points, double seconds) {
    const double moved = 2 * kBytes * points / seconds;
    const Distances& of = distances[sweep.indexOf(way)];
    return Row{.name = way.title,
               .values = {points, seconds, operationsOf(points) / seconds, moved, bench.memoryShare(way.device, moved),
                          of.from_sums, way.device->isCuda() ? of.from_cpu : std::nan("")},
               .headroom = headroomOf(way.device, kBytes * points)};
  });
  sweep.draw(result.chart, "Rate of Fourier transforms over their points", {.title = "points"},
             {.title = "rate", .unit = "FLOP/s"},
             [](double points, double seconds) { return operationsOf(points) / seconds; });
  result.finding = findingOf(sweep, distances);
  return result;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  if (p.format == Format::Float32) return measureFormat<float>(bench, p.largest);
  return measureFormat<double>(bench, p.largest);
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "fourier_transforms",
      .title = "Fourier transforms",
      .text =
          "By its definition a Fourier transform of N points is N sums, each over all points. The fast transform "
          "shares the common parts of these sums and needs about 5 N log₂ N operations instead of 8 N². These are so "
          "few that memory limits the speed when the points do not fit the caches. A line is transformed as a whole; a "
          "plane along its rows and then along its columns; a box along three axes, with one more pass through memory, "
          "but in short lines that fit the caches. FFTW on the CPU and cuFFT on the GPU add in different orders, so "
          "their results differ by rounding.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::fourier_transforms
