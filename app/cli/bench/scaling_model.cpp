#include "app/cli/bench/scaling_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sims/core/registry.h"

namespace simscope::cli {
namespace {

constexpr std::size_t kCosts = 3;  // start, time of a unit of work, share

struct Equation {
  std::array<double, kCosts> a{};  // of the costs
  double b = 0;
};

// The costs of a set (a bit for each) that minimise the sum of squares; nullopt if they are not determined.
std::optional<std::array<double, kCosts>> solved(const std::vector<Equation>& equations, unsigned set) {
  std::array<std::array<double, kCosts + 1>, kCosts> m{};
  for (std::size_t i = 0; i < kCosts; ++i) {
    if (!(set >> i & 1)) {
      m[i][i] = 1;
      continue;
    }
    for (const Equation& each : equations) {
      for (std::size_t k = 0; k < kCosts; ++k) m[i][k] += set >> k & 1 ? each.a[i] * each.a[k] : 0;
      m[i][kCosts] += each.a[i] * each.b;
    }
  }
  for (std::size_t column = 0; column < kCosts; ++column) {
    const double before = std::abs(m[column][column]);
    std::size_t pivot = column;
    for (std::size_t row = column; row < kCosts; ++row) {
      if (std::abs(m[row][column]) > std::abs(m[pivot][column])) pivot = row;
    }
    std::swap(m[column], m[pivot]);
    if (!(std::abs(m[column][column]) > 1e-12 * std::max(before, 1e-300))) return std::nullopt;
    for (std::size_t row = 0; row < kCosts; ++row) {
      if (row == column) continue;
      const double factor = m[row][column] / m[column][column];
      for (std::size_t k = column; k <= kCosts; ++k) m[row][k] -= factor * m[column][k];
    }
  }
  std::array<double, kCosts> costs{};
  for (std::size_t i = 0; i < kCosts; ++i) costs[i] = m[i][kCosts] / m[i][i];
  return costs;
}

double squaresOf(const std::vector<Equation>& equations, const std::array<double, kCosts>& costs) {
  double sum = 0;
  for (const Equation& each : equations) {
    double residual = -each.b;
    for (std::size_t i = 0; i < kCosts; ++i) residual += each.a[i] * costs[i];
    sum += residual * residual;
  }
  return sum;
}

// The best set without a negative cost; every set contains the time of a unit of work.
std::array<double, kCosts> leastSquares(const std::vector<Equation>& equations) {
  std::array<double, kCosts> best{};
  double least = std::numeric_limits<double>::infinity();
  for (const unsigned set : {2u, 3u, 6u, 7u}) {
    const auto costs = solved(equations, set);
    if (!costs || std::any_of(costs->begin(), costs->end(), [](double each) { return !(each >= 0); })) continue;
    const double squares = squaresOf(equations, *costs);
    // Another cost must reduce the error by more than rounding.
    if (squares < least * (1 - 1e-9) && (*costs)[1] > 0) best = *costs, least = squares;
  }
  return best;
}

double shown(double link, double computing, double hidden) {
  return (1 - hidden) * link + std::max(0.0, hidden * link - computing);
}

}  // namespace

std::vector<std::vector<ScalingPoint>> seriesOf(const std::vector<ScalingSet>& sets) {
  std::vector<std::vector<ScalingPoint>> all;
  for (const ScalingSet& set : sets) {
    for (const ScalingPoint& point : set.points) {
      const auto same = std::find_if(all.begin(), all.end(), [&](const std::vector<ScalingPoint>& each) {
        return each.front().simulation == point.simulation && each.front().series == point.series;
      });
      (same == all.end() ? all.emplace_back() : *same).push_back(point);
    }
  }
  return all;
}

Pattern patternOf(std::span<const ScalingPoint> series) {
  switch (simulationById(series.front().simulation).decomposition.kind) {
    case Decomposition::Bodies:
      return Pattern::Gather;
    case Decomposition::Samples:
    case Decomposition::None:
      return Pattern::Counts;
    case Decomposition::Slabs:
      break;
  }
  const ScalingPoint *least = nullptr, *most = nullptr;
  for (const ScalingPoint& each : series) {
    if (each.ranks < 2 || each.bytes <= 0) continue;
    if (most && each.ranks != most->ranks) continue;
    if (!least || each.size < least->size) least = &each;
    if (!most || each.size > most->size) most = &each;
  }
  if (!least || least->size == most->size) return Pattern::Halo;
  const double power = std::log(most->bytes / least->bytes) /
                       std::log(static_cast<double>(most->size) / static_cast<double>(least->size));
  return power > 1.5 ? Pattern::Transpose : Pattern::Halo;
}

ScalingModel::ScalingModel(std::vector<ScalingPoint> points, const LinkMeasurement& link)
    : points_(std::move(points)), latency_(link.latency()), bandwidth_(link.bandwidth()) {
  const ScalingPoint *least = nullptr, *most = nullptr;
  for (const ScalingPoint& each : points_) {
    if (!least || each.size < least->size) least = &each;
    if (!most || each.size > most->size) most = &each;
    if (each.ranks > 1 && (!divided_ || each.size > divided_->size)) divided_ = &each;
  }
  const bool alone = std::any_of(points_.begin(), points_.end(), [](const ScalingPoint& p) { return p.ranks == 1; });
  if (!alone || !divided_) {
    throw UsageError(fmt::format("{}: a model needs points of one device and of several devices; no points of {}",
                                 points_.empty() ? "?" : points_.front().simulation, alone ? "several" : "one"));
  }
  if (!(bandwidth_ > 0)) throw UsageError("a model needs the time of the link, which was not measured");
  if (least->size < most->size) {
    work_power_ = std::log(most->work / least->work) /
                  std::log(static_cast<double>(most->size) / static_cast<double>(least->size));
  } else {
    work_power_ = divided_->work > 2.0 * static_cast<double>(divided_->size) ? 2 : 1;
  }
  pattern_ = patternOf(points_);
  fit();
}

double ScalingModel::workOf(std::int64_t size) const {
  return divided_->work * std::pow(static_cast<double>(size) / static_cast<double>(divided_->size), work_power_);
}

std::int64_t ScalingModel::sizeFor(std::int64_t size, double times) const {
  return std::llround(static_cast<double>(size) * std::pow(times, 1 / work_power_));
}

ScalingPoint ScalingModel::countsAt(std::int64_t size, int ranks) const {
  ScalingPoint counts = *divided_;
  const double p = ranks, p0 = divided_->ranks;
  const double grown = static_cast<double>(size) / static_cast<double>(divided_->size);
  switch (pattern_) {
    case Pattern::Halo: {
      // Two ranks without joined edges have one neighbour, those between others have two.
      const double measured =
          std::clamp(std::round(divided_->messages / std::max(divided_->exchanges, 1e-9)), 1.0, 2.0);
      const double now = (ranks > 2 ? 2 : measured) / measured;
      counts.messages *= now;
      counts.bytes *= now * grown;
      break;
    }
    case Pattern::Transpose:
      counts.messages *= (p - 1) / (p0 - 1);
      counts.bytes *= grown * grown * (p - 1) / (p * p) / ((p0 - 1) / (p0 * p0));
      break;
    case Pattern::Gather:
      counts.messages *= (p - 1) / (p0 - 1);
      counts.bytes *= grown * (p - 1) / p / ((p0 - 1) / p0);
      break;
    case Pattern::Counts:
      break;
  }
  return counts;
}

double ScalingModel::linkSeconds(const ScalingPoint& counts, int ranks, const Network& network) const {
  if (ranks < 2) return 0;
  const double rounds = std::ceil(std::log2(static_cast<double>(ranks)));
  const auto seconds = [&](double latency, double bandwidth, double messages, double bytes) {
    return (messages + counts.collectives * rounds) * latency + bytes / bandwidth;
  };
  if (network.devices == 0 || ranks <= network.devices) {
    return seconds(latency_, bandwidth_, counts.messages, counts.bytes);
  }
  // A halo has one neighbour on another machine; other patterns have all devices that are not on this machine. Both
  // links work at the same time.
  const bool halo = pattern_ == Pattern::Halo;
  const double beyond = halo ? 0.5 : (static_cast<double>(ranks) - network.devices) / (ranks - 1.0);
  return std::max(seconds(latency_, bandwidth_, counts.messages * (1 - beyond), counts.bytes * (1 - beyond)),
                  seconds(network.latency, network.bandwidth, counts.messages * beyond, counts.bytes * beyond));
}

void ScalingModel::fit() {
  double least = std::numeric_limits<double>::infinity();
  constexpr int kTries = 50, kRounds = 4;
  for (int attempt = 0; attempt <= kTries; ++attempt) {
    const double hidden = static_cast<double>(attempt) / kTries;
    // The hidden part of the link depends on the rate that is fitted: fit again with the result.
    std::array<double, kCosts> costs{};
    for (const ScalingPoint& each : points_) {
      if (each.ranks == 1) costs[1] = std::max(costs[1], each.seconds / each.work);
    }
    std::vector<Equation> equations;
    for (int round = 0; round < kRounds; ++round) {
      equations.clear();
      for (const ScalingPoint& each : points_) {
        const double work = each.work / each.ranks, t = each.seconds;
        const double link = shown(linkSeconds(each, each.ranks, {}), work * costs[1], hidden);
        equations.push_back({{1 / t, work / t, each.ranks > 1 ? 1 / t : 0}, (t - link) / t});
      }
      const auto found = leastSquares(equations);
      if (!(found[1] > 0)) break;
      costs = found;
    }
    if (!(costs[1] > 0)) continue;
    double squares = 0;
    for (const ScalingPoint& each : points_) {
      const double work = each.work / each.ranks * costs[1];
      const double model =
          costs[0] + work + (each.ranks > 1 ? costs[2] : 0) + shown(linkSeconds(each, each.ranks, {}), work, hidden);
      squares += std::pow(model / each.seconds - 1, 2);
    }
    if (squares < least * (1 - 1e-6)) {
      least = squares;
      start_ = costs[0], rate_ = 1 / costs[1], share_ = costs[2], hidden_ = hidden;
    }
  }
  residuals_.clear();
  for (const ScalingPoint& each : points_) {
    const double work = each.work / each.ranks / rate_;
    const double link = shown(linkSeconds(each, each.ranks, {}), work, hidden_);
    residuals_.push_back({each, start_ + work + (each.ranks > 1 ? share_ : 0) + link});
  }
  const std::size_t parameters =
      1 + (start_ > 0 ? 1u : 0u) + (share_ > 0 ? 1u : 0u) + (hidden_ > 0 && hidden_ < 1 ? 1u : 0u);
  judged_ = points_.size() > parameters;
}

double ScalingModel::worstResidual() const {
  double worst = 0;
  for (const Residual& each : residuals_) worst = std::max(worst, std::abs(each.relative()));
  return worst;
}

Estimate ScalingModel::at(std::int64_t size, int ranks, const Network& network) const {
  Estimate estimate;
  estimate.computing = workOf(size) / ranks / rate_;
  if (ranks > 1) {
    estimate.link = shown(linkSeconds(countsAt(size, ranks), ranks, network), estimate.computing, hidden_);
  }
  estimate.seconds = start_ + estimate.computing + (ranks > 1 ? share_ : 0) + estimate.link;
  return estimate;
}

}  // namespace simscope::cli
