#include "app/lab/lessons/fourier_transforms/fourier_transforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/timing.h"
#include "sims/compute/device_lost.h"
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

struct Way {
  std::string title;
  compute::DevicePtr device;
  int axes;
  std::vector<double> seconds = {};
  double from_sums = 0, between = 0;  // the largest of all sizes
};

double operationsOf(double points) {
  return 5 * points * std::log2(points);
}

template <class T>
void measureSize(std::vector<Way>& ways, const Bench& bench, int log2_points) {
  const std::size_t points = std::size_t{1} << log2_points;
  const std::vector<Complex<T>> signal = signalOf<T>(points);
  const double tolerance = 16 * static_cast<double>(std::numeric_limits<T>::epsilon()) * log2_points;
  std::vector<Complex<T>> of_cpu[4];
  for (Way& way : ways) {
    bench.check();
    way.device->run([&] {
      const std::vector<int> dimensions = dimensionsOf(log2_points, way.axes);
      const compute::Fft<T> fft(way.device, {dimensions, 1});
      compute::Buffer<Complex<T>> data(way.device, signal);
      fft.forward(data.data());
      std::vector<Complex<T>> result = data.toHost();
      const double distance =
          distanceFromSums<T>(signal, result, dimensions, log2_points == kSmallest ? kSamplesOfSmallest : kSamples);
      requireValue(way.title + ", distance from plain sums", distance, 0, tolerance);
      way.from_sums = std::max(way.from_sums, distance);
      std::vector<Complex<T>>& other = of_cpu[way.axes];
      if (other.empty()) {
        other = std::move(result);
      } else {
        way.between = std::max(way.between, distanceBetween<T>(result, other));
        requireValue(way.title + ", distance from the CPU", way.between, 0, tolerance);
      }
      // Repeated in place: the numbers overflow to infinity, which takes no longer.
      way.seconds.push_back(secondsOf(*way.device, bench.check, [&] { fft.forward(data.data()); }));
    });
  }
}

// Why this device has no transforms; empty if it has.
std::optional<std::string> missing(const compute::DevicePtr& device) {
  try {
    const compute::Fft<float> fft(device, {{64}, 1});
    return std::nullopt;
  } catch (const compute::DeviceLost&) {
    throw;
  } catch (const Error& error) {
    return error.what();
  }
}

Result resultOf(Bench& bench, const std::vector<Way>& ways, const std::vector<double>& sizes, double bytes) {
  Result result;
  result.columns = {{"Points"},
                    {"Time", "s"},
                    {"Rate", "FLOP/s"},
                    {"Moved at least", "B/s"},
                    {"Of the memory's limit", "%", true},
                    {"From plain sums"},
                    {"From the CPU's"}};
  for (const Way& way : ways) {
    const double points = sizes.back(), time = way.seconds.back(), moved = 2 * bytes * points / time;
    result.rows.push_back(
        {way.title,
         {points, time, operationsOf(points) / time, moved, moved / bench.limitsOf(way.device).bytes_per_second,
          way.from_sums, way.device->isCuda() ? way.between : std::nan("")}});
    result.rows.back().headroom = headroomOf(way.device, bytes * points);
    Curve rates{way.title, {}};
    for (std::size_t k = 0; k < sizes.size(); ++k) rates.values.push_back(operationsOf(sizes[k]) / way.seconds[k]);
    result.chart.curves.push_back(std::move(rates));
  }
  result.chart.title = "Rate of Fourier transforms over their points";
  result.chart.x = {.title = "points", .decades = true};
  result.chart.y = {.title = "rate", .unit = "FLOP/s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  return result;
}

std::string findingOf(const std::vector<Way>& ways, const std::vector<double>& sizes) {
  double from_sums = 0, between = 0;
  for (const Way& way : ways) {
    from_sums = std::max(from_sums, way.from_sums);
    between = std::max(between, way.between);
  }
  const auto last = [&](std::size_t way) { return ways[way].seconds.back(); };
  if (ways.size() == 3) {
    return fmt::format(
        "On this machine's CPU {} points take {} as a line, {} as a plane, and {} as a box, and differ by at most {} "
        "from the defining sums.",
        sizeText(sizes.back()), valueText(rounded(last(0)), "s"), valueText(rounded(last(1)), "s"),
        valueText(rounded(last(2)), "s"), roundText(from_sums));
  }
  const auto from = crossing(sizes, ways[4].seconds, ways[1].seconds);
  return fmt::format(
      "This machine's GPU transforms {} points in a line {} as its CPU, in a plane {}, and in a box {}{}; each "
      "frequency of the two differs by at most {} of the usual amplitude.",
      sizeText(sizes.back()), timesAs(last(0) / last(3), "fast"), timesAs(last(1) / last(4), "fast"),
      timesAs(last(2) / last(5), "fast"),
      from ? fmt::format(", and it pays for planes from {} points on", sizeText(*from)) : std::string(),
      roundText(between));
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const double bytes = p.format == Format::Float32 ? sizeof(Complex<float>) : sizeof(Complex<double>);
  std::vector<std::string> notes;
  std::vector<compute::DevicePtr> devices = {bench.cpu};
  if (bench.cuda) {
    const std::optional<std::string> why = missing(bench.cuda);
    if (why) {
      notes.push_back("The GPU is not compared: " + *why);
    } else {
      devices.push_back(bench.cuda);
    }
  } else {
    notes.push_back("No CUDA device, so cuFFT is not compared: " + bench.no_cuda);
  }
  std::vector<Way> ways;
  for (const compute::DevicePtr& device : devices) {
    for (int axes = 1; axes <= 3; ++axes) {
      ways.push_back({fmt::format("{}, {}", device->isCuda() ? "GPU" : "CPU",
                                  axes == 1   ? "line"
                                  : axes == 2 ? "plane"
                                              : "box"),
                      device, axes});
    }
  }
  double most = p.largest;
  for (const compute::DevicePtr& device : devices) {
    most = std::min(most, static_cast<double>(device->memoryFree()) / (8 * bytes));  // with what the host keeps
  }
  std::vector<double> sizes;
  for (int k = kSmallest; k == kSmallest || std::ldexp(1.0, k) <= most; k += kStep) {
    if (p.format == Format::Float32) {
      measureSize<float>(ways, bench, k);
    } else {
      measureSize<double>(ways, bench, k);
    }
    sizes.push_back(std::ldexp(1.0, k));
    bench.progress(std::min(1.0, sizes.back() / most));
  }
  Result result = resultOf(bench, ways, sizes, bytes);
  result.notes = std::move(notes);
  result.finding = findingOf(ways, sizes);
  return result;
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
