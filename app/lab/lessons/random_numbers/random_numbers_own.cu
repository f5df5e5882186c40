#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "app/lab/lessons/random_numbers/random_numbers.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"

namespace simscope::lab::random_numbers {

constexpr std::uint64_t kSeed = 20261;
constexpr std::uint32_t kStream = 7;

// The first 23 bits of a word plus a half, scaled: in (0, 1), and exact.
SIMSCOPE_HD inline float unit(std::uint32_t word) {
  return std::bit_cast<float>((word >> 9) | 0x3f800000u) - 0x1.fffffep-1f;
}

struct Two {
  float a, b;
};
// Box and Muller's transform.
SIMSCOPE_HD inline Two normals(float u, float v) {
  const float radius = std::sqrt(-2.0f * std::log(u)), angle = 6.28318531f * v;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

struct alignas(16) Four {
  float v[4];
};
struct Philox {
  float* to;
  bool normal;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const compute::Uniform4f u = compute::uniform4f(kSeed, kStream, i);
    Four four{{u.u[0], u.u[1], u.u[2], u.u[3]}};
    if (normal) {
      const Two first = normals(u.u[0], u.u[1]), second = normals(u.u[2], u.u[3]);
      four = {{first.a, first.b, second.a, second.b}};
    }
    reinterpret_cast<Four*>(to)[i] = four;
  }
};

// RANDU of the 1960s: x ← 65539 x mod 2³¹. Its multiplier is 2¹⁶ + 3, so that x″ = 6 x′ − 9 x.
constexpr std::uint32_t kRandu = 65539, kFirst = 1;

SIMSCOPE_HD inline std::uint32_t randuPower(std::uint32_t exponent) {
  std::uint32_t product = 1;  // modulo 2³², which is exact modulo 2³¹
  for (std::uint32_t square = kRandu; exponent != 0; exponent >>= 1, square *= square) {
    if (exponent & 1u) product *= square;
  }
  return product;
}
SIMSCOPE_HD inline float randuUnit(std::uint32_t x) {
  return unit(x << 1);
}

// Thread i computes the pairs i, i + threads, ...: it skips those of the others, and neighbours write adjacent pairs.
struct Randu {
  float* to;
  std::size_t pairs, threads;
  std::uint32_t leap;  // the multiplier from one of a thread's pairs to its next
  bool normal;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    std::uint32_t x = kFirst * randuPower(static_cast<std::uint32_t>(2 * i + 1));
    for (std::size_t k = i; k < pairs; k += threads, x *= leap) {
      const float u = randuUnit(x), v = randuUnit(x * kRandu);
      reinterpret_cast<Two*>(to)[k] = normal ? normals(u, v) : Two{u, v};
    }
  }
};

namespace {

constexpr std::size_t kLeapers = std::size_t{1} << 17;  // threads that fill a GPU

double philoxAt(std::size_t i) {
  return static_cast<double>(compute::uniform4f(kSeed, kStream, i / 4).u[i % 4]);
}
double randuAt(std::size_t i) {
  return static_cast<double>(randuUnit(kFirst * randuPower(static_cast<std::uint32_t>(i + 1))));
}

// next(): a word of 32 bits.
template <class Next>
void inTurn(float* to, std::size_t n, bool normal, Next next) {
  for (std::size_t i = 0; i < n; i += 2) {
    const float u = next();
    const float v = next();
    const Two two = normal ? normals(u, v) : Two{u, v};
    to[i] = two.a;
    to[i + 1] = two.b;
  }
}

void mersenneInTurn(float* to, std::size_t n, bool normal) {
  std::mt19937 generator(static_cast<std::uint32_t>(kSeed));
  inTurn(to, n, normal, [&] { return unit(static_cast<std::uint32_t>(generator())); });
}
void randuInTurn(float* to, std::size_t n, bool normal) {
  std::uint32_t x = kFirst;
  inTurn(to, n, normal, [&] {
    x *= kRandu;
    return randuUnit(x);
  });
}
void philoxInTurn(float* to, std::size_t n, bool normal) {
  const Philox philox{to, normal};
  for (std::size_t i = 0; i < n / 4; ++i) philox(i);
}

using Fill = std::function<void(float*, std::size_t, bool)>;

void add(std::vector<Generator>& all, const char* title, const char* name, const compute::DevicePtr& device, Fill fill,
         std::function<double(std::size_t)> expected) {
  all.push_back({.title = title,
                 .name = name,
                 .device = device,
                 .uniform = [fill](float* to, std::size_t n) { fill(to, n, false); },
                 .normal = [fill](float* to, std::size_t n) { fill(to, n, true); },
                 .expected = std::move(expected)});
}

}  // namespace

void addOwn(std::vector<Generator>& all, const Bench& bench) {
  const auto philoxOn = [](const compute::DevicePtr& device) {
    return [device](float* to, std::size_t n, bool normal) {
      compute::parallelFor(*device, n / 4, Philox{to, normal});
    };
  };
  add(all, "CPU, one thread, RANDU", "RANDU", bench.cpu, randuInTurn, randuAt);
  add(all, "CPU, one thread, mt19937", "mt19937", bench.cpu, mersenneInTurn, {});
  add(all, "CPU, one thread, Philox", "Philox", bench.cpu, philoxInTurn, philoxAt);
  add(all, "CPU, all threads, Philox", "Philox, all threads", bench.cpu, philoxOn(bench.cpu), philoxAt);
  if (!bench.cuda) return;
  const compute::DevicePtr device = bench.cuda;
  const auto randu = [device](float* to, std::size_t n, bool normal) {
    const std::uint32_t leap = randuPower(static_cast<std::uint32_t>(2 * kLeapers));
    compute::parallelFor(*device, kLeapers, Randu{to, n / 2, kLeapers, leap, normal});
  };
  add(all, "GPU, RANDU", "GPU RANDU", device, randu, randuAt);
  add(all, "GPU, Philox", "GPU Philox", device, philoxOn(device), philoxAt);
}

}  // namespace simscope::lab::random_numbers
