#include "sims/monte_carlo_pi/monte_carlo_pi.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sims/compute/ranks/counting.h"
#include "sims/core/archive.h"
#include "sims/monte_carlo_pi/throw.h"

namespace simscope::monte_carlo_pi {
namespace {

constexpr double kNoValue = std::numeric_limits<double>::quiet_NaN();
constexpr int kMostBins = 96;

}  // namespace

MonteCarloPi::MonteCarloPi(compute::DevicePtr device, const ParameterSet& parameters)
    : Simulation(monte_carlo_pi::description(), std::move(device), parameters), p_(binding().read(parameters)) {
  hits_ = HitsOfChains(device_, chains());
  sums_ = compute::Buffer<Sums>(device_, kRecords);
  counts_ = compute::Buffer<std::uint32_t>(device_, kMostBins);
  std::vector<Expected> expected;
  for (int record = 0; record < kRecords; ++record) expected.push_back(expectedHits(dartsOf(record)));
  expected_ = compute::Buffer<Expected>(device_, expected);
  reset(0);
}

void MonteCarloPi::reset(std::uint64_t seed) {
  seed_ = seed, steps_ = 0, darts_ = 0;
  hits_.zero();
  sums_.zero();
}

void MonteCarloPi::change(const ParameterSet& parameters) {
  p_ = binding().read(parameters);
}

// Thrown in one go but for the records on the way.
void MonteCarloPi::step(int count) {
  const auto steps = static_cast<std::uint64_t>(std::max(count, 0));
  const std::uint64_t wanted = steps * static_cast<std::uint64_t>(p_.darts_per_step);
  const std::uint64_t until = darts_ + std::min(wanted, kMostDarts - darts_);
  while (darts_ < until) {
    const int record = recordsUpTo(darts_);
    const bool passes = record < kRecords && dartsOf(record) <= until;
    const std::uint64_t next = passes ? dartsOf(record) : until;
    compute::countOverRanks(hits_, darts_, next - darts_,
                            [&](HitsOfChains& hits, std::uint64_t first, std::uint64_t number) {
                              throwDarts({p_.method, seed_, first, first + number}, hits);
                            });
    darts_ = next;
    if (passes) writeSums(hits_, expectedHits(next).whole, sums_.data() + record);
  }
  steps_ += std::max(count, 0);
}

void MonteCarloPi::diagnostics(std::span<double> values) {
  std::fill(values.begin(), values.end(), kNoValue);
  const auto put = [&](Diagnostic which, double value) { values[static_cast<std::size_t>(which)] = value; };
  const double n = static_cast<double>(darts_), count = p_.chains;
  put(Diagnostic::Darts, n * count);
  put(Diagnostic::Hits, 0);
  put(Diagnostic::Exact, std::numbers::pi);
  if (darts_ == 0) return;
  const Expected expected = expectedHits(darts_);
  const Sums sums = sumsNow(hits_, expected.whole);
  const Reading read = readingOf(sums, expected, darts_, chains());
  put(Diagnostic::Hits, static_cast<double>(expected.whole) * count + static_cast<double>(sums.sum));
  put(Diagnostic::Estimate, std::numbers::pi + read.error);
  put(Diagnostic::Error, read.error);
  put(Diagnostic::Digits, read.error != 0 ? -std::log10(std::abs(read.error) / std::numbers::pi) : kNoValue);
  if (p_.chains > 1) put(Diagnostic::Rms, read.rms);
  if (!spreadIsExact(p_.method)) return;
  const double sigma = spread(), own = sigma / std::sqrt(count);
  put(Diagnostic::Sigma, own);
  put(Diagnostic::Z, read.error / own);
  if (p_.chains > 1) {
    put(Diagnostic::RmsExact, sigma);
    put(Diagnostic::RmsZ, (read.rms / sigma - 1) * std::sqrt(2 * count));
  }
  if (p_.chains >= 100 && p_.method != Method::Stratified) put(Diagnostic::ChiSquare, chiSquareNow());
}

std::vector<Finding> MonteCarloPi::check(std::span<const double>) const {
  if (darts_ < kMostDarts) return {};
  return {{Finding::Level::Warning, "full",
           "A chain has thrown 2^53 darts, the most that its counts can hold. No more are thrown. Reset the run."}};
}

void MonteCarloPi::visit(Archive& archive) {
  if (!archive.has("run")) archive.refuse("run", "is required: it gives the number of darts that the hits belong to");
  constexpr double kWhole = static_cast<double>(kMostDarts);
  const double thrown = static_cast<double>(archive.number("darts", darts_, {0, kWhole}));
  archive.values<double>(
      "hits", "hits of each chain", {chains()},
      [this] {
        const std::vector<std::uint64_t> hits = hits_.toHost();
        return std::vector<double>(hits.begin(), hits.end());
      },
      [this](const std::vector<double>& values) {
        hits_.upload(std::vector<std::uint64_t>(values.begin(), values.end()));
      },
      {0, thrown});
  archive.values<double>(
      "records",
      "after 10^(1 + r/20) darts, for r from 0 on: the first chain's hits; with d the hits of a chain less nπ/4, "
      "rounded,"
      " the sums over all chains of d, and of d² in two parts, a 2⁴⁰ + b",
      {kRecords, 4},
      [this] {
        std::vector<double> values;
        for (const Sums& sums : sums_.toHost()) {
          const std::uint64_t upper = (sums.squares_high << 24) | (sums.squares_low >> 40);
          const std::uint64_t lower = sums.squares_low & ((std::uint64_t{1} << 40) - 1);
          for (const std::int64_t each : {sums.first, sums.sum}) values.push_back(static_cast<double>(each));
          for (const std::uint64_t each : {upper, lower}) values.push_back(static_cast<double>(each));
        }
        return values;
      },
      [this](const std::vector<double>& values) {
        std::vector<Sums> all;
        for (std::size_t i = 0; i < values.size(); i += 4) {
          const auto upper = static_cast<std::uint64_t>(std::abs(values[i + 2]));
          const auto lower = static_cast<std::uint64_t>(std::abs(values[i + 3]));
          all.push_back({static_cast<std::int64_t>(values[i]), static_cast<std::int64_t>(values[i + 1]),
                         (upper << 40) + lower, upper >> 24});
        }
        sums_.upload(all);
      },
      {-kWhole, kWhole});
}

Throughput MonteCarloPi::throughput() const {
  // Instructions a dart: a call of Philox has 20 wide products and 19 exclusive ors; a dart is taken apart, squared,
  // summed, compared, and counted.
  const double each[] = {39.0 / 4 + 6, 39.0 / 8 + 7, 3 * 60 + 40, 50};
  const double operations = p_.inAStep() * each[static_cast<std::size_t>(p_.method)];
  Throughput thrown{"darts/s", p_.inAStep(), 0, operations, operations};
  thrown.at_once = device_->isCuda() ? 64 : 1;
  return thrown;
}

std::string MonteCarloPi::method() const {
  const bool quick = p_.method == Method::Independent || p_.method == Method::Antithetic;
  const char* const how = device_->isCuda() ? "CUDA" : quick ? supportedHitKernels().widest().name : "portable";
  return fmt::format("Philox 4x32-10 in whole numbers, {}", how);
}

double MonteCarloPi::spread() {
  if (spread_of_ != darts_) spread_ = spreadOfEstimate(p_.method, darts_), spread_of_ = darts_;
  return spread_;
}

const HitDistribution& MonteCarloPi::distribution() {
  if (!distribution_ || distribution_of_ != darts_) {
    distribution_.emplace(p_.method, darts_), distribution_of_ = darts_;
  }
  return *distribution_;
}

// About a quarter of the spread wide, and a whole number of hits; as many as reach four spreads on either side. For
// Sobol's sequence the spread of its law.
Bins MonteCarloPi::bins() {
  const double wide = std::max(spread() * static_cast<double>(darts_) / 4, 0.25);
  Bins bins;
  bins.width = std::max<std::int64_t>(std::llround(wide / 4), 1);
  const double width = static_cast<double>(bins.width);
  bins.count = std::min(2 * static_cast<int>(std::ceil(4 * wide / width)) + 1, kMostBins - 1);
  bins.first = expectedHits(darts_).whole - bins.count * bins.width / 2;
  return bins;
}

std::vector<double> MonteCarloPi::expectedIn(const Bins& bins) {
  const HitDistribution& hits = distribution();
  std::vector<double> expected;
  double before = 0;
  for (int i = 0; i < bins.count; ++i) {
    const double until = i + 1 < bins.count ? hits.below(bins.first + (i + 1) * bins.width) : 1;
    expected.push_back(p_.chains * (until - before));
    before = until;
  }
  return expected;
}

double MonteCarloPi::chiSquareNow() {
  const Bins bins = this->bins();
  countChains(hits_, bins, counts_);
  std::vector<std::uint32_t> counted(static_cast<std::size_t>(bins.count));
  device_->download(counted.data(), counts_.data(), counted.size() * sizeof(std::uint32_t));
  return chiSquare(std::vector<double>(counted.begin(), counted.end()), expectedIn(bins));
}

double chiSquare(const std::vector<double>& counts, const std::vector<double>& expected) {
  constexpr double kLeast = 8;
  double sum = 0, bins = 0, counted = 0, due = 0, rest = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) rest += expected[i];
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counted += counts[i], due += expected[i], rest -= expected[i];
    if (due < kLeast || (rest < kLeast && i + 1 < counts.size())) continue;
    sum += (counted - due) * (counted - due) / due;
    bins += 1;
    counted = due = 0;
  }
  const double free = bins - 1;
  return free > 0 ? (sum - free) / std::sqrt(2 * free) : std::numeric_limits<double>::quiet_NaN();
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<MonteCarloPi>(std::move(device), parameters);
}

}  // namespace simscope::monte_carlo_pi
