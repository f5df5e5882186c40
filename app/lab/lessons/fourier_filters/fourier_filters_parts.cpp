#include <algorithm>
#include <cmath>
#include <numbers>

#include "app/lab/lessons/fourier_filters/field_filter.h"
#include "app/lab/lessons/fourier_filters/fourier_filters.h"
#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/image/image.h"

namespace simscope::lab::fourier_filters {
namespace {

using compute::Complex;

std::size_t squared(int side) {
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}
int wrapped(int i, int side) {
  return ((i % side) + side) % side;
}
std::size_t placeOf(int x, int y, int side) {
  return static_cast<std::size_t>(wrapped(y, side)) * static_cast<std::size_t>(side) +
         static_cast<std::size_t>(wrapped(x, side));
}
// Cycles a pixel of a transform's element.
double frequencyOf(int i, int side) {
  return static_cast<double>(i <= side / 2 ? i : i - side) / side;
}

// The transform on the host, in double precision.
void transform(std::vector<Complex<double>>& values, int side, bool inverse) {
  const compute::DevicePtr cpu = compute::Device::open("cpu", 1);
  cpu->run([&] {
    const compute::Fft<double> fft(cpu, {{side, side}, 1});
    compute::Buffer<Complex<double>> there(cpu, values);
    if (inverse) {
      fft.inverse(there.data());
    } else {
      fft.forward(there.data());
    }
    there.download(values);
  });
}

}  // namespace

Grey testPicture(int side) {
  Grey all{side, std::vector<float>(squared(side))};
  std::uint32_t state = 9;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double u = (x + 0.5) / side - 0.5, v = (y + 0.5) / side - 0.5, r2 = u * u + v * v;
      // Phase π·side·r²/2: at the edge's middle a quarter of a cycle a pixel.
      double value = 0.5 + 0.5 * std::cos(0.5 * std::numbers::pi * side * r2);
      if (std::abs(u) < 0.06 || std::abs(v) < 0.02) value = u * v > 0 ? 0.9 : 0.1;
      state = state * 1664525u + 1013904223u;
      value += 0.1 * ((state >> 8) * 0x1p-24 - 0.5);
      all.values[placeOf(x, y, side)] = static_cast<float>(value);
    }
  }
  return all;
}

Grey pictureOf(const std::string& file, int side) {
  const image::GreyImage read = image::readGreyImage(file);
  const int square = std::min(read.width, read.height);
  const int left = (read.width - square) / 2, top = (read.height - square) / 2;
  Grey all{side, std::vector<float>(squared(side))};
  const auto nearest = [&](int i) { return std::min(static_cast<int>((i + 0.5) * square / side), square - 1); };
  for (int y = 0; y < side; ++y) {
    const auto row = static_cast<std::size_t>(top + square - 1 - nearest(y)) * static_cast<std::size_t>(read.width);
    for (int x = 0; x < side; ++x) {
      all.values[placeOf(x, y, side)] = read.values[row + static_cast<std::size_t>(left + nearest(x))];
    }
  }
  return all;
}

Filter filterOf(const std::string& formula, double c, int side) {
  Filter filter{side, factorsOf({formula, c}, side, side), std::vector<float>(squared(side))};
  std::vector<Complex<double>> values(squared(side));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = {static_cast<double>(filter.factors[i]), 0};
  transform(values, side, true);
  for (std::size_t i = 0; i < values.size(); ++i) {
    filter.kernel[i] = static_cast<float>(values[i].re / static_cast<double>(values.size()));
  }
  return filter;
}

Window windowOf(const Filter& filter, int reach) {
  const int side = filter.side;
  Window window{reach, {}, std::vector<float>(2 * squared(side))};
  std::vector<Complex<double>> values(squared(side));
  for (int y = -reach; y <= reach; ++y) {
    for (int x = -reach; x <= reach; ++x) {
      const float weight = filter.kernel[placeOf(x, y, side)];
      window.weights.push_back(weight);
      values[placeOf(x, y, side)].re += static_cast<double>(weight);  // a kernel wider than the picture overlaps itself
    }
  }
  transform(values, side, false);
  for (std::size_t i = 0; i < values.size(); ++i) {
    window.factors[2 * i] = static_cast<float>(values[i].re);
    window.factors[2 * i + 1] = static_cast<float>(values[i].im);
  }
  return window;
}

Window wholeOf(const Filter& filter) {
  Window window{-1, {}, std::vector<float>(2 * filter.factors.size())};
  for (std::size_t i = 0; i < filter.factors.size(); ++i) window.factors[2 * i] = filter.factors[i];
  return window;
}

std::vector<double> spectrumOf(const std::vector<float>& values, int side) {
  std::vector<Complex<double>> waves(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) waves[i] = {static_cast<double>(values[i]), 0};
  transform(waves, side, false);
  std::vector<double> sums(static_cast<std::size_t>(side / 2)), counts(sums.size());
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const long ring = std::lround(std::hypot(frequencyOf(x, side), frequencyOf(y, side)) * side) - 1;
      if (ring < 0 || ring >= side / 2) continue;
      const Complex<double>& wave = waves[placeOf(x, y, side)];
      sums[static_cast<std::size_t>(ring)] += std::hypot(wave.re, wave.im) / static_cast<double>(values.size());
      counts[static_cast<std::size_t>(ring)] += 1;
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  return sums;
}

void drawSpectra(Chart& chart, const Grey& picture, const Filter& filter, const std::vector<float>& filtered) {
  const std::vector<double> before = spectrumOf(picture.values, picture.side),
                            after = spectrumOf(filtered, picture.side);
  constexpr double kRounding = 1e-9;  // of the waves in single precision: smaller ones are rounding
  const double most = *std::max_element(before.begin(), before.end());
  Curve expected{.title = "the filter, from before", .values = {}, .expected = true};
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto along = static_cast<std::size_t>(i + 1);  // of kx alone
    const double left = std::abs(static_cast<double>(filter.factors[along])) * before[i];
    expected.values.push_back(left > kRounding * most ? left : std::nan(""));
  }
  chart.curves = {{"before", before}, {"after", after}, expected};
  chart.title = "Mean amplitude of the picture's waves";
  chart.x = {.title = "k", .unit = "1/px"};
  chart.y = {.title = "amplitude", .decades = true};
  chart.first = 1.0 / picture.side;
  chart.last = 0.5;
}

void drawPictures(Chart& chart, const Grey& picture, const std::vector<float>& filtered) {
  const auto side = static_cast<std::size_t>(picture.side);
  Picture& both = chart.picture;
  both.width = 2 * picture.side;
  both.height = picture.side;
  // The filtered picture may be darker than black: it is shown from its darkest to its brightest value, like the other.
  const auto inRange = [](std::vector<float> values) {
    const auto ends = std::minmax_element(values.begin(), values.end());
    const float low = *ends.first, range = std::max(*ends.second - low, 1e-30f);
    for (float& each : values) each = (each - low) / range;
    return values;
  };
  const std::vector<float> left = inRange(picture.values), right = inRange(filtered);
  for (std::size_t row = 0; row < left.size(); row += side) {
    for (const std::vector<float>* each : {&left, &right}) {
      const auto from = each->begin() + static_cast<std::ptrdiff_t>(row);
      both.values.insert(both.values.end(), from, from + picture.side);
    }
  }
  chart.title = "The picture and the filtered picture";
  chart.x = {.title = "x", .unit = "px"};
  chart.y = {.title = "y", .unit = "px"};
}

double convolvedAt(const Grey& picture, const std::vector<float>& kernel, std::size_t i) {
  const int side = picture.side, px = static_cast<int>(i) % side, py = static_cast<int>(i) / side;
  double sum = 0;
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      sum += static_cast<double>(kernel[placeOf(x, y, side)]) *
             static_cast<double>(picture.values[placeOf(px - x, py - y, side)]);
    }
  }
  return sum;
}

double convolvedAt(const Grey& picture, const Window& window, std::size_t i) {
  const int side = picture.side, px = static_cast<int>(i) % side, py = static_cast<int>(i) / side;
  double sum = 0;
  std::size_t next = 0;
  for (int y = -window.reach; y <= window.reach; ++y) {
    for (int x = -window.reach; x <= window.reach; ++x) {
      sum += static_cast<double>(window.weights[next++]) *
             static_cast<double>(picture.values[placeOf(px - x, py - y, side)]);
    }
  }
  return sum;
}

}  // namespace simscope::lab::fourier_filters
