#include "sims/monte_carlo_pi/observe.h"

#include <cmath>

#include "sims/compute/loops/histogram.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::monte_carlo_pi {

struct SumsOfChain {
  const std::uint64_t* hits;
  std::int64_t expected;
  SIMSCOPE_HD Sums operator()(std::size_t chain) const {
    const auto own = static_cast<std::int64_t>(hits[chain]), off = own - expected;
    const std::uint64_t size = static_cast<std::uint64_t>(off < 0 ? -off : off);
    const std::uint64_t low = size & 0xFFFFFFFFu, high = size >> 32;
    const std::uint64_t middle = low * high;  // to be counted twice, shifted by 32 bits: high < 2^22
    const std::uint64_t squares = low * low + (middle << 33);
    const std::uint64_t carry = squares < low * low ? 1 : 0;
    return {chain == 0 ? own : 0, off, squares, high * high + (middle >> 31) + carry};
  }
};
struct AddSums {
  SIMSCOPE_HD Sums operator()(const Sums& a, const Sums& b) const {
    const std::uint64_t low = a.squares_low + b.squares_low;
    return {a.first + b.first, a.sum + b.sum, low, a.squares_high + b.squares_high + (low < a.squares_low ? 1 : 0)};
  }
};

struct BinOfChain {
  const std::uint64_t* hits;
  Bins bins;
  SIMSCOPE_HD int operator()(std::size_t chain) const {
    const std::int64_t from = static_cast<std::int64_t>(hits[chain]) - bins.first, last = bins.count - 1;
    const std::int64_t bin = from < 0 ? 0 : from / bins.width;
    return static_cast<int>(bin < last ? bin : last);
  }
};
struct CountAsFloat {
  const std::uint32_t* counts;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = static_cast<float>(counts[i]); }
};

struct ReadRecord {
  Records records;
  Quantity quantity;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    if (!records.any) {
      values[i] = records.before;
      return;
    }
    const int record = records.first + static_cast<int>(i);
    const Reading read = readingOf(records.sums[record], records.expected[record], dartsOf(record), records.chains);
    const double error = quantity == Quantity::Rms ? read.rms : std::fabs(read.first_error);
    constexpr double kLeast = 1e-30;  // π is irrational: only a forged state has an error of 0
    values[i] = static_cast<float>(quantity == Quantity::Estimate ? 3.14159265358979323846 + read.error
                                                                  : std::log10(error > kLeast ? error : kLeast));
  }
};

template <class Darts>
struct PlaceDart {
  Darts darts;
  Shown shown;
  float* places;
  SIMSCOPE_HD void operator()(std::size_t k) const {
    const Dart dart = darts.dart(darts.chain(0), shown.first + k);
    // 23 bits plus a half, exact in a float: 1 is never reached.
    places[4 * k] = (static_cast<float>(dart.x >> 41) + 0.5f) * 0x1p-23f;
    places[4 * k + 1] = (static_cast<float>(dart.y >> 41) + 0.5f) * 0x1p-23f;
    places[4 * k + 2] = 0;
    places[4 * k + 3] = shown.size;
  }
};
template <class Darts>
struct JudgeDart {
  Darts darts;
  Shown shown;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t k) const {
    values[k] = hits(darts.dart(darts.chain(0), shown.first + k)) ? 1.0f : 0.0f;
  }
};

void writeSums(const HitsOfChains& hits, std::int64_t expected, Sums* to) {
  compute::reduceInto(hits.device(), hits.size(), Sums{}, SumsOfChain{hits.data(), expected}, AddSums{}, to);
}
Sums sumsNow(const HitsOfChains& hits, std::int64_t expected) {
  return compute::reduce(hits.device(), hits.size(), Sums{}, SumsOfChain{hits.data(), expected}, AddSums{});
}

void readRecords(const Records& records, Quantity quantity, compute::Buffer<float>& values) {
  compute::parallelFor(values.device(), values.size(), ReadRecord{records, quantity, values.data()});
}

void countChains(const HitsOfChains& hits, const Bins& bins, compute::Buffer<std::uint32_t>& counts) {
  compute::histogram(hits.device(), hits.size(), BinOfChain{hits.data(), bins}, counts.data(), bins.count);
}
void copyCounts(const compute::Buffer<std::uint32_t>& counts, compute::Buffer<float>& values) {
  compute::parallelFor(values.device(), values.size(), CountAsFloat{counts.data(), values.data()});
}

// A dart costs some hundred instructions: threads of the CPU take few at a time.
constexpr std::size_t kFew = 2048;
void placeDarts(const Shown& shown, compute::Buffer<float>& places) {
  withDarts(shown.method, shown.seed, [&]<class Darts>(const Darts& darts) {
    compute::parallelFor(places.device(), places.size() / 4, PlaceDart<Darts>{darts, shown, places.data()}, kFew);
  });
}
void judgeDarts(const Shown& shown, compute::Buffer<float>& values) {
  withDarts(shown.method, shown.seed, [&]<class Darts>(const Darts& darts) {
    compute::parallelFor(values.device(), values.size(), JudgeDart<Darts>{darts, shown, values.data()}, kFew);
  });
}

}  // namespace simscope::monte_carlo_pi
