#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"
#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace parallel2d_test {

// Width and height: 0, single elements, rows and columns, and sizes that no block of threads or grain divides.
const std::vector<std::pair<int, int>> kShapes = {
    {0, 0},   {0, 5},   {5, 0},  {-1, 7},   {1, 1},    {3, 1},    {1, 3},       {100003, 1}, {1, 100003}, {2, 999},
    {999, 2}, {31, 33}, {32, 8}, {257, 65}, {4096, 5}, {5, 4096}, {1023, 1025}, {3, 70001},  {40000, 3}};

std::size_t area(int width, int height) {
  return width > 0 && height > 0 ? static_cast<std::size_t>(width) * static_cast<std::size_t>(height) : 0;
}

// A number that identifies the element and its place.
SIMSCOPE_HD inline double mark(int x, int y) {
  return x + 1 + 1e6 * (y + 1);
}

struct MarkAt {
  double* out;
  int width;
  SIMSCOPE_HD void operator()(int x, int y) const { out[static_cast<std::size_t>(y) * width + x] += mark(x, y); }
};
struct MarkPlace {
  double* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const { out[i] += mark(x, y); }
};

struct Noise2d {
  SIMSCOPE_HD double operator()(int x, int y) const {
    return uniform4(7, static_cast<std::uint32_t>(y), static_cast<std::uint64_t>(x)).u[0] - 0.5;
  }
};
struct FlatNoise {
  std::size_t width;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    return Noise2d{}(static_cast<int>(i % width), static_cast<int>(i / width));
  }
};
struct PlaceOf {
  SIMSCOPE_HD std::uint64_t operator()(int, int, std::size_t i) const { return i; }
};

class Parallel2dTest : public OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Parallel2dTest);

template <class Run>
void expectEachMarkedOnce(const DevicePtr& device, const Run& run) {
  for (const auto& [width, height] : kShapes) {
    Buffer<double> out(device, area(width, height));
    out.zero();
    run(width, height, out.data());
    const std::vector<double> host = out.toHost();
    for (std::size_t i = 0; i < host.size(); ++i) {
      const auto columns = static_cast<std::size_t>(width);
      ASSERT_EQ(host[i], mark(static_cast<int>(i % columns), static_cast<int>(i / columns)))
          << width << " x " << height << " at " << i;
    }
  }
}

TEST_P(Parallel2dTest, VisitsEveryElementOnce) {
  for (const std::size_t grain : {kParallelGrain, std::size_t{100}}) {
    expectEachMarkedOnce(device_, [&](int width, int height, double* out) {
      parallelFor2d(device_, width, height, MarkAt{out, width}, grain);
    });
  }
}

TEST_P(Parallel2dTest, TellsFunctorsTheirPlaceInThePlane) {
  expectEachMarkedOnce(
      device_, [&](int width, int height, double* out) { parallelFor2d(device_, width, height, MarkPlace{out}); });
}

TEST_P(Parallel2dTest, ReduceTakesEveryElementOnce) {
  for (const auto& [width, height] : kShapes) {
    const std::uint64_t n = area(width, height);
    EXPECT_EQ(reduce2d(device_, width, height, std::uint64_t{0}, PlaceOf{}, Plus{}), n < 2 ? 0 : n * (n - 1) / 2)
        << width << " x " << height;
  }
}

TEST_P(Parallel2dTest, ReduceGivesTheSameBitsEveryTime) {
  for (const auto& [width, height] : kShapes) {
    const double first = reduce2d(device_, width, height, 0.0, Noise2d{}, Plus{});
    EXPECT_NEAR(first, 0.0, 5.0 * std::sqrt(static_cast<double>(area(width, height)) / 12.0));
    EXPECT_EQ(reduce2d(device_, width, height, 0.0, Noise2d{}, Plus{}), first) << width << " x " << height;
  }
}

TEST_P(Parallel2dTest, OnCudaReduceHasTheBitsOfTheFlatOne) {
  if (!device_->isCuda()) GTEST_SKIP() << "on the CPU the order goes by rows";
  for (const auto& [width, height] : kShapes) {
    EXPECT_EQ(reduce2d(device_, width, height, 0.0, Noise2d{}, Plus{}),
              reduce(device_, area(width, height), 0.0, FlatNoise{static_cast<std::size_t>(width)}, Plus{}))
        << width << " x " << height;
  }
}

TEST_P(Parallel2dTest, NothingToDoIsNoLaunch) {
  Buffer<double> out(device_, 6);
  out.zero();
  const Counters start = device_->counters();
  parallelFor2d(device_, 3, 0, MarkPlace{out.data()});
  reduce2d(device_, 0, 3, 0.0, Noise2d{}, Plus{});
  EXPECT_EQ(device_->counters().launches, start.launches);
  parallelFor2d(device_, 3, 2, MarkPlace{out.data()});
  EXPECT_EQ(device_->counters().launches - start.launches, 1u);
}

TEST(Reduce2dOnTheCpu, GivesTheSameBitsForAnyThreadCount) {
  for (const auto& [width, height] : kShapes) {
    const double one = reduce2d(Device::open("cpu", 1), width, height, 0.0, Noise2d{}, Plus{});
    const double three = reduce2d(Device::open("cpu", 3), width, height, 0.0, Noise2d{}, Plus{});
    EXPECT_EQ(one, three) << width << " x " << height;
  }
}

}  // namespace parallel2d_test
}  // namespace simscope::compute
