#include "sims/compute/fourier/plane_fft_cpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"

namespace simscope::compute {
namespace {

template <class T>
std::vector<Complex<T>> randomValues(std::size_t n, unsigned seed) {
  std::mt19937 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<Complex<T>> values(n);
  for (auto& z : values) z = {static_cast<T>(normal(generator)), static_cast<T>(normal(generator))};
  return values;
}

template <class T>
double distance(const std::vector<Complex<T>>& a, const std::vector<Complex<T>>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += static_cast<double>(norm2(a[i] - b[i]));
    size += static_cast<double>(norm2(b[i]));
  }
  return std::sqrt(difference / size);
}

template <class T>
struct Step {
  int rows, columns;
  std::vector<Complex<T>> data, factor, across, down;

  Step(int r, int c)
      : rows(r),
        columns(c),
        data(randomValues<T>(static_cast<std::size_t>(r) * static_cast<std::size_t>(c), 1)),
        factor(randomValues<T>(data.size(), 2)),
        across(randomValues<T>(static_cast<std::size_t>(c), 3)),
        down(randomValues<T>(static_cast<std::size_t>(r), 4)) {}

  // factor · F⁻¹ (across ⊗ down) F (factor · data), in two passes and a half.
  std::vector<Complex<T>> fused(int threads) const {
    const DevicePtr device = Device::open("cpu", threads);
    Buffer<Complex<T>> values(device, std::span<const Complex<T>>(data));
    const PlaneFftCpu<T> plane(device, rows, columns);
    device->run([&] {
      plane.alongRows(values.data(), false, factor.data(), 1, true);
      plane.downColumns(values.data(), across.data(), down.data());
      plane.alongRows(values.data(), true, factor.data(), 1, false);
    });
    return values.toHost();
  }
  std::vector<Complex<T>> whole() const {
    const DevicePtr device = Device::open("cpu", 1);
    std::vector<Complex<T>> values = data;
    const auto multiply = [&] {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = values[i] * factor[i];
    };
    const Fft<T> fft(device, {.dimensions = {rows, columns}});
    device->run([&] {
      multiply();
      fft.forward(values.data());
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto width = static_cast<std::size_t>(columns);
        values[i] = values[i] * (across[i % width] * down[i / width]);
      }
      fft.inverse(values.data());
      multiply();
    });
    return values;
  }
};

const int kShapes[][2] = {{64, 64}, {512, 512}, {1, 8}, {8, 1}, {30, 70}, {70, 30}, {3, 4099}, {4099, 3}, {17, 33}};

TEST(PlaneFftCpu, StepIsThatOfWholeTransforms) {
  for (const auto& [rows, columns] : kShapes) {
    EXPECT_LT(distance(Step<float>(rows, columns).fused(2), Step<float>(rows, columns).whole()), 2e-6)
        << rows << " × " << columns;
    EXPECT_LT(distance(Step<double>(rows, columns).fused(2), Step<double>(rows, columns).whole()), 2e-14)
        << rows << " × " << columns;
  }
}

TEST(PlaneFftCpu, ThreadsDoNotChangeABit) {
  const Step<float> step(128, 96);
  const std::vector<Complex<float>> one = step.fused(1), three = step.fused(3);
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_EQ(one[i].re, three[i].re);
    ASSERT_EQ(one[i].im, three[i].im);
  }
}

TEST(PlaneFftCpu, ShapesThatAreNoneAreRefused) {
  const DevicePtr device = Device::open("cpu", 1);
  EXPECT_THROW(PlaneFftCpu<float>(device, 0, 4), UsageError);
  EXPECT_THROW(PlaneFftCpu<float>(device, 4, -1), UsageError);
  EXPECT_THROW(PlaneFftCpu<float>(nullptr, 4, 4), UsageError);
}

}  // namespace
}  // namespace simscope::compute
