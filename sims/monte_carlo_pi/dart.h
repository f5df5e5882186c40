// A dart and whether it hits, in whole numbers: dart i of a chain is a pure function of (method, seed, chain, i), the
// same on both backends. README.md has the derivations.
//
// A coordinate is a cell of the unit interval's 2^64: the dart is in its middle, (X + 1/2)/2^64. It hits where
// x² + y² < 1, which is X(X+1) + Y(Y+1) < 2^128. Most darts are decided by their first bits.
#pragma once

#include <cstdint>

#include "sims/monte_carlo_pi/philox.h"

namespace simscope::monte_carlo_pi {

enum class Method { Independent, Antithetic, Stratified, Sobol };

struct Dart {
  std::uint64_t x, y;
};

// Exact.
SIMSCOPE_HD inline bool hits(Dart dart) {
  // On the first 31 bits: the near and the far corner of their cell.
  const std::uint64_t x = dart.x >> 33, y = dart.y >> 33, near2 = x * x + y * y, radius2 = std::uint64_t{1} << 62;
  if (near2 >= radius2) return false;
  if (near2 + 2 * (x + y) + 2 <= radius2) return true;
  __extension__ using Wide = unsigned __int128;
  const Wide a = static_cast<Wide>(dart.x) * dart.x + dart.x, b = static_cast<Wide>(dart.y) * dart.y + dart.y;
  return a + b >= a;  // else the sum has passed 2^128
}

// Independent darts have 32 bits at first: two numbers of 16 bits with a sign, a and b, whose 15 bits u = a or ~a are
// the first of the coordinate. s = a² + b² lies between the squared distances of the near and the far corner of the
// cell, which differ by less than kRing where the circle, of radius 2^15, passes between them. So s < kSurelyHits is a
// hit, s ≥ kSurelyHits + kUndecided a miss; the rest (one in 7400) is decided with 49 more bits a coordinate.
inline constexpr std::uint32_t kRing = 92684;  // ≥ 2 √2 2^15 + 2
inline constexpr std::uint32_t kSurelyHits = (1u << 30) - kRing + 1, kUndecided = 2 * kRing - 1;

SIMSCOPE_HD inline std::uint32_t squaredDistance(std::uint32_t word) {
  const int a = static_cast<std::int16_t>(word & 0xFFFFu), b = static_cast<std::int16_t>(word >> 16);
  return static_cast<std::uint32_t>(a * a) + static_cast<std::uint32_t>(b * b);
}
// folded: both numbers without their signs. reflected: the word of the dart reflected in the middle of the square.
SIMSCOPE_HD inline std::uint32_t folded(std::uint32_t word) {
  const std::uint32_t sign = (word >> 15) & 0x00010001u;
  return word ^ sign * 0xFFFFu;
}
SIMSCOPE_HD inline std::uint32_t reflected(std::uint32_t word) {
  return folded(word) ^ 0x7FFF7FFFu;
}

// The uses of a chain's counters: the fourth word.
enum : std::uint32_t { kFirstBits = 0, kMoreBits = 1, kStrata = 8, kShift = 9 };  // kMoreBits: also the three after it

// The dart of word `lane` of a call.
SIMSCOPE_HD inline Dart dartOf(const RoundKeys& keys, std::uint32_t chain, std::uint64_t call, std::uint32_t lane,
                               std::uint32_t word) {
  const Words more = philox(keys, call, chain, kMoreBits + lane);
  const std::uint32_t first = folded(word);
  const auto with = [](std::uint32_t bits, std::uint32_t high, std::uint32_t low) {
    return (std::uint64_t{bits} << 49) | (((std::uint64_t{high} << 32) | low) >> 15);
  };
  return {with(first & 0x7FFFu, more.w0, more.w1), with(first >> 16, more.w2, more.w3)};
}
SIMSCOPE_HD inline std::uint32_t wordOf(const Words& words, std::uint32_t lane) {
  return lane < 2 ? (lane == 0 ? words.w0 : words.w1) : (lane == 2 ? words.w2 : words.w3);
}

// Four darts a call.
struct IndependentDarts {
  static constexpr unsigned kEach = 4;
  struct Chain {
    std::uint32_t number;
  };
  RoundKeys keys;

  SIMSCOPE_HD Chain chain(std::uint32_t number) const { return {number}; }
  SIMSCOPE_HD Dart dart(Chain chain, std::uint64_t i) const {
    const std::uint32_t lane = i & 3;
    return dartOf(keys, chain.number, i >> 2, lane, wordOf(philox(keys, i >> 2, chain.number, kFirstBits), lane));
  }
  // Of darts [kEach · call, kEach · (call + 1)).
  SIMSCOPE_HD unsigned hitsOf(Chain chain, std::uint64_t call) const {
    const Words words = philox(keys, call, chain.number, kFirstBits);
    const std::uint32_t t0 = squaredDistance(words.w0) - kSurelyHits, t1 = squaredDistance(words.w1) - kSurelyHits;
    const std::uint32_t t2 = squaredDistance(words.w2) - kSurelyHits, t3 = squaredDistance(words.w3) - kSurelyHits;
    unsigned count = (t0 >> 31) + (t1 >> 31) + (t2 >> 31) + (t3 >> 31);
    if (t0 < kUndecided || t1 < kUndecided || t2 < kUndecided || t3 < kUndecided) {
      for (std::uint32_t lane = 0; lane < 4; ++lane) count += decided(chain, call, lane, wordOf(words, lane));
    }
    return count;
  }
  SIMSCOPE_HD unsigned decided(Chain chain, std::uint64_t call, std::uint32_t lane, std::uint32_t word) const {
    return squaredDistance(word) - kSurelyHits < kUndecided && hits(dartOf(keys, chain.number, call, lane, word));
  }
};

// Each dart is followed by its reflection (1 - x, 1 - y): eight darts a call.
struct AntitheticDarts {
  static constexpr unsigned kEach = 8;
  using Chain = IndependentDarts::Chain;
  IndependentDarts independent;

  SIMSCOPE_HD Chain chain(std::uint32_t number) const { return {number}; }
  SIMSCOPE_HD static Dart reflection(Dart dart) { return {~dart.x, ~dart.y}; }
  SIMSCOPE_HD Dart dart(Chain chain, std::uint64_t i) const {
    const Dart dart = independent.dart(chain, i >> 1);
    return i & 1 ? reflection(dart) : dart;
  }
  SIMSCOPE_HD unsigned hitsOf(Chain chain, std::uint64_t call) const {
    const Words words = philox(independent.keys, call, chain.number, kFirstBits);
    unsigned count = 0;
    for (std::uint32_t lane = 0; lane < 4; ++lane) count += hitsOfPair(chain, call, lane, wordOf(words, lane));
    return count;
  }
  SIMSCOPE_HD unsigned hitsOfPair(Chain chain, std::uint64_t call, std::uint32_t lane, std::uint32_t word) const {
    const std::uint32_t s = squaredDistance(word) - kSurelyHits, t = squaredDistance(reflected(word)) - kSurelyHits;
    unsigned count = (s >> 31) + (t >> 31);
    if (s < kUndecided || t < kUndecided) {
      const Dart dart = dartOf(independent.keys, chain.number, call, lane, word);
      count += (s < kUndecided && hits(dart)) + (t < kUndecided && hits(reflection(dart)));
    }
    return count;
  }
};

// The cell of 16 × 16 that belongs to digit b of a dart's number, before scrambling: the first 4^k digits lie in 4^k
// different cells of 2^k × 2^k, and the first two are diagonal. Linear over bits.
SIMSCOPE_HD inline std::uint32_t columnOf(std::uint32_t b) {
  return ((b & 1) << 3) | (b & 4) | ((b >> 3) & 2) | ((b >> 6) & 1);
}
SIMSCOPE_HD inline std::uint32_t rowOf(std::uint32_t b) {
  return columnOf(b ^ (b >> 1));
}

// Progressive strata: of n = 256^k darts one is in each of 16^k × 16^k cells, uniform within it, independent of all
// others. Digit k of i in base 256 chooses one of 16 × 16 cells within the cell chosen by the digits before it, by
// exclusive or with 8 random bits of that cell (Owen's scrambling, in base 256 of the square). Those bits come from the
// first dart of that cell: i without its higher digits.
struct StratifiedDarts {
  static constexpr unsigned kEach = 1;
  using Chain = IndependentDarts::Chain;
  RoundKeys keys;

  SIMSCOPE_HD Chain chain(std::uint32_t number) const { return {number}; }
  SIMSCOPE_HD Dart bitsOf(Chain chain, std::uint64_t i) const {
    const Words words = philox(keys, i, chain.number, kStrata);
    return {(std::uint64_t{words.w0} << 32) | words.w1, (std::uint64_t{words.w2} << 32) | words.w3};
  }
  SIMSCOPE_HD Dart dart(Chain chain, std::uint64_t i) const {
    Dart at = bitsOf(chain, 0);
    for (int level = 0; level < 8 && (i >> (8 * level)) != 0; ++level) {
      const std::uint32_t digit = (i >> (8 * level)) & 0xFFu;
      if (digit == 0) continue;
      const std::uint64_t below = ~std::uint64_t{0} >> 4 >> (4 * level);
      const Dart fresh = bitsOf(chain, level == 7 ? i : i & ((std::uint64_t{256} << (8 * level)) - 1));
      at.x = (((at.x ^ (std::uint64_t{columnOf(digit)} << (60 - 4 * level))) & ~below) | (fresh.x & below));
      at.y = (((at.y ^ (std::uint64_t{rowOf(digit)} << (60 - 4 * level))) & ~below) | (fresh.y & below));
    }
    return at;
  }
  SIMSCOPE_HD unsigned hitsOf(Chain chain, std::uint64_t i) const { return hits(dart(chain, i)); }
};

SIMSCOPE_HD inline std::uint64_t reversedBits(std::uint64_t v) {
#if defined(__CUDA_ARCH__)
  return __brevll(v);
#else
  v = ((v >> 1) & 0x5555555555555555u) | ((v & 0x5555555555555555u) << 1);
  v = ((v >> 2) & 0x3333333333333333u) | ((v & 0x3333333333333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0F0F0F0F0Fu) | ((v & 0x0F0F0F0F0F0F0F0Fu) << 4);
  return __builtin_bswap64(v);
#endif
}
// Pascal's triangle modulo 2 on the bits of v: bit r becomes the sum of those bits j whose binomial (j over r) is odd,
// which holds where r's bits are a subset of j's (Lucas).
SIMSCOPE_HD inline std::uint64_t pascal(std::uint64_t v) {
  v ^= (v >> 1) & 0x5555555555555555u;
  v ^= (v >> 2) & 0x3333333333333333u;
  v ^= (v >> 4) & 0x0F0F0F0F0F0F0F0Fu;
  v ^= (v >> 8) & 0x00FF00FF00FF00FFu;
  v ^= (v >> 16) & 0x0000FFFF0000FFFFu;
  v ^= (v >> 32) & 0x00000000FFFFFFFFu;
  return v;
}
// Sobol's sequence in two dimensions; each chain has a digital shift of its own (exclusive or with random bits).
struct SobolDarts {
  static constexpr unsigned kEach = 1;
  struct Chain {
    Dart shift;
  };
  RoundKeys keys;

  SIMSCOPE_HD Chain chain(std::uint32_t number) const {
    const Words words = philox(keys, 0, number, kShift);
    return {{(std::uint64_t{words.w0} << 32) | words.w1, (std::uint64_t{words.w2} << 32) | words.w3}};
  }
  SIMSCOPE_HD Dart dart(const Chain& chain, std::uint64_t i) const {
    return {reversedBits(i) ^ chain.shift.x, reversedBits(pascal(i)) ^ chain.shift.y};
  }
  SIMSCOPE_HD unsigned hitsOf(const Chain& chain, std::uint64_t i) const { return hits(dart(chain, i)); }
};

// Calls work(darts) with the darts of a method. Each method has a type, so that loops over darts are compiled for it.
template <class Work>
void withDarts(Method method, std::uint64_t seed, const Work& work) {
  const RoundKeys keys = roundKeysOf(seed);
  if (method == Method::Independent) work(IndependentDarts{keys});
  if (method == Method::Antithetic) work(AntitheticDarts{{keys}});
  if (method == Method::Stratified) work(StratifiedDarts{keys});
  if (method == Method::Sobol) work(SobolDarts{keys});
}

}  // namespace simscope::monte_carlo_pi
