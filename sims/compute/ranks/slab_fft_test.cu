// The transforms of slabs compared with FFTW's (or cuFFT's) of the whole plane, in one process; several ranks:
// tests/ranks.
#include "sims/compute/ranks/slab_fft.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sims/compute/random/random.h"
#include "sims/compute/ranks/slab_fft_rows.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

template <class T>
std::vector<Complex<T>> randomPlane(int n) {
  std::vector<Complex<T>> plane(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < plane.size(); ++i) {
    const Normal4 z = normal4(3, 0, i);
    plane[i] = {static_cast<T>(z.z[0]), static_cast<T>(z.z[1])};
  }
  return plane;
}

template <class T>
struct LoadPlane {
  const Complex<T>* plane;
  int n;
  SIMSCOPE_HD Complex<T> operator()(int x, int y) const {
    return x < n ? plane[static_cast<std::size_t>(y) * n + x] : Complex<T>{0, 0};
  }
};
template <class T>
struct StorePlane {
  Complex<T>* plane;
  int n;
  SIMSCOPE_HD void operator()(int x, int y, Complex<T> z) const {
    if (x < n) plane[static_cast<std::size_t>(y) * n + x] = z;
  }
};
template <class T>
struct Same {
  SIMSCOPE_HD Complex<T> operator()(int, int, Complex<T> z) const { return z; }
};

template <class T>
double away(const std::vector<Complex<T>>& a, const std::vector<Complex<T>>& b, double scale) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double re = static_cast<double>(a[i].re) * scale - static_cast<double>(b[i].re);
    const double im = static_cast<double>(a[i].im) * scale - static_cast<double>(b[i].im);
    difference += re * re + im * im;
    norm += static_cast<double>(norm2(b[i]));
  }
  return std::sqrt(difference / norm);
}

class SlabFftTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(SlabFftTest);

template <class T>
void compareWithTheWhole(const DevicePtr& device, int n) {
  const double tolerance = 4 * static_cast<double>(std::numeric_limits<T>::epsilon()) * std::log2(n);
  const auto start = randomPlane<T>(n);
  Buffer<Complex<T>> plane(device, std::span<const Complex<T>>(start)),
      whole(device, std::span<const Complex<T>>(start));
  const Fft<T> fft(device, {.dimensions = {n, n}});
  fft.forward(whole.data());
  const auto expected = whole.toHost();

  SlabFft<T> slabs(device, wholeSlab(n));
  slabs.begin(LoadPlane<T>{plane.data(), n});
  std::vector<Complex<T>> found(start.size());
  const auto forward = [&](int piece) { slabs.alongY(piece, false); };
  const auto w = static_cast<std::size_t>(slabs.width());
  slabs.turn(forward, SlabFft<T>::Back::No);
  for (int i = 0; i < slabs.pieces(); ++i) {
    std::vector<Complex<T>> columns(static_cast<std::size_t>(n) * w);
    device->download(columns.data(), slabs.piece(i), columns.size() * sizeof columns[0]);
    for (std::size_t at = 0; at < columns.size(); ++at) {
      const std::size_t k = at % w * static_cast<std::size_t>(slabs.rests()) + static_cast<std::size_t>(slabs.rest(i));
      found[at / w * static_cast<std::size_t>(n) + k] = columns[at];
    }
  }
  EXPECT_LT(away(found, expected, 1), tolerance) << n;

  // Forward, back, forward, and back.
  const auto both = [&](int piece) { slabs.alongY(piece, false), slabs.alongY(piece, true); };
  slabs.begin(LoadPlane<T>{plane.data(), n});
  slabs.turn(both, SlabFft<T>::Back::Transformed);
  slabs.between(Same<T>{});
  slabs.turn(both, SlabFft<T>::Back::Transformed);
  slabs.end(StorePlane<T>{whole.data(), n});
  EXPECT_LT(away(whole.toHost(), start, std::pow(static_cast<double>(n), -4)), 4 * tolerance) << n;

  // The whole transform, in rows again.
  slabs.begin(LoadPlane<T>{plane.data(), n});
  slabs.turn(forward, SlabFft<T>::Back::AsItIs);
  slabs.endParts(StorePlane<T>{whole.data(), n});
  EXPECT_LT(away(whole.toHost(), expected, 1), tolerance) << n;
}

TEST_P(SlabFftTest, IsTheTransformOfTheWholePlane) {
  device_->run([&] {
    for (const int n : {64, 128, 512}) {
      compareWithTheWhole<float>(device_, n);
      compareWithTheWhole<double>(device_, n);
    }
  });
}

// A field in the corner of a plane of zeros: a convolution with a shift by three cells does not wrap around.
struct ShiftBy {
  Complex<double>* piece;
  int length, by;
  SIMSCOPE_HD void operator()(int m, int y, std::size_t i) const {
    (void)m;
    const double angle = -6.283185307179586 * static_cast<double>(by) * y / length;
    piece[i] = piece[i] * Complex<double>{cos(angle), sin(angle)};
  }
};
TEST_P(SlabFftTest, AFieldInACornerMeetsZerosBeyondIt) {
  constexpr int n = 64, kBy = 3;
  const auto start = randomPlane<double>(n);
  device_->run([&] {
    Buffer<Complex<double>> plane(device_, std::span<const Complex<double>>(start));
    SlabFft<double> slabs(device_, wholeSlab(n), 2);
    for (int again = 0; again < 2; ++again) {
      slabs.begin(LoadPlane<double>{plane.data(), n});
      slabs.turn(
          [&](int i) {
            slabs.alongY(i, false);
            parallelFor2d(device_, slabs.width(), 2 * n, ShiftBy{slabs.piece(i), 2 * n, kBy});
            slabs.alongY(i, true);
          },
          SlabFft<double>::Back::Transformed);
      slabs.end(StorePlane<double>{plane.data(), n});
    }
    const auto found = plane.toHost();
    const double scale = std::pow(2.0 * n, -4);
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const auto at = [&](int row) { return static_cast<std::size_t>(row) * n + static_cast<std::size_t>(x); };
        const double expected = y >= 2 * kBy ? start[at(y - 2 * kBy)].re : 0.0;
        ASSERT_NEAR(found[at(y)].re * scale, expected, 1e-12) << x << ", " << y;
      }
    }
  });
}

TEST(SlabFftPlan, DividesFrequenciesAmongRanks) {
  EXPECT_EQ(mostTransformRanks(64), 8);
  EXPECT_EQ(mostTransformRanks(1 << 14), 64);
  for (const int n : {64, 256, 16384}) {
    for (int ranks = 1; ranks <= mostTransformRanks(n); ++ranks) {
      const int rests = restsFor(n, ranks);
      EXPECT_GE(rests, ranks);
      EXPECT_GE(n / rests, 8);
      EXPECT_TRUE(rests == 8 || rests == 16 || rests == 32 || rests == 64);
    }
  }
  const DevicePtr cpu = Device::open("cpu", 1);
  EXPECT_THROW(SlabFft<float>(cpu, wholeSlab(96)), UsageError);
  EXPECT_THROW(SlabFft<float>(cpu, wholeSlab(32)), UsageError);
}

}  // namespace
}  // namespace simscope::compute
