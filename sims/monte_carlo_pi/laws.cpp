#include "sims/monte_carlo_pi/laws.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

namespace simscope::monte_carlo_pi {
namespace {

// ∫ √(1 - x²) dx from 0 on
double halfMoon(double x) {
  return 0.5 * (x * std::sqrt(std::max(1 - x * x, 0.0)) + std::asin(std::min(x, 1.0)));
}
// The area below the circle and below y = top, between two places.
double areaBelow(double left, double right, double top) {
  const double flat = std::clamp(std::sqrt(std::max(1 - top * top, 0.0)), left, right);  // above it until there
  return top * (flat - left) + (halfMoon(right) - halfMoon(flat));
}

// The strata: a cell is one of 256 in its parent, and the circle passes through few.
constexpr int kCells = 256, kSide = 16;
struct Node {
  std::array<double, kCells> share;       // of each of its cells that is within the circle, by the dart's digit
  std::array<std::size_t, kCells> child;  // the node of the next level that it is; kNone: the circle does not cross it
};
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

class Strata {
 public:
  static constexpr int kLevels = 3;  // n < 256³
  Strata() { add(0, 0, 0, 1); }

  // The variance of the hits of the first n darts. Each cell of a level holds floor(n/256^level) darts, or one more.
  // Those of a cell's 256 that hold one more are the first b digits, all under one random exclusive or, where b is the
  // digit of n, and one more in a cell that holds one more itself.
  double variance(std::uint64_t n) const {
    int level = 0;
    while (n >> (8 * (level + 1)) != 0) ++level;
    std::vector<Pair> below;
    for (bool last = true; level >= 0; --level, last = false) {
      const auto& nodes = levels_[static_cast<std::size_t>(level)];
      const auto digit = static_cast<int>((n >> (8 * level)) & 0xFFu);
      std::vector<Pair> here;
      for (const Node& node : nodes) {
        const Pair cells = last ? darts(node) : children(node, below);
        here.push_back({});
        for (const int more : {0, 1}) {
          const int b = digit + more;
          const double within = b * cells[1] + (kCells - b) * cells[0];
          here.back()[static_cast<std::size_t>(more)] = within / kCells + varianceOfSum(node.share, b);
        }
      }
      below = std::move(here);
    }
    return below[0][0];
  }

 private:
  using Pair = std::array<double, 2>;  // without and with one more dart

  std::size_t add(std::size_t level, double left, double bottom, double edge) {
    const std::size_t index = levels_[level].size();
    levels_[level].emplace_back();
    const double part = edge / kSide;
    for (std::uint32_t digit = 0; digit < kCells; ++digit) {
      const double x = left + columnOf(digit) * part, y = bottom + rowOf(digit) * part;
      const double near = x * x + y * y, far = (x + part) * (x + part) + (y + part) * (y + part);
      const bool crossed = near < 1 && far > 1;
      const double share = crossed ? areaWithin(x, y, x + part, y + part) / (part * part) : near < 1 ? 1 : 0;
      const std::size_t child = crossed && level + 1 < kLevels ? add(level + 1, x, y, part) : kNone;
      levels_[level][index].share[digit] = share;
      levels_[level][index].child[digit] = child;
    }
    return index;
  }

  // Sums of the variances within a node's cells: of no dart or one in each ...
  static Pair darts(const Node& node) {
    Pair sum{};
    for (const double share : node.share) sum[1] += share * (1 - share);
    return sum;
  }
  // ... or of those of the level below.
  static Pair children(const Node& node, const std::vector<Pair>& below) {
    Pair sum{};
    for (const std::size_t child : node.child) {
      if (child != kNone) sum[0] += below[child][0], sum[1] += below[child][1];
    }
    return sum;
  }

  // Of Σ share[d ^ mask] over d < b, the mask uniform: b is a sum of powers of two, each an aligned block of digits.
  static double varianceOfSum(const std::array<double, kCells>& share, int b) {
    if (b == 0 || b == kCells) return 0;
    std::array<double, kCells> sums{}, blocks = share;
    for (int bit = 0, size = kCells; bit < 8; ++bit, size /= 2) {
      if (b >> bit & 1) {
        const std::size_t block = static_cast<std::size_t>(b >> bit) ^ 1u;
        for (std::size_t mask = 0; mask < kCells; ++mask) sums[mask] += blocks[block ^ (mask >> bit)];
      }
      for (std::size_t i = 0; i < static_cast<std::size_t>(size) / 2; ++i)
        blocks[i] = blocks[2 * i] + blocks[2 * i + 1];
    }
    double mean = 0, square = 0;
    for (const double sum : sums) mean += sum / kCells;
    for (const double sum : sums) square += (sum - mean) * (sum - mean) / kCells;
    return square;
  }

  std::array<std::vector<Node>, kLevels> levels_;
};

double stratifiedSpread(std::uint64_t n) {
  static const Strata strata;
  double scale = 1;
  for (; n >> (8 * Strata::kLevels) != 0; n >>= 8) scale *= 4;  // 256^(1/4)
  return scale * std::sqrt(strata.variance(n));
}

double gauss(double z) {
  return 0.5 * std::erfc(-z / std::numbers::sqrt2);
}

}  // namespace

double areaWithin(double left, double bottom, double right, double top) {
  const double end = std::sqrt(std::max(1 - bottom * bottom, 0.0));  // beyond it all is below `bottom`
  if (end <= left) return 0;
  const double last = std::min(right, end);
  return areaBelow(left, last, top) - bottom * (last - left);
}

Expected expectedHits(std::uint64_t darts) {
  const long double exact = static_cast<long double>(darts) * (std::numbers::pi_v<long double> / 4);
  const long double whole = std::round(exact);
  return {static_cast<std::int64_t>(whole), static_cast<double>(exact - whole)};
}

double spreadOfHits(Method method, std::uint64_t darts) {
  constexpr double p = kHitProbability;
  const double n = static_cast<double>(darts), one = p * (1 - p);
  switch (method) {
    case Method::Independent:
      return std::sqrt(n * one);
    case Method::Antithetic:  // one or both of a pair hit: the quarters cover the square
      return std::sqrt(static_cast<double>(darts / 2) * (2 * p - 1) * (2 - 2 * p) +
                       static_cast<double>(darts % 2) * one);
    case Method::Stratified:
      return stratifiedSpread(darts);
    case Method::Sobol:
      break;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

bool spreadIsExact(Method method) {
  return method != Method::Sobol;
}

double spreadOfEstimate(Method method, std::uint64_t darts) {
  const double n = static_cast<double>(darts);
  if (method == Method::Sobol) return kSobolLaw * std::pow(n, -0.75);
  return 4 * spreadOfHits(method, darts) / n;
}

double spreadAtRecord(Method method, int record) {
  if (method != Method::Stratified) return spreadOfEstimate(method, dartsOf(record));
  static std::mutex guard;
  static std::vector<double> known;
  const std::lock_guard lock(guard);
  while (known.size() <= static_cast<std::size_t>(record)) {
    known.push_back(spreadOfEstimate(method, dartsOf(static_cast<int>(known.size()))));
  }
  return known[static_cast<std::size_t>(record)];
}

HitDistribution::HitDistribution(Method method, std::uint64_t darts)
    : mean_(static_cast<double>(darts) * kHitProbability),
      spread_(spreadOfEstimate(method, darts) * static_cast<double>(darts) / 4) {
  constexpr double kWidest = 50000, kReach = 9;
  // Trials, each a hit with probability q, beside those hits that are certain.
  const bool pairs = method == Method::Antithetic;
  if (!(pairs || method == Method::Independent) || darts == 0 || spread_ > kWidest) return;
  half_pair_ = pairs && darts % 2 == 1;
  const auto trials = static_cast<std::int64_t>(pairs ? darts / 2 : darts), certain = pairs ? trials : 0;
  const double q = pairs ? 2 * kHitProbability - 1 : kHitProbability, odds = q / (1 - q);
  const auto middle = static_cast<std::int64_t>(static_cast<double>(trials) * q);
  const auto reach = static_cast<std::int64_t>(kReach * spread_) + 10;
  const std::int64_t low = std::max<std::int64_t>(middle - reach, 0), high = std::min(middle + reach, trials);
  // From the middle to both sides by the ratio of neighbours, then made to sum to 1.
  std::vector<double> terms(static_cast<std::size_t>(high - low + 1));
  const auto at = [&](std::int64_t k) -> double& { return terms[static_cast<std::size_t>(k - low)]; };
  at(middle) = 1;
  for (std::int64_t k = middle; k < high; ++k) {
    at(k + 1) = at(k) * odds * static_cast<double>(trials - k) / static_cast<double>(k + 1);
  }
  for (std::int64_t k = middle; k > low; --k) {
    at(k - 1) = at(k) / odds * static_cast<double>(k) / static_cast<double>(trials - k + 1);
  }
  double sum = 0;
  for (double& term : terms) term = sum += term;
  for (double& term : terms) term /= sum;
  first_ = low + certain;
  cumulative_ = std::move(terms);
}

double HitDistribution::below(std::int64_t hits) const {
  if (!binomial()) return gauss((static_cast<double>(hits) - 0.5 - mean_) / spread_);
  const auto whole = [&](std::int64_t k) {
    const std::int64_t index = k - 1 - first_;
    return index < 0 ? 0 : cumulative_[std::min(static_cast<std::size_t>(index), cumulative_.size() - 1)];
  };
  if (!half_pair_) return whole(hits);
  return (1 - kHitProbability) * whole(hits) + kHitProbability * whole(hits - 1);
}

}  // namespace simscope::monte_carlo_pi
