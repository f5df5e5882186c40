#include "sims/compute/loops/histogram.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/whole.h"
#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace histogram_test {

const std::vector<std::size_t> kSizes = {0, 1, 2, 255, 257, 16383, 16385, 100003, 1500007};
// One; some; more than a block's shared memory holds (12288 of 32 bits); more than there are elements.
const std::vector<int> kBins = {1, 7, 256, 12288, 12289, 2000000};

// Bins from `low` on, 3 more than exist, some of them far out.
struct RandomBin {
  int bins;
  SIMSCOPE_HD int operator()(std::size_t i) const {
    const Uniform4 draw = uniform4(11, 2, i);
    if (draw.u[1] < 0.01) return draw.u[2] < 0.5 ? -2147483647 - 1 : 2147483647;
    return static_cast<int>(draw.u[0] * (bins + 3.0)) - 2;
  }
};
struct AllIn {
  int bin;
  SIMSCOPE_HD int operator()(std::size_t) const { return bin; }
};
struct BinOfReal {
  const float* values;
  int bins;
  SIMSCOPE_HD int operator()(std::size_t i) const { return wholeWithin(std::floor(values[i]), -1, bins); }
};
struct RandomCell {
  int width, height;
  SIMSCOPE_HD PlaneCell operator()(std::size_t i) const {
    const Uniform4 draw = uniform4(12, 3, i);
    return {static_cast<int>(draw.u[0] * (width + 2.0)) - 1, static_cast<int>(draw.u[1] * (height + 2.0)) - 1};
  }
};
template <class Count>
struct Weight {
  SIMSCOPE_HD Count operator()(std::size_t i) const { return static_cast<Count>(1000003 * i + 1); }
};

template <class Count>
std::vector<Count> countedByHand(std::size_t n, int bins) {
  std::vector<Count> counts(static_cast<std::size_t>(bins));
  for (std::size_t i = 0; i < n; ++i) {
    const int bin = RandomBin{bins}(i);
    if (bin >= 0 && bin < bins) ++counts[static_cast<std::size_t>(bin)];
  }
  return counts;
}

template <class Count>
std::vector<Count> counted(const DevicePtr& device, std::size_t n, int bins) {
  Buffer<Count> counts(device, std::vector<Count>(static_cast<std::size_t>(bins), Count{77}));
  histogram(device, n, RandomBin{bins}, counts.data(), bins);
  return counts.toHost();
}

class HistogramTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(HistogramTest);

TEST_P(HistogramTest, CountsAsALoopDoes) {
  for (const std::size_t n : kSizes) {
    for (const int bins : kBins) {
      EXPECT_TRUE(counted<std::uint32_t>(device_, n, bins) == countedByHand<std::uint32_t>(n, bins))
          << n << ", " << bins;
      EXPECT_TRUE(counted<std::uint64_t>(device_, n, bins) == countedByHand<std::uint64_t>(n, bins))
          << n << ", " << bins;
    }
  }
}

TEST_P(HistogramTest, LosesNothingWhereAllFallIntoOneBin) {
  constexpr std::size_t kMany = 3000001;
  for (const int bins : {100, 4000000}) {  // each thread has its own counts; all share one array
    for (const int bin : {0, bins - 1}) {
      Buffer<std::uint64_t> counts(device_, static_cast<std::size_t>(bins));
      histogram(device_, kMany, AllIn{bin}, counts.data(), bins);
      std::vector<std::uint64_t> expected(static_cast<std::size_t>(bins));
      expected[static_cast<std::size_t>(bin)] = kMany;
      EXPECT_TRUE(counts.toHost() == expected) << bin << " of " << bins;
    }
  }
}

TEST_P(HistogramTest, DoesNotCountWhatIsNoNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const Buffer<float> values(device_,
                             std::vector<float>{0.5f, nan, 3.9f, -1.5f, -0.5f, infinity, 4, -infinity, 1e30f, 3});
  Buffer<std::uint32_t> counts(device_, 4);
  histogram(device_, values.size(), BinOfReal{values.data(), 4}, counts.data(), 4);
  EXPECT_EQ(counts.toHost(), (std::vector<std::uint32_t>{1, 0, 0, 2}));
}

TEST_P(HistogramTest, NoBinsTakeNothing) {
  Buffer<std::uint32_t> counts(device_, std::vector<std::uint32_t>{5});
  histogram(device_, 100, AllIn{0}, counts.data(), 0);
  histogram(device_, 100, AllIn{0}, counts.data(), -1);
  EXPECT_EQ(counts.toHost(), std::vector<std::uint32_t>{5});
  histogram(device_, 0, AllIn{0}, counts.data(), 1);
  EXPECT_EQ(counts.toHost(), std::vector<std::uint32_t>{0}) << "nothing counted is a count of 0";
}

template <class Count>
void expectScattered(const DevicePtr& device, std::size_t n, int width, int height) {
  const std::size_t cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  std::vector<Count> ones(cells), weights(cells);
  std::iota(ones.begin(), ones.end(), Count{5});
  weights = ones;
  Buffer<Count> plane(device, ones), weighted(device, weights);
  scatter(device, n, RandomCell{width, height}, plane.data(), width, height);
  scatter(device, n, RandomCell{width, height}, Weight<Count>{}, weighted.data(), width, height);
  for (std::size_t i = 0; i < n; ++i) {
    const PlaneCell at = RandomCell{width, height}(i);
    if (at.x < 0 || at.y < 0 || at.x >= width || at.y >= height) continue;
    const std::size_t place =
        static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(at.x);
    ++ones[place];
    weights[place] += Weight<Count>{}(i);
  }
  EXPECT_TRUE(plane.toHost() == ones) << n << " into " << width << " x " << height;
  EXPECT_TRUE(weighted.toHost() == weights) << n << " into " << width << " x " << height;
}

TEST_P(HistogramTest, ScatterAddsToThePlane) {
  for (const std::size_t n : kSizes) {
    expectScattered<std::uint32_t>(device_, n, 1, 1);
    expectScattered<std::uint32_t>(device_, n, 17, 5);
    expectScattered<std::uint64_t>(device_, n, 60, 100);  // 64 bits a cell: just within shared memory
    expectScattered<std::uint64_t>(device_, n, 641, 479);
  }
}

TEST(HistogramOnTheCpu, IsTheSameForAnyThreadCount) {
  const DevicePtr one = Device::open("cpu", 1), three = Device::open("cpu", 3);
  for (const int bins : kBins) {
    EXPECT_TRUE(counted<std::uint64_t>(one, 1500007, bins) == counted<std::uint64_t>(three, 1500007, bins)) << bins;
  }
}

}  // namespace histogram_test
}  // namespace simscope::compute
