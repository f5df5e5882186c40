// Results of random numbers, sums in one pass, sorts, transforms, and filters, on the available devices.
#include <gmock/gmock.h>

#include <cmath>
#include <numbers>
#include <random>

#include "app/lab/lesson_figure.h"
#include "app/lab/lessons/fourier_filters/fourier_filters.h"
#include "app/lab/lessons/fourier_transforms/fourier_transforms.h"
#include "app/lab/lessons/one_pass/one_pass.h"
#include "app/lab/lessons/random_numbers/random_numbers.h"
#include "app/lab/lessons/sorts_scans/sorts_scans.h"
#include "app/lab/measurer.h"
#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/compute/random/random.h"

namespace simscope::lab {
namespace {

using compute::Complex;

struct Drawn {
  std::vector<float> uniform, normal;
};
Drawn drawn(const random_numbers::Generator& generator, std::size_t n) {
  Drawn both;
  generator.device->run([&] {
    compute::Buffer<float> numbers(generator.device, n);
    generator.uniform(numbers.data(), n);
    both.uniform = numbers.toHost();
    generator.normal(numbers.data(), n);
    both.normal = numbers.toHost();
  });
  return both;
}

std::vector<random_numbers::Generator> generators(const Bench& bench) {
  std::vector<random_numbers::Generator> all;
  std::vector<std::string> notes;
  random_numbers::addOwn(all, bench);
  random_numbers::addCurand(all, bench, notes);
  return all;
}

// Random123's published answers to a counter and a key of zeros.
TEST(RandomNumbersTest, PhiloxGivesItsKnownAnswer) {
  const std::uint32_t words[4] = {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u};
  const compute::Uniform4f got = compute::uniform4f(0, 0, 0);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(static_cast<double>(got.u[i]), (static_cast<double>(words[i] >> 9) + 0.5) * 0x1p-23) << i;
  }
}

TEST(RandomNumbersTest, EveryDeviceMakesThePlainLoopsNumbers) {
  constexpr std::size_t kCount = 300'004;  // more than each thread's first pair
  const Bench bench = benchOf("auto", 0);
  for (const random_numbers::Generator& each : generators(bench)) {
    if (!each.expected) continue;
    const Drawn both = drawn(each, kCount);
    for (std::size_t i = 0; i < kCount; i += 2) {
      const double u = each.expected(i), v = each.expected(i + 1);
      ASSERT_EQ(static_cast<double>(both.uniform[i]), u) << each.title << ", " << i;
      ASSERT_EQ(static_cast<double>(both.uniform[i + 1]), v) << each.title << ", " << i;
      const double radius = std::sqrt(-2 * std::log(u)), angle = 2 * std::numbers::pi * v;
      ASSERT_NEAR(static_cast<double>(both.normal[i]), radius * std::cos(angle), 2e-5) << each.title << ", " << i;
      ASSERT_NEAR(static_cast<double>(both.normal[i + 1]), radius * std::sin(angle), 2e-5) << each.title << ", " << i;
    }
  }
}

TEST(RandomNumbersTest, RanduFailsByItsTriplesAloneAndNoOtherFails) {
  const Bench bench = benchOf("auto", 0);
  for (const random_numbers::Generator& each : generators(bench)) {
    const Drawn both = drawn(each, std::size_t{3} << 17);
    const random_numbers::Deviations d = random_numbers::deviationsOf(both.uniform);
    EXPECT_LT(std::abs(d.bits), random_numbers::kMostByChance) << each.title;
    EXPECT_LT(std::abs(d.cells), random_numbers::kMostByChance) << each.title;
    EXPECT_LT(random_numbers::normalDeviation(both.normal), random_numbers::kMostByChance) << each.title;
    if (each.name.find("RANDU") != std::string::npos) {
      EXPECT_GT(d.triples, 100) << each.title;
      EXPECT_GT(d.birthdays, 2 * random_numbers::kMostByChance) << each.title;
      EXPECT_EQ(random_numbers::planesOf(both.uniform), 15) << each.title;
    } else {
      EXPECT_LT(d.worst(), random_numbers::kMostByChance) << each.title;
      EXPECT_EQ(random_numbers::planesOf(both.uniform), 0) << each.title;
    }
  }
}

TEST(RandomNumbersTest, WhatIsTooEvenFailsToo) {
  std::vector<float> even(std::size_t{3} << 17);
  for (std::size_t i = 0; i < even.size(); ++i) {
    even[i] = static_cast<float>(std::fmod(static_cast<double>(i) * 0.618033988749895, 1.0));
  }
  EXPECT_LT(random_numbers::deviationsOf(even).cells, -random_numbers::kMostByChance);
  std::vector<float> biased(even.size(), 0.75f);
  EXPECT_GT(random_numbers::normalDeviation(biased), random_numbers::kMostByChance);
}

TEST(OnePassTest, EveryWayGivesThePlainLoopsSum) {
  const Bench bench = benchOf("auto", 0);
  std::vector<Way> ways;
  for (const compute::DevicePtr& device : bench.devices()) one_pass::addWays(ways, device, 100'003);
  for (const std::size_t n : {4097, 1, 255, 100'003}) {
    for (Way& way : ways) {
      way.device->run([&] {
        const Task task = way.prepare(n);
        task.run();
        EXPECT_NO_THROW(task.check()) << way.title << ", " << n;
        EXPECT_THROW(way.prepare(n + 1).check(), Error) << way.title << ": the sum of one more is another";
      });
    }
  }
}

TEST(SortsScansTest, EveryWayGivesThePlainLoopsOrder) {
  const Bench bench = benchOf("auto", 0);
  std::vector<Way> ways;
  for (const compute::DevicePtr& device : bench.devices()) sorts_scans::addWays(ways, device, 200'000);
  for (const std::size_t n : {1, 2, 777, 200'000}) {
    for (Way& way : ways) {
      way.device->run([&] {
        const Task task = way.prepare(n);
        for (int again = 0; again < 2; ++again) {
          if (task.ready) task.ready();
          task.run();
        }
        EXPECT_NO_THROW(task.check()) << way.title << ", " << n;
      });
    }
  }
}

TEST(SortsScansTest, AWrongOrderIsSeen) {
  const std::vector<int> keys = {5, 3, 5, 1};
  const auto key_of = [&](std::uint32_t i) { return keys[i]; };
  const auto check = [&](std::vector<int> sorted, std::vector<std::uint32_t> places) {
    sorts_scans::requireSorted<int>("it", sorted, places, key_of);
  };
  EXPECT_NO_THROW(check({1, 3, 5, 5}, {3, 1, 0, 2}));
  EXPECT_THROW(check({1, 3, 5, 5}, {3, 1, 2, 0}), Error);  // equal keys out of order
  EXPECT_THROW(check({3, 1, 5, 5}, {1, 3, 0, 2}), Error);
  EXPECT_THROW(check({1, 3, 5, 5}, {3, 1, 0, 0}), Error);  // one twice
  EXPECT_THROW(check({1, 3, 4, 5}, {3, 1, 0, 2}), Error);
}

template <class T>
void expectTransforms(const compute::DevicePtr& device, double bound) {
  for (const int log2_points : {4, 7, 10}) {
    for (const int axes : {1, 2, 3}) {
      const std::vector<int> dimensions = fourier_transforms::dimensionsOf(log2_points, axes);
      ASSERT_EQ(dimensions.size(), static_cast<std::size_t>(axes));
      const auto signal = fourier_transforms::signalOf<T>(std::size_t{1} << log2_points);
      device->run([&] {
        const compute::Fft<T> fft(device, {dimensions, 1});
        ASSERT_EQ(fft.elements(), signal.size());
        compute::Buffer<Complex<T>> data(device, signal);
        fft.forward(data.data());
        std::vector<Complex<T>> result = data.toHost();
        const int all = 1 << log2_points;
        EXPECT_LT(fourier_transforms::distanceFromSums<T>(signal, result, dimensions, all), bound) << axes;
        EXPECT_EQ(fourier_transforms::distanceBetween<T>(result, result), 0);
        result.back().im += T{1};
        EXPECT_GT(fourier_transforms::distanceFromSums<T>(signal, result, dimensions, 1), 1e-3) << axes;
      });
    }
  }
}

TEST(FourierTransformsTest, TransformsAreTheSumsThatDefineThem) {
  const Bench bench = benchOf("auto", 0);
  for (const compute::DevicePtr& device : bench.devices()) {
    expectTransforms<float>(device, 5e-6);
    expectTransforms<double>(device, 1e-14);
  }
}

// Weights that are the same in no two directions.
fourier_filters::Filter lopsided(int side) {
  fourier_filters::Filter filter{side, {}, std::vector<float>(static_cast<std::size_t>(side * side))};
  for (std::size_t i = 0; i < filter.kernel.size(); ++i) filter.kernel[i] = static_cast<float>((i * 7919) % 101) - 40;
  return filter;
}

TEST(FourierFiltersTest, BothWaysAreTheConvolution) {
  const Bench bench = benchOf("auto", 0);
  const fourier_filters::Grey picture = fourier_filters::testPicture(64);
  for (const compute::DevicePtr& device : bench.devices()) {
    device->run([&] {
      const fourier_filters::PictureFilter way = fourier_filters::onDevice(device, picture);
      for (const int reach : {1, 6}) {
        const fourier_filters::Window window = fourier_filters::windowOf(lopsided(64), reach);
        way.direct_of(window);
        way.transformed_of(window);
        way.direct();
        const std::vector<float> direct = way.result();
        way.transformed();
        const std::vector<float> transformed = way.result();
        const double most = 1e-6 * 60 * (2 * reach + 1) * (2 * reach + 1);
        for (std::size_t i = 0; i < direct.size(); ++i) {
          const double expected = fourier_filters::convolvedAt(picture, window, i);
          ASSERT_NEAR(static_cast<double>(direct[i]), expected, most) << reach << ", " << i;
          ASSERT_NEAR(static_cast<double>(transformed[i]), expected, most) << reach << ", " << i;
        }
      }
    });
  }
}

TEST(FourierFiltersTest, AFormulaSaysWhichWavesPass) {
  const Bench bench = benchOf("auto", 0);
  fourier_filters::Grey waves{64, std::vector<float>(64 * 64)};
  for (std::size_t i = 0; i < waves.values.size(); ++i) {
    const double x = static_cast<double>(i % 64), y = static_cast<double>(i / 64);
    waves.values[i] = static_cast<float>(0.25 + std::cos(2 * std::numbers::pi * 3 * x / 64) +
                                         std::cos(2 * std::numbers::pi * 10 * y / 64));
  }
  const fourier_filters::Filter low = fourier_filters::filterOf("(k < c) ? 1 : 0", 0.1, 64);
  for (const compute::DevicePtr& device : bench.devices()) {
    device->run([&] {
      const fourier_filters::PictureFilter way = fourier_filters::onDevice(device, waves);
      way.transformed_of(fourier_filters::wholeOf(low));
      way.transformed();
      const std::vector<float> left = way.result();
      for (std::size_t i = 0; i < left.size(); ++i) {
        const double slow = 0.25 + std::cos(2 * std::numbers::pi * 3 * static_cast<double>(i % 64) / 64);
        ASSERT_NEAR(static_cast<double>(left[i]), slow, 1e-5) << i;
        if (i % 97 == 0) {
          EXPECT_NEAR(fourier_filters::convolvedAt(waves, low.kernel, i), slow, 1e-5);
        }
      }
    });
  }
  const std::vector<double> spectrum = fourier_filters::spectrumOf(waves.values, 64);
  EXPECT_GT(spectrum[2], 100 * spectrum[5]);
  EXPECT_GT(spectrum[9], 100 * spectrum[5]);
  EXPECT_THROW(fourier_filters::filterOf("k +", 0.1, 64), UsageError);
  EXPECT_THROW(fourier_filters::filterOf("1/k", 0.1, 64), UsageError);  // nothing that waves of no length could have
}

TEST(LessonFigureTest, BarsOfOnePlaceStandSideBySide) {
  const std::string id = "devices";
  const Lesson& lesson = lessonById(id);
  Result result;
  result.chart.names = {"one", "two"};
  result.chart.curves = {{"a", {1, 2}}, {"b", {3, 4}}, {"limit", {5, 5}, true}};
  LessonFigure figure(lesson, result, lesson.defaults(), compute::Device::open("cpu"), "this");
  EXPECT_EQ(figure.places(), 2);
  const Frame& frame = figure.frame();
  const auto values = [&](const char* key) { return frame.find(key)->data.toHost(); };
  const std::vector<float> a = values("curve_0"), b = values("curve_1"), limit = values("curve_2");
  ASSERT_EQ(a.size(), 7u);  // a gap, then two bars and a gap for each place
  EXPECT_EQ(a[1], 1);
  EXPECT_EQ(a[4], 2);
  EXPECT_EQ(b[2], 3);
  EXPECT_EQ(b[5], 4);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_FALSE(std::isfinite(a[i]) && std::isfinite(b[i])) << i;
  EXPECT_EQ(limit[1], 5);
  EXPECT_EQ(limit[6], 5);
  const Channel& channel = *frame.find("curve_0");
  EXPECT_NEAR(channel.x_min, -0.5 / 3, 1e-12);
  EXPECT_NEAR(channel.x_max, 2 + 0.5 / 3, 1e-12);
  EXPECT_FALSE(std::isfinite(figure.frame(1).find("curve_0")->data.toHost()[4]));
}

TEST(LessonFigureTest, CurvesReachFromTheirFirstPlaceToTheChartsEnd) {
  const Lesson& lesson = lessonById("cpu_threads");
  Result result;
  result.chart.x = {.title = "threads", .decades = true};
  result.chart.y = {.title = "times as fast", .decades = true};
  result.chart.last = 1;
  result.chart.curves = {{"a", {10, 100, 1000}}, {"b", {10, std::nan(""), 1000}}};
  LessonFigure figure(lesson, result, lesson.defaults(), compute::Device::open("cpu"), "this");
  const auto shown = [&](const char* key, int places) { return figure.frame(places).find(key)->data.toHost(); };
  const std::vector<float> a = shown("curve_0", 3), b = shown("curve_1", 3);
  const Channel& channel = *figure.frame().find("curve_0");
  const auto placeOf = [&](std::size_t i) {
    return channel.x_min + (channel.x_max - channel.x_min) * static_cast<double>(i) / static_cast<double>(a.size());
  };
  EXPECT_NEAR(placeOf(a.size() / 2), 0.5, 1e-12);
  EXPECT_NEAR(placeOf(a.size() - 1), 1, 1e-12);
  EXPECT_LT(channel.x_max, 1.05) << "nothing is empty behind the last place";
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(a[i]), 1 + 2 * placeOf(i), 1e-6) << "straight lines between the places";
    EXPECT_EQ(std::isfinite(b[i]), i == 0 || i + 1 == a.size()) << i;
  }
  EXPECT_GT(channel.high, 3);
  EXPECT_LT(channel.high, 4);
  const std::vector<float> two = shown("curve_0", 2), one = shown("curve_0", 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(std::isfinite(two[i]), i <= a.size() / 2) << i;
    EXPECT_EQ(std::isfinite(one[i]), i == 0) << i;
  }
}

}  // namespace
}  // namespace simscope::lab
