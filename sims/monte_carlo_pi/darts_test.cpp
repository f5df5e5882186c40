// Darts one by one: how they are placed, and that a hit is decided exactly.
#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "sims/compute/random/random.h"
#include "sims/monte_carlo_pi/laws.h"
#include "sims/monte_carlo_pi/throw.h"

namespace simscope::monte_carlo_pi {
namespace {

constexpr Method kMethods[] = {Method::Independent, Method::Antithetic, Method::Stratified, Method::Sobol};
constexpr std::uint64_t kSeed = 0x0123456789abcdef;

std::vector<Dart> dartsOfChain(Method method, std::uint32_t chain, std::uint64_t count, std::uint64_t first = 0) {
  std::vector<Dart> all;
  withDarts(method, kSeed, [&](const auto& darts) {
    for (std::uint64_t i = first; i < first + count; ++i) all.push_back(darts.dart(darts.chain(chain), i));
  });
  return all;
}
std::uint64_t countOf(const std::vector<Dart>& darts) {
  return static_cast<std::uint64_t>(std::count_if(darts.begin(), darts.end(), hits));
}
std::uint64_t randomBits(std::uint64_t index) {
  const Words words = philox(roundKeysOf(99), index, 0, 0);
  return (std::uint64_t{words.w0} << 32) | words.w1;
}

TEST(Philox, GivesTheWordsOfRandom123) {
  const RoundKeys keys = roundKeysOf(kSeed);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const std::uint64_t index = randomBits(i);
    const auto third = static_cast<std::uint32_t>(index * 3), fourth = static_cast<std::uint32_t>(i);
    r123::Philox4x32 generator;
    const r123::Philox4x32::ctr_type counter = {
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), third, fourth}};
    const r123::Philox4x32::key_type key = {
        {static_cast<std::uint32_t>(kSeed), static_cast<std::uint32_t>(kSeed >> 32)}};
    const r123::Philox4x32::ctr_type expected = generator(counter, key);
    const Words words = philox(keys, index, third, fourth);
    EXPECT_EQ((std::array{words.w0, words.w1, words.w2, words.w3}),
              (std::array{expected.v[0], expected.v[1], expected.v[2], expected.v[3]}));
  }
}

// (X + ½)² + (Y + ½)² < 2^128 by digits of 32 bits, apart from everything that hits() does.
bool inside(Dart dart) {
  std::uint64_t digits[5] = {};
  for (const std::uint64_t v : {dart.x, dart.y}) {
    // v (v + 1) = v² + v
    const std::uint64_t low = v & 0xFFFFFFFFu, high = v >> 32;
    const std::uint64_t parts[3] = {low * low, low * high, high * high};
    const auto add = [&](std::uint64_t value, int place) {
      digits[place] += value & 0xFFFFFFFFu;
      digits[place + 1] += value >> 32;
    };
    add(parts[0], 0), add(parts[1], 1), add(parts[1], 1), add(parts[2], 2), add(low, 0), add(high, 1);
  }
  for (int i = 0; i < 4; ++i) digits[i + 1] += digits[i] >> 32;
  return digits[4] == 0;
}

TEST(Hits, AreExactToTheLastBitOnTheCircle) {
  int inner = 0, outer = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const std::uint64_t x = randomBits(i);
    // The last Y that hits, by bisection; and its neighbours.
    std::uint64_t low = 0, high = ~std::uint64_t{0};
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2 + 1;
      if (inside({x, middle})) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    for (const std::uint64_t y : {low - 1, low, low + 1, low + 2, randomBits(i + 1000000)}) {
      EXPECT_EQ(hits({x, y}), inside({x, y})) << x << ", " << y;
      ++(hits({x, y}) ? inner : outer);
    }
  }
  EXPECT_GT(std::min(inner, outer), 20000);
  EXPECT_TRUE(hits({0, 0}));
  EXPECT_FALSE(hits({~std::uint64_t{0}, ~std::uint64_t{0}}));
  EXPECT_TRUE(hits({0, ~std::uint64_t{0}}));  // ½² + (2^64 - ½)² < 2^128
}

std::uint32_t wordFor(int a, int b) {
  return (static_cast<std::uint32_t>(a) & 0xFFFFu) | (static_cast<std::uint32_t>(b) << 16);
}

// Of all 2^32 words: what is surely a hit or a miss is one all over its cell, and what is left has the area that is
// missing to π/4. So the share of hits is that of the circle.
TEST(FirstBits, DecideWholeCellsAndLeaveExactlyTheRest) {
  const auto kind = [](int a, int b) {
    const std::uint32_t s = squaredDistance(wordFor(a, b));
    return s < kSurelyHits ? 1 : s - kSurelyHits < kUndecided ? 0 : -1;
  };
  constexpr std::int64_t kRadius2 = std::int64_t{1} << 30;
  double area = 0, open = 0;
  for (int a = -32768; a < 32768; ++a) {
    const std::int64_t u = a < 0 ? ~a : a;
    for (const int sign : {1, -1}) {
      const auto other = [&](int v) { return sign > 0 ? v : ~v; };
      // Along v the kinds go from hits over what is open to misses.
      const auto firstWhere = [&](int below) {
        int low = 0, high = 32768;
        while (low < high) {
          const int middle = (low + high) / 2;
          if (kind(a, other(middle)) < below) {
            high = middle;
          } else {
            low = middle + 1;
          }
        }
        return low;
      };
      const int sure = firstWhere(1), missed = firstWhere(0);
      area += sure;
      const double left = static_cast<double>(u) / 32768, right = static_cast<double>(u + 1) / 32768;
      area += areaWithin(left, sure / 32768.0, right, missed / 32768.0) * 0x1p30;
      open += missed - sure;
      if (sure > 0) {
        EXPECT_LE((u + 1) * (u + 1) + std::int64_t{sure} * sure, kRadius2) << a;
      }
      if (missed < 32768) {
        EXPECT_GE(u * u + std::int64_t{missed} * missed, kRadius2) << a;
      }
    }
  }
  EXPECT_NEAR(area / 0x1p32, kHitProbability, 1e-13);
  EXPECT_NEAR(open / 0x1p32, 1.356e-4, 1e-6);
}

TEST(FirstBits, FoldAndReflectEachCoordinate) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto word = static_cast<std::uint32_t>(randomBits(i));
    const auto part = [](std::uint32_t w, int which) { return static_cast<std::int16_t>(w >> (16 * which)); };
    for (const int which : {0, 1}) {
      const int value = part(word, which), first = value < 0 ? -value - 1 : value;
      EXPECT_EQ(part(folded(word), which), first);
      EXPECT_EQ(part(reflected(word), which), 32767 - first);
    }
  }
}

TEST(Darts, OfACallHaveTheHitsOfEachDart) {
  for (const Method method : kMethods) {
    withDarts(method, kSeed, [&]<class Darts>(const Darts& darts) {
      constexpr std::uint64_t kCalls = 40000 / Darts::kEach;
      for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 40) + 5}) {
        std::uint64_t count = 0;
        for (std::uint64_t call = first; call < first + kCalls; ++call) count += darts.hitsOf(darts.chain(3), call);
        EXPECT_EQ(count, countOf(dartsOfChain(method, 3, kCalls * Darts::kEach, first * Darts::kEach)));
      }
    });
  }
}

// Each instruction set, ranges that begin and end anywhere, and enough darts to have hundreds in the ring.
TEST(Kernels, CountWhatTheDartsOneByOneAre) {
  const compute::DevicePtr device = compute::Device::open("cpu", 2);
  constexpr std::uint64_t kLength = 3000000;
  for (const Method method : {Method::Independent, Method::Antithetic}) {
    for (const std::uint64_t from : {std::uint64_t{3}, (std::uint64_t{1} << 34) - 1234567}) {
      const std::uint64_t expected = countOf(dartsOfChain(method, 0, kLength, from));
      for (int k = 0; k < supportedHitKernels().count; ++k) {
        const HitKernels& kernels = supportedHitKernels().sets[k];
        std::uint64_t count = 0;
        device->run([&] { throwOnCpu(*device, {method, kSeed, from, from + kLength}, &count, 1, kernels); });
        EXPECT_EQ(count, expected) << kernels.name;
      }
    }
  }
}

// Kolmogorov and Smirnov: the largest distance of the distribution from the uniform one, times √n.
double distance(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double most = 0;
  const auto n = static_cast<double>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    most = std::max({most, values[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - values[i]});
  }
  return most * std::sqrt(n);
}

TEST(IndependentDarts, AreUniformAlsoInTheBitsThatAreDrawnLater) {
  std::vector<double> x, y, fine, product;
  for (const Dart dart : dartsOfChain(Method::Independent, 1, 200000)) {
    x.push_back(std::ldexp(static_cast<double>(dart.x), -64));
    y.push_back(std::ldexp(static_cast<double>(dart.y), -64));
    fine.push_back(std::ldexp(static_cast<double>(dart.x << 15), -64));
    const double turned = x.back() + y.back();  // modulo 1 uniform as well where both are independent
    product.push_back(turned - std::floor(turned));
  }
  for (const auto& values : {x, y, fine, product}) EXPECT_LT(distance(values), 2.2);  // beyond it once in 10^4
}

TEST(AntitheticDarts, AreReflectedInTheMiddle) {
  const std::vector<Dart> darts = dartsOfChain(Method::Antithetic, 2, 1000);
  for (std::size_t i = 0; i < darts.size(); i += 2) {
    EXPECT_EQ(darts[i].x + darts[i + 1].x, ~std::uint64_t{0});
    EXPECT_EQ(darts[i].y + darts[i + 1].y, ~std::uint64_t{0});
    EXPECT_TRUE(hits(darts[i]) || hits(darts[i + 1])) << "the quarters cover the square";
  }
}

TEST(StratifiedDarts, HaveOneInEachCellAtEveryPowerOfFour) {
  const std::vector<Dart> darts = dartsOfChain(Method::Stratified, 0, 1 << 16);
  for (int k = 1; k <= 8; ++k) {
    std::set<std::pair<std::uint64_t, std::uint64_t>> cells;
    for (std::size_t i = 0; i < std::size_t{1} << (2 * k); ++i)
      cells.emplace(darts[i].x >> (64 - k), darts[i].y >> (64 - k));
    EXPECT_EQ(cells.size(), std::size_t{1} << (2 * k));
  }
}

TEST(StratifiedDarts, AreUniformWithinTheirCells) {
  std::vector<double> x, y;
  for (const Dart dart : dartsOfChain(Method::Stratified, 0, 1 << 16)) {
    x.push_back(std::ldexp(static_cast<double>(dart.x << 8), -64));
    y.push_back(std::ldexp(static_cast<double>(dart.y << 8), -64));
  }
  EXPECT_LT(distance(x), 2.2);
  EXPECT_LT(distance(y), 2.2);
}

TEST(SobolDarts, AreANetInBaseTwo) {
  const std::vector<Dart> darts = dartsOfChain(Method::Sobol, 5, 1 << 12);
  for (int m = 1; m <= 12; ++m) {
    for (int wide = 0; wide <= m; ++wide) {
      std::set<std::pair<std::uint64_t, std::uint64_t>> boxes;
      for (std::size_t i = 0; i < std::size_t{1} << m; ++i) {
        boxes.emplace(wide == 0 ? 0 : darts[i].x >> (64 - wide), wide == m ? 0 : darts[i].y >> (64 - m + wide));
      }
      EXPECT_EQ(boxes.size(), std::size_t{1} << m) << m << ", " << wide;
    }
  }
}

TEST(SobolDarts, BeginAsPublished) {
  // Bratley and Fox: 0, 1/2, 1/4, 3/4, 1/8, 5/8 and 0, 1/2, 3/4, 1/4, 5/8, 1/8
  const double x[] = {0, 0.5, 0.25, 0.75, 0.125, 0.625}, y[] = {0, 0.5, 0.75, 0.25, 0.625, 0.125};
  for (std::uint64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(std::ldexp(static_cast<double>(reversedBits(i)), -64), x[i]);
    EXPECT_EQ(std::ldexp(static_cast<double>(reversedBits(pascal(i))), -64), y[i]);
  }
}

}  // namespace
}  // namespace simscope::monte_carlo_pi
