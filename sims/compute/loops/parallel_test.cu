#include "sims/compute/loops/parallel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/plus.h"
#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace parallel_test {

// Sizes around every boundary: 0, 1, a vector's, a block's, a grain's, and sizes that no block divides.
const std::vector<std::size_t> kSizes = {0,    1,    7,     8,     9,     255,   256,    257,    4095,
                                         4096, 4097, 16383, 16384, 16385, 32768, 100003, 1500007};

struct AddIndex {
  double* out;
  SIMSCOPE_HD void operator()(std::size_t i) const { out[i] += 1.0 + static_cast<double>(i); }
};

struct Larger {
  SIMSCOPE_HD double operator()(double a, double b) const { return a > b ? a : b; }
};

struct Index {
  SIMSCOPE_HD std::uint64_t operator()(std::size_t i) const { return i; }
};

struct Noise {
  SIMSCOPE_HD double operator()(std::size_t i) const { return uniform4(5, 0, i).u[0] - 0.5; }
};

struct Peak {
  std::size_t at;
  SIMSCOPE_HD double operator()(std::size_t i) const { return i == at ? 3.0 : -1.0 - static_cast<double>(i); }
};

struct Moments {
  double count;
  double sum;
  double squares;
};

struct MomentsOf {
  const double* x;
  SIMSCOPE_HD Moments operator()(std::size_t i) const { return {1.0, x[i], x[i] * x[i]}; }
};

struct WriteNormals {
  double* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Normal4 normal = normal4(99, 4, i);
    for (std::size_t k = 0; k < 4; ++k) out[4 * i + k] = normal.z[k];
  }
};

struct WriteUniforms {
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Uniform4f uniform = uniform4f(99, 4, i);
    for (std::size_t k = 0; k < 4; ++k) out[4 * i + k] = uniform.u[k];
  }
};

class ParallelTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(ParallelTest);

TEST_P(ParallelTest, ParallelForVisitsEveryIndexOnce) {
  for (const std::size_t n : kSizes) {
    for (const std::size_t grain : {kParallelGrain, std::size_t{1000}, std::size_t{0}}) {
      if (grain == 0 && n > 100000) continue;
      Buffer<double> out(device_, n);
      out.zero();
      parallelFor(device_, n, AddIndex{out.data()}, grain);
      const std::vector<double> host = out.toHost();
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(host[i], 1.0 + static_cast<double>(i)) << n << ", grain " << grain;
    }
  }
}

TEST_P(ParallelTest, ReduceTakesEveryIndexOnce) {
  for (const std::size_t n : kSizes) {
    const std::uint64_t sum = reduce(device_, n, std::uint64_t{0}, Index{}, Plus{});
    EXPECT_EQ(sum, n == 0 ? 0 : static_cast<std::uint64_t>(n) * (n - 1) / 2) << n;
  }
}

TEST_P(ParallelTest, ReduceIntoLeavesOnTheDeviceWhatReduceReturns) {
  Buffer<double> results(device_, kSizes.size());
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    reduceInto(device_, kSizes[k], 0.0, Noise{}, Plus{}, results.data() + k);  // each before the previous one was read
  }
  const std::vector<double> found = results.toHost();
  for (std::size_t k = 0; k < kSizes.size(); ++k) {
    EXPECT_EQ(found[k], reduce(device_, kSizes[k], 0.0, Noise{}, Plus{})) << kSizes[k];
  }
}

TEST_P(ParallelTest, ReduceEachIntoGivesTheBitsOfOneAfterTheOther) {
  // More than the scratch memory holds at a time, of one block each and of several.
  for (const auto& [count, n] : {std::pair<std::size_t, std::size_t>{1500, 700}, {300, 5000}, {2, 1100003}, {3, 0}}) {
    std::vector<double> values(n + count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
    const Buffer<double> data(device_, values);
    std::vector<MomentsOf> each;
    for (std::size_t k = 0; k < count; ++k) each.push_back({data.data() + k});
    const Buffer<MomentsOf> functors(device_, each);
    Buffer<Moments> results(device_, count);
    reduceEachInto(*device_, count, n, Moments{}, functors.data(), Plus{}, results.data());
    const std::vector<Moments> found = results.toHost();
    for (std::size_t k = 0; k < count; ++k) {
      const Moments alone = reduce(device_, n, Moments{}, each[k], Plus{});
      ASSERT_EQ(found[k].sum, alone.sum) << k << " of " << count << " over " << n;
      ASSERT_EQ(found[k].squares, alone.squares);
      ASSERT_EQ(found[k].count, alone.count);
    }
  }
}

TEST_P(ParallelTest, ReduceIntoBringsNothingToTheHost) {
  Buffer<double> result(device_, 1);
  const Counters start = device_->counters();
  reduceInto(device_, 100003, 0.0, Noise{}, Plus{}, result.data());
  EXPECT_EQ(device_->counters().bytes_to_host, start.bytes_to_host);
}

TEST_P(ParallelTest, ReduceFindsTheMaximumWhereverItIs) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{300}, std::size_t{100003}}) {
    for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
      EXPECT_EQ(reduce(device_, n, -1e300, Peak{at}, Larger{}), 3.0);
    }
    EXPECT_EQ(reduce(device_, n, -1e300, Peak{n}, Larger{}), -1.0);
  }
}

TEST_P(ParallelTest, OnePassFindsSeveralSums) {
  std::vector<double> x(50021);
  Moments expected{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = std::sin(static_cast<double>(i));
    expected = {expected.count + 1, expected.sum + x[i], expected.squares + x[i] * x[i]};
  }
  const Buffer<double> data(device_, x);
  const Moments found = reduce(device_, x.size(), Moments{}, MomentsOf{data.data()}, Plus{});
  EXPECT_EQ(found.count, expected.count);
  EXPECT_NEAR(found.sum, expected.sum, 1e-10);
  EXPECT_NEAR(found.squares, expected.squares, 1e-9);
}

// The order of the fields, and nested ones, are kept; a number that is no double is not taken for one.
struct Nested {
  double first;
  Moments moments;
};
struct Counted {
  double sum;
  std::int64_t count;
};
struct Halves {
  float low, high;
};
static_assert(detail::hasDoublesAlone<Nested>(std::make_index_sequence<4>()));
static_assert(!detail::hasDoublesAlone<Counted>(std::make_index_sequence<2>()));
static_assert(!detail::hasDoublesAlone<Halves>(std::make_index_sequence<1>()));

TEST(Plus, AddsAStructFieldByField) {
  const Nested sum = Plus{}(Nested{1, {2, 3, 4}}, Nested{0.5, {10, 100, 1000}});
  EXPECT_EQ(sum.first, 1.5);
  EXPECT_EQ(sum.moments.count, 12);
  EXPECT_EQ(sum.moments.sum, 103);
  EXPECT_EQ(sum.moments.squares, 1004);
}

TEST_P(ParallelTest, ReduceGivesTheSameBitsEveryTime) {
  const double first = reduce(device_, 1000003, 0.0, Noise{}, Plus{});
  EXPECT_NEAR(first, 0.0, 5.0 * std::sqrt(1000003.0 / 12.0));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(reduce(device_, 1000003, 0.0, Noise{}, Plus{}), first);
}

TEST(ReduceOnTheCpu, GivesTheSameBitsForAnyThreadCount) {
  for (const std::size_t n : kSizes) {
    const double one = reduce(Device::open("cpu", 1), n, 0.0, Noise{}, Plus{});
    const double three = reduce(Device::open("cpu", 3), n, 0.0, Noise{}, Plus{});
    EXPECT_EQ(one, three) << n;
  }
}

TEST_P(ParallelTest, CountsLaunchesAndTheBytesOfAResult) {
  Buffer<double> out(device_, 10);
  out.zero();
  const Counters start = device_->counters();
  parallelFor(device_, 10, AddIndex{out.data()});
  parallelFor(device_, 0, AddIndex{out.data()});
  EXPECT_EQ(device_->counters().launches - start.launches, 1u) << "nothing to do is no launch";
  reduce(device_, 10, 0.0, Noise{}, Plus{});
  EXPECT_EQ(device_->counters().launches - start.launches, device_->isCuda() ? 3u : 2u);
  EXPECT_EQ(device_->counters().bytes_to_host - start.bytes_to_host, device_->isCuda() ? sizeof(double) : 0u);
  EXPECT_EQ(device_->counters().bytes_to_device, start.bytes_to_device);
}

TEST_P(ParallelTest, LoopsNestInsideRun) {
  Buffer<double> out(device_, 50000);
  out.zero();
  device_->run([&] { parallelFor(device_, 50000, AddIndex{out.data()}); });
  EXPECT_EQ(out.toHost()[49999], 50000.0);
}

TEST_P(ParallelTest, NormalsAreTheSameNumbersOnBothBackends) {
  constexpr std::size_t kDraws = 20000;
  Buffer<double> out(device_, 4 * kDraws);
  parallelFor(device_, kDraws, WriteNormals{out.data()});
  const std::vector<double> found = out.toHost();
  std::vector<double> expected(4 * kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) WriteNormals{expected.data()}(i);
  // The words are the same; log, sin and cos of the two mathematical libraries may differ in their last bits.
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-13);
}

TEST_P(ParallelTest, UniformNumbersInSinglePrecisionAreTheSameToTheBit) {
  constexpr std::size_t kDraws = 20000;
  Buffer<float> out(device_, 4 * kDraws);
  parallelFor(device_, kDraws, WriteUniforms{out.data()});
  std::vector<float> expected(4 * kDraws);
  for (std::size_t i = 0; i < kDraws; ++i) WriteUniforms{expected.data()}(i);
  EXPECT_EQ(out.toHost(), expected);
}

#if !SIMSCOPE_HAVE_CUDA  // a kernel cannot throw, so nvcc does not accept such a functor
struct Fails {
  void operator()(std::size_t i) const {
    if (i == 70000) throw std::runtime_error("from a loop");
  }
};

TEST(ParallelForOnTheCpu, PassesAnExceptionOnAndStaysUsable) {
  const DevicePtr device = Device::open("cpu", 3);
  EXPECT_THROW(parallelFor(device, 100000, Fails{}), std::runtime_error);
  EXPECT_EQ(reduce(device, 100000, std::uint64_t{0}, Index{}, Plus{}), 4999950000u);
}
#endif

}  // namespace parallel_test
}  // namespace simscope::compute
