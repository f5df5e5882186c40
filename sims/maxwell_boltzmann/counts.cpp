#include "sims/maxwell_boltzmann/counts.h"

#include <array>

namespace simscope::maxwell_boltzmann {
namespace {

constexpr int kTerms = 5;
using Coefficients = std::array<double, kTerms>;

// Of the normal equations, by elimination with pivots.
Coefficients solved(std::array<std::array<double, kTerms + 1>, kTerms> rows) {
  for (int k = 0; k < kTerms; ++k) {
    int pivot = k;
    for (int i = k + 1; i < kTerms; ++i) {
      if (std::abs(rows[i][k]) > std::abs(rows[pivot][k])) pivot = i;
    }
    std::swap(rows[k], rows[pivot]);
    for (int i = k + 1; i < kTerms; ++i) {
      const double share = rows[i][k] / rows[k][k];
      for (int j = k; j <= kTerms; ++j) rows[i][j] -= share * rows[k][j];
    }
  }
  Coefficients c{};
  for (int k = kTerms - 1; k >= 0; --k) {
    double sum = rows[k][kTerms];
    for (int j = k + 1; j < kTerms; ++j) sum -= rows[k][j] * c[j];
    c[k] = sum / rows[k][k];
  }
  return c;
}

}  // namespace

Bins binsOf(const Parameters& p, double sigma) {
  const int bins = binsFor(p.molecules);
  const double across = bins * sigma / p.speed_axis;
  return {static_cast<float>(across / 2), static_cast<float>(bins / 2 + 1), static_cast<float>(across), bins};
}

Histogram::Histogram(std::span<const std::uint64_t> counts, int histogram, int bins, double low, double high)
    : bins_(bins), low_(low), width_((high - low) / bins), shares_(static_cast<std::size_t>(bins) + 2) {
  const auto own = counts.subspan(static_cast<std::size_t>(histogram * kPlaces), shares_.size());
  for (const std::uint64_t count : own) total_ += static_cast<double>(count);
  for (std::size_t i = 0; i < own.size(); ++i) shares_[i] = total_ > 0 ? static_cast<double>(own[i]) / total_ : 0;
}

double Histogram::top() const {
  // Roughly, by the middle of all that is more than half as high as the highest of some neighbours' means.
  const auto mean = [&](int i) {
    double sum = 0;
    for (int k = std::max(1, i - 3); k <= std::min(bins_, i + 3); ++k) sum += shares_[static_cast<std::size_t>(k)];
    return sum / 7;
  };
  double highest = 0, weight = 0, middle = 0;
  for (int i = 1; i <= bins_; ++i) highest = std::max(highest, mean(i));
  for (int i = 1; i <= bins_; ++i) {
    if (mean(i) <= highest / 2) continue;
    weight += mean(i);
    middle += mean(i) * (i - 0.5);
  }
  if (!(highest > 0)) return std::nan("");
  middle /= weight;
  // Wide enough for some bins, and no wider, for no polynomial is right far from the top.
  const double share = std::max(0.35, std::min(0.5, 6 / middle));
  const int from = std::max(1, static_cast<int>((1 - share) * middle) + 1);
  const int to = std::min(bins_, static_cast<int>((1 + share) * middle));
  if (to - from < 2 * kTerms - 2) return std::nan("");
  const double half = 0.5 * (to - from), centre = 0.5 * (from + to);
  std::array<std::array<double, kTerms + 1>, kTerms> rows{};
  for (int i = from; i <= to; ++i) {
    std::array<double, 2 * kTerms> powers{1};
    for (std::size_t k = 1; k < powers.size(); ++k) powers[k] = powers[k - 1] * (i - centre) / half;
    for (std::size_t k = 0; k < kTerms; ++k) {
      for (std::size_t j = 0; j < kTerms; ++j) rows[k][j] += powers[k + j];
      rows[k][kTerms] += powers[k] * shares_[static_cast<std::size_t>(i)];
    }
  }
  const Coefficients c = solved(rows);
  const auto height = [&](double t) { return (((c[4] * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0]; };
  constexpr int kPoints = 1600;  // the ends of the polynomial are left out: nothing holds it there
  double best = 0;
  for (int i = -kPoints; i <= kPoints; ++i) {
    const double t = 0.8 * i / kPoints;
    if (height(t) > height(best)) best = t;
  }
  return low_ + width_ * (centre + best * half - 0.5);
}

}  // namespace simscope::maxwell_boltzmann
