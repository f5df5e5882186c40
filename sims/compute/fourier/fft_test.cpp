#include "sims/compute/fourier/fft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <string>
#include <thread>

#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr long double kTwoPi = 6.283185307179586476925286766559L;

template <class T>
std::vector<Complex<T>> randomSignal(std::size_t n) {
  std::vector<Complex<T>> signal(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Normal4 z = normal4(11, 0, i);
    signal[i] = {static_cast<T>(z.z[0]), static_cast<T>(z.z[1])};
  }
  return signal;
}

// The sum of the definition, in long double, over the axis of `n` values `stride` apart that starts at `first`.
void directAxis(std::vector<std::complex<long double>>& x, std::size_t first, std::size_t n, std::size_t stride,
                int sign) {
  std::vector<std::complex<long double>> roots(n);
  for (std::size_t k = 0; k < n; ++k) {
    const long double angle =
        static_cast<long double>(sign) * kTwoPi * static_cast<long double>(k) / static_cast<long double>(n);
    roots[k] = {std::cos(angle), std::sin(angle)};
  }
  std::vector<std::complex<long double>> out(n);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) out[k] += x[first + j * stride] * roots[j * k % n];
  }
  for (std::size_t k = 0; k < n; ++k) x[first + k * stride] = out[k];
}

template <class T>
std::vector<std::complex<long double>> direct(const std::vector<Complex<T>>& in, const FftShape& shape, int sign) {
  std::vector<std::complex<long double>> x;
  for (const Complex<T>& value : in) x.emplace_back(value.re, value.im);
  std::size_t stride = 1;
  for (auto n = shape.dimensions.rbegin(); n != shape.dimensions.rend(); ++n) {
    const auto length = static_cast<std::size_t>(*n);
    for (std::size_t start = 0; start < x.size(); start += length * stride) {
      for (std::size_t k = 0; k < stride; ++k) directAxis(x, start + k, length, stride, sign);
    }
    stride *= length;
  }
  return x;
}

// ‖a − b‖ / ‖b‖
template <class T>
double distance(const std::vector<Complex<T>>& a, const std::vector<std::complex<long double>>& b) {
  long double difference = 0.0L;
  long double norm = 0.0L;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(std::complex<long double>(a[i].re, a[i].im) - b[i]);
    norm += std::norm(b[i]);
  }
  return static_cast<double>(std::sqrt(difference / norm));
}

// The error of a transform grows as the number of its stages, log2 of the size.
template <class T>
double tolerance(std::size_t n) {
  return 2.0 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (1.0 + std::log2(static_cast<double>(n)));
}

std::vector<FftShape> shapes() {
  return {{{1}, 1},       {{2}, 1},         {{8}, 1},       {{12}, 1},      {{17}, 1},     {{100}, 1},
          {{210}, 1},     {{1024}, 1},      {{1009}, 1},    {{15}, 7},      {{64}, 33},    {{4, 4}, 1},
          {{16, 32}, 1},  {{9, 14}, 1},     {{1, 8}, 1},    {{8, 1}, 2},    {{5, 6}, 3},   {{32, 7}, 2},
          {{4, 3, 5}, 1}, {{16, 8, 20}, 1}, {{1, 6, 4}, 2}, {{3, 1, 7}, 1}, {{5, 4, 1}, 2}};
}

template <class T>
void expectAgreesWithTheDefinition(const DevicePtr& device) {
  for (const FftShape& shape : shapes()) {
    const Fft<T> fft(device, shape);
    const std::vector<Complex<T>> in = randomSignal<T>(fft.elements());
    SCOPED_TRACE(testing::Message() << "first dimension " << shape.dimensions[0] << " of " << shape.dimensions.size()
                                    << ", batch " << shape.batch);
    Buffer<Complex<T>> data(device, in);
    fft.forward(data.data());
    EXPECT_LT(distance(data.toHost(), direct(in, shape, -1)), tolerance<T>(fft.elements()));
    data.upload(in);
    fft.inverse(data.data());
    EXPECT_LT(distance(data.toHost(), direct(in, shape, +1)), tolerance<T>(fft.elements()));
  }
}

// Large enough that the CPU backend uses its threads; checked by Parseval's theorem, the way back, and one pure tone.
template <class T>
void expectLargeTransformHolds(const DevicePtr& device, const FftShape& shape) {
  const Fft<T> fft(device, shape);
  const std::vector<Complex<T>> in = randomSignal<T>(fft.elements());
  const double n = static_cast<double>(fft.elements()) / shape.batch;
  Buffer<Complex<T>> data(device, in);
  fft.forward(data.data());
  long double before = 0.0L;
  long double after = 0.0L;
  for (const Complex<T>& value : in) before += static_cast<long double>(norm2(value));
  for (const Complex<T>& value : data.toHost()) after += static_cast<long double>(norm2(value));
  const double bound = tolerance<T>(fft.elements());
  EXPECT_NEAR(static_cast<double>(after / (n * before)), 1.0, bound);

  fft.inverse(data.data());
  std::vector<std::complex<long double>> expected;
  for (const Complex<T>& value : in) {
    expected.emplace_back(static_cast<long double>(value.re) * n, static_cast<long double>(value.im) * n);
  }
  EXPECT_LT(distance(data.toHost(), expected), bound);

  std::vector<Complex<T>> tone(fft.elements());
  const auto period = static_cast<std::size_t>(shape.dimensions.back());
  for (std::size_t i = 0; i < tone.size(); ++i) {
    const long double angle = kTwoPi * static_cast<long double>(3 * (i % period) % period) / period;
    tone[i] = {static_cast<T>(std::cos(angle)), static_cast<T>(std::sin(angle))};
  }
  data.upload(tone);
  fft.forward(data.data());
  std::vector<std::complex<long double>> peaks(tone.size());
  for (int b = 0; b < shape.batch; ++b) peaks[static_cast<std::size_t>(b) * static_cast<std::size_t>(n) + 3] = n;
  EXPECT_LT(distance(data.toHost(), peaks), bound);
}

class FftTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(FftTest);

TEST_P(FftTest, FloatAgreesWithTheDefinitionForEveryShape) {
  expectAgreesWithTheDefinition<float>(device_);
}

TEST_P(FftTest, DoubleAgreesWithTheDefinitionForEveryShape) {
  expectAgreesWithTheDefinition<double>(device_);
}

TEST_P(FftTest, LargeTransformsKeepParsevalTheWayBackAndATone) {
  expectLargeTransformHolds<float>(device_, {{1 << 18}, 1});
  expectLargeTransformHolds<float>(device_, {{48, 64, 30}, 2});
  expectLargeTransformHolds<double>(device_, {{1 << 17}, 1});
  expectLargeTransformHolds<float>(device_, {{384, 512}, 1});
  expectLargeTransformHolds<double>(device_, {{1000}, 161});
  expectLargeTransformHolds<float>(device_, {{70, 1001}, 2});
}

TEST_P(FftTest, PlansOfOneShapeWorkSideBySide) {
  const std::vector<Complex<float>> in = randomSignal<float>(256);
  auto first = std::make_unique<Fft<float>>(device_, FftShape{{256}, 1});
  Fft<float> second(device_, FftShape{{256}, 1});
  Buffer<Complex<float>> a(device_, in);
  Buffer<Complex<float>> b(device_, in);
  first->forward(a.data());
  first.reset();
  second.forward(b.data());
  const auto from_a = a.toHost();
  const auto from_b = b.toHost();
  for (std::size_t i = 0; i < in.size(); ++i) {
    EXPECT_EQ(from_a[i].re, from_b[i].re);
    EXPECT_EQ(from_a[i].im, from_b[i].im);
  }
}

// 37 columns are more than a tile of any precision has, and no whole number of them.
TEST_P(FftTest, TransformsSideBySideAreThoseOfEachColumn) {
  constexpr std::size_t kRows = 24, kColumns = 37;
  const FftShape shape{.dimensions = {kRows}, .batch = kColumns, .side_by_side = true};
  const Fft<double> fft(device_, shape);
  const auto signal = randomSignal<double>(kRows * kColumns);
  Buffer<Complex<double>> data(device_, std::span<const Complex<double>>(signal));
  std::vector<std::complex<long double>> expected;
  for (const Complex<double>& value : signal) expected.emplace_back(value.re, value.im);
  for (std::size_t column = 0; column < kColumns; ++column) directAxis(expected, column, kRows, kColumns, -1);
  fft.forward(data.data());
  EXPECT_LT(distance(data.toHost(), expected), tolerance<double>(kRows));
  for (std::size_t column = 0; column < kColumns; ++column) directAxis(expected, column, kRows, kColumns, 1);
  fft.inverse(data.data());
  EXPECT_LT(distance(data.toHost(), expected), 2 * tolerance<double>(kRows));
  const FftShape planes{.dimensions = {4, 4}, .batch = 2, .side_by_side = true};
  EXPECT_THROW(Fft<double>(device_, planes), UsageError);
}

TEST_P(FftTest, DataMayStartAnywhereInABuffer) {
  // One element further is aligned to 8 bytes only, which FFTW's vector instructions do not take.
  const FftShape shape{{64}, 1};
  const Fft<float> fft(device_, shape);
  const std::vector<Complex<float>> in = randomSignal<float>(65);
  Buffer<Complex<float>> data(device_, in);
  fft.forward(data.data() + 1);
  const std::vector<Complex<float>> out = data.toHost();
  EXPECT_EQ(out[0].re, in[0].re);
  const std::vector<Complex<float>> tail(in.begin() + 1, in.end());
  EXPECT_LT(distance(std::vector(out.begin() + 1, out.end()), direct(tail, shape, -1)), tolerance<float>(64));
}

TEST_P(FftTest, CountsALaunchAndNoBytes) {
  const Fft<double> fft(device_, {{128}, 1});
  Buffer<Complex<double>> data(device_, 128);
  data.zero();
  const Counters before = device_->counters();
  fft.forward(data.data());
  fft.inverse(data.data());
  EXPECT_EQ(device_->counters().launches - before.launches, 2u);
  EXPECT_EQ(device_->counters().bytes_to_device, before.bytes_to_device);
  EXPECT_EQ(device_->counters().bytes_to_host, before.bytes_to_host);
}

TEST_P(FftTest, KnowsItsShape) {
  const FftShape shape{{6, 10}, 4};
  Fft<float> fft(device_, shape);
  EXPECT_EQ(fft.shape(), shape);
  EXPECT_EQ(fft.elements(), 240u);
  const Fft<float> moved = std::move(fft);
  EXPECT_EQ(moved.elements(), 240u);
}

TEST_P(FftTest, BadShapesAreUsageErrors) {
  const std::vector<std::pair<FftShape, std::string>> bad = {
      {{{}, 1}, "0 dimensions"},      {{{2, 2, 2, 2}, 1}, "4 dimensions"},
      {{{0}, 1}, "a dimension of 0"}, {{{4, -3}, 1}, "dimension of -3"},
      {{{4}, 0}, "batch = 0"},        {{{2147483647, 2147483647}, 2147483647}, "smaller"}};
  for (const auto& each : bad) {
    const auto in_float = [&] { Fft<float>(device_, each.first); };
    const auto in_double = [&] { Fft<double>(device_, each.first); };
    EXPECT_THAT(in_float, ThrowsMessage<UsageError>(HasSubstr(each.second)));
    EXPECT_THAT(in_double, ThrowsMessage<UsageError>(HasSubstr(each.second)));
  }
  EXPECT_THROW(Fft<float>(device_, {{8}, 1}).forward(nullptr), UsageError);
  EXPECT_THROW(Fft<float>(nullptr, {{8}, 1}), UsageError);
}

TEST(FftThreads, GiveTheSameBitsForAnyThreadCount) {
  for (const FftShape& shape :
       {FftShape{{256, 200}, 1}, FftShape{{1000}, 77}, FftShape{{31, 33}, 50}, FftShape{{20, 33, 70}, 1}}) {
    std::vector<std::vector<Complex<float>>> results;
    for (const int threads : {1, 3}) {
      const DevicePtr device = Device::open("cpu", threads);
      const Fft<float> fft(device, shape);
      Buffer<Complex<float>> data(device, randomSignal<float>(fft.elements()));
      fft.forward(data.data());
      results.push_back(data.toHost());
    }
    const std::size_t bytes = results[0].size() * sizeof(Complex<float>);
    EXPECT_EQ(std::memcmp(results[0].data(), results[1].data(), bytes), 0) << shape.dimensions[0];
  }
}

TEST(FftThreads, PlansAreMadeFromSeveralThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<double> errors(4, 1.0);
  for (std::size_t t = 0; t < errors.size(); ++t) {
    threads.emplace_back([t, &errors] {
      const DevicePtr device = Device::open("cpu", 2);
      double worst = 0.0;
      for (int n = 8; n < 40; ++n) {
        const FftShape shape{{n}, 1};
        const Fft<double> fft(device, shape);
        const auto in = randomSignal<double>(fft.elements());
        Buffer<Complex<double>> data(device, in);
        fft.forward(data.data());
        worst = std::max(worst, distance(data.toHost(), direct(in, shape, -1)));
      }
      errors[t] = worst;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const double error : errors) EXPECT_LT(error, tolerance<double>(40));
}

}  // namespace
}  // namespace simscope::compute
