#include "sims/compute/loops/stencil.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "sims/compute/random/random.h"
#include "sims/compute/test_devices.h"

namespace simscope::compute {
namespace {

struct One {
  float a;
};
struct Two {
  float a, b;
};

}  // namespace

namespace functors {

// Each neighbour has a different weight, a power of two, so that none can replace another and fusing products and sums
// does not change the rounding.
SIMSCOPE_HD inline float mixed(float own, float west, float east, float north, float south) {
  return own * 0.5f + west * 0.25f + east * 0.125f + north * 0.0625f + south * 0.03125f;
}

struct Mix {
  SIMSCOPE_HD One step(One own, One west, One east, One north, One south) const {
    return {mixed(own.a, west.a, east.a, north.a, south.a)};
  }
  SIMSCOPE_HD Two step(Two own, Two west, Two east, Two north, Two south) const {
    return {mixed(own.b, west.a, east.b, north.a, south.b), mixed(own.a, west.b, east.b, north.a, south.a)};
  }
};

}  // namespace functors

namespace {

template <class Cell>
std::vector<Cell> randomCells(int n) {
  constexpr std::size_t kFields = sizeof(Cell) / sizeof(float);
  std::vector<float> values(kFields * static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(uniform4(7, 0, i).u[0]);
  std::vector<Cell> cells(values.size() / kFields);
  std::memcpy(cells.data(), values.data(), values.size() * sizeof(float));
  return cells;
}

template <class Cell>
std::vector<Cell> plainSteps(std::vector<Cell> now, int n, int steps) {
  std::vector<Cell> next(now.size());
  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < n; ++y) {
      for (int x = 0; x < n; ++x) {
        const auto at = [&](int column, int row) {
          return now[static_cast<std::size_t>((row + n) % n * n + (column + n) % n)];
        };
        next[static_cast<std::size_t>(y * n + x)] =
            functors::Mix{}.step(at(x, y), at(x - 1, y), at(x + 1, y), at(x, y - 1), at(x, y + 1));
      }
    }
    std::swap(now, next);
  }
  return now;
}

class Stencil : public OnEveryDevice {
 protected:
  template <class Cell>
  void expectPlainSteps(int n, int steps) {
    const std::vector<Cell> start = randomCells<Cell>(n);
    Buffer<Cell> now(device_, std::span<const Cell>(start)), next(device_, start.size());
    std::vector<Cell> result;
    device_->run([&] {
      stencilSteps(*device_, now, next, n, steps, functors::Mix{});
      result = now.toHost();
    });
    const std::vector<Cell> expected = plainSteps(start, n, steps);
    constexpr std::size_t kFields = sizeof(Cell) / sizeof(float);
    const auto* const values = reinterpret_cast<const float*>(result.data());
    const auto* const wanted = reinterpret_cast<const float*>(expected.data());
    for (std::size_t i = 0; i < kFields * result.size(); ++i) {
      ASSERT_NEAR(values[i], wanted[i], 1e-6) << kFields << " components, " << n << ", " << steps << " steps, at " << i;
    }
  }
};
SIMSCOPE_ON_EVERY_DEVICE(Stencil);

TEST_P(Stencil, StepsAreThoseOfAPlainLoop) {
  for (const int n : {64, 128, 256, 512}) {
    for (const int steps : {0, 1, 2, 3, 4, 5, 8, 13}) {
      if (n == 512 && steps != 5) continue;
      expectPlainSteps<One>(n, steps);
      expectPlainSteps<Two>(n, steps);
    }
  }
}

TEST_P(Stencil, LargeFieldsTakeOtherTilesAlike) {
  expectPlainSteps<Two>(1024, 5);
}

}  // namespace
}  // namespace simscope::compute
