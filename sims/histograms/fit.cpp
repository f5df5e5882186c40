#include "sims/histograms/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace simscope::histograms {
namespace {

enum Unknown { kResonances, kFitMass, kLogWidth, kLogStretch, kBackground, kSlope, kUnknowns };
using Point = std::array<double, kUnknowns>;
using Matrix = std::array<Point, kUnknowns>;

// Solves a symmetric positive system by Cholesky's factors; nothing where it is not positive.
std::optional<Matrix> factored(const Matrix& a, int n) {
  Matrix l{};
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = a[i][j];
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      if (i == j && !(sum > 0)) return std::nullopt;
      l[i][j] = i == j ? std::sqrt(sum) : sum / l[j][j];
    }
  }
  return l;
}
Point solved(const Matrix& l, Point b, int n) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= l[i][k] * b[k];
    b[i] /= l[i][i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) b[i] -= l[k][i] * b[k];
    b[i] /= l[i][i];
  }
  return b;
}

class Fit {
 public:
  Fit(const std::vector<double>& counts, const SpectrumModel& model, const FitStart& start, double range)
      : counts_(counts), model_(model), range_(range) {
    free_ = {kResonances, kFitMass};
    if (start.of != FitOf::Resolution) free_.push_back(kLogWidth);
    if (start.of != FitOf::Width) free_.push_back(kLogStretch);
    background_ = start.background;
    if (background_) {
      free_.push_back(kBackground);
      free_.push_back(kSlope);
    }
    at_ = {0, start.mass, std::log(start.width), 0, 0, background_ ? 1 / range : 0};
    const std::vector<double> resonance = model.resonance(start.mass, start.width, 1);
    const double share = std::accumulate(resonance.begin(), resonance.end(), 0.0);
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    at_[kResonances] = (background_ ? 0.8 : 1.0) * all / std::max(share, 1e-12);
    if (background_) {
      const std::vector<double> wide = model.background(at_[kSlope], 1);
      at_[kBackground] = 0.2 * all / std::max(std::accumulate(wide.begin(), wide.end(), 0.0), 1e-12);
    }
  }

  // False where it does not get anywhere.
  bool run() {
    constexpr int kMost = 60;
    double damping = 1e-3, cost = costOf(expectedAt(at_));
    for (int i = 0; i < kMost; ++i) {
      linearise();
      bool better = false;
      for (int attempt = 0; attempt < 12 && !better; ++attempt) {
        const auto step = stepWith(damping);
        if (!step) {
          damping *= 10;
          continue;
        }
        const Point there = moved(*step);
        const double next = costOf(expectedAt(there));
        better = next <= cost + 1e-9 * std::abs(cost) + 1e-9;
        if (better) {
          const bool done = small(*step);
          at_ = there;
          cost = next;
          damping = std::max(0.1 * damping, 1e-9);
          if (done) {
            linearise();
            return true;
          }
        } else {
          damping *= 10;
        }
      }
      if (!better) return false;
    }
    return false;
  }

  Fitted valueOf(Unknown which) const {
    const bool log = which == kLogWidth || which == kLogStretch;
    const auto k = static_cast<std::size_t>(which);
    Fitted fitted{log ? std::exp(at_[k]) : at_[k], 0};
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (free_[i] == which) fitted.error = errors_[i] * (log ? fitted.value : 1);
    }
    return fitted;
  }
  std::vector<double> expected() const { return expectedAt(at_); }
  int unknowns() const { return static_cast<int>(free_.size()); }

 private:
  std::vector<double> expectedAt(const Point& at) const {
    std::vector<double> mu = model_.resonance(at[kFitMass], std::exp(at[kLogWidth]), std::exp(at[kLogStretch]));
    for (double& each : mu) each *= at[kResonances];
    if (!background_) return mu;
    const std::vector<double> wide = model_.background(at[kSlope], std::exp(at[kLogStretch]));
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] += at[kBackground] * wide[i];
    return mu;
  }

  // -2 ln(L/L₀); infinite where a bin has events and nothing is expected there.
  double costOf(const std::vector<double>& mu) const {
    double sum = 0;
    for (std::size_t i = 0; i < mu.size(); ++i) {
      const double n = counts_[i];
      if (!(mu[i] > 0) && !(n == 0 && mu[i] == 0)) return HUGE_VAL;
      sum += 2 * (mu[i] - n + (n > 0 ? n * std::log(n / mu[i]) : 0));
    }
    return sum;
  }

  // How far an unknown is moved to see what it does.
  double probe(Unknown which) const {
    const double width = std::exp(at_[kLogWidth]);
    if (which == kFitMass) return 0.02 * std::hypot(width, 2 * range_ / static_cast<double>(counts_.size()));
    if (which == kSlope) return 0.02 / range_;
    return 0.02;
  }

  void linearise() {
    const std::vector<double> mu = expectedAt(at_);
    const std::size_t n = free_.size();
    std::vector<std::vector<double>> slopes;
    for (const Unknown which : free_) {
      const auto k = static_cast<std::size_t>(which);
      Point less = at_, more = at_;
      const bool linear = which == kResonances || which == kBackground;
      const double step = linear ? std::max(1.0, 1e-3 * std::abs(at_[k])) : probe(which);
      less[k] -= step;
      more[k] += step;
      std::vector<double> slope = expectedAt(more);
      const std::vector<double> low = expectedAt(less);
      for (std::size_t i = 0; i < slope.size(); ++i) slope[i] = (slope[i] - low[i]) / (2 * step);
      slopes.push_back(std::move(slope));
    }
    gradient_ = {};
    fisher_ = {};
    for (std::size_t bin = 0; bin < mu.size(); ++bin) {
      if (!(mu[bin] > 0)) continue;
      for (std::size_t i = 0; i < n; ++i) {
        gradient_[i] += (1 - counts_[bin] / mu[bin]) * slopes[i][bin];
        for (std::size_t j = 0; j <= i; ++j) fisher_[i][j] += slopes[i][bin] * slopes[j][bin] / mu[bin];
      }
    }
    errors_ = {};
    const auto factors = factored(fisher_, static_cast<int>(n));
    for (std::size_t i = 0; factors && i < n; ++i) {
      Point unit{};
      unit[i] = 1;
      errors_[i] = std::sqrt(solved(*factors, unit, static_cast<int>(n))[i]);
    }
  }

  std::optional<Point> stepWith(double damping) const {
    Matrix matrix = fisher_;
    const std::size_t n = free_.size();
    Point back{};
    for (std::size_t i = 0; i < n; ++i) {
      matrix[i][i] *= 1 + damping;
      back[i] = -gradient_[i];
    }
    const auto factors = factored(matrix, static_cast<int>(n));
    if (!factors) return std::nullopt;
    return solved(*factors, back, static_cast<int>(n));
  }
  Point moved(const Point& step) const {
    Point there = at_;
    for (std::size_t i = 0; i < free_.size(); ++i) {
      const Unknown which = free_[i];
      const bool log = which == kLogWidth || which == kLogStretch;
      const double most = log ? 0.5 : which == kFitMass ? 0.1 * range_ : which == kSlope ? 2 / range_ : HUGE_VAL;
      there[static_cast<std::size_t>(which)] += std::clamp(step[i], -most, most);
    }
    // A width far below the bins is as good as none, and one beyond the range no resonance.
    there[kLogWidth] = std::clamp(there[kLogWidth], std::log(1e-6 * range_), std::log(2 * range_));
    there[kLogStretch] = std::clamp(there[kLogStretch], -7.0, 3.0);
    return there;
  }
  bool small(const Point& step) const {
    for (std::size_t i = 0; i < free_.size(); ++i) {
      if (!(std::abs(step[i]) <= 1e-3 * errors_[i])) return false;
    }
    return true;
  }

  const std::vector<double>& counts_;
  const SpectrumModel& model_;
  double range_;
  bool background_ = false;
  std::vector<Unknown> free_;
  Point at_{}, gradient_{}, errors_{};
  Matrix fisher_{};
};

// Where most events are, over three bins at a time.
double peakOf(const std::vector<double>& counts, const std::vector<double>& edges) {
  std::size_t best = 1;
  double most = -1;
  for (std::size_t i = 1; i + 1 < counts.size(); ++i) {
    const double here = counts[i - 1] + counts[i] + counts[i + 1];
    if (here > most) most = here, best = i;
  }
  return 0.5 * (edges[best] + edges[best + 1]);
}

}  // namespace

double pearson(const std::vector<double>& counts, const std::vector<double>& expected, int& bins) {
  constexpr double kEnough = 5;
  double sum = 0, n = 0, mu = 0;
  bins = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    n += counts[i];
    mu += expected[i];
    if (mu < kEnough) continue;
    sum += (n - mu) * (n - mu) / mu;
    ++bins;
    n = mu = 0;
  }
  return sum;
}

FitResult fitSpectrum(const std::vector<double>& counts, const std::vector<double>& edges, const SpectrumModel& model,
                      const FitStart& start) {
  FitResult result;
  if (counts.size() < 8 || std::accumulate(counts.begin(), counts.end(), 0.0) < kFewest) return result;
  FitStart begin = start;
  begin.mass = peakOf(counts, edges);
  Fit fit(counts, model, begin, edges.back() - edges.front());
  result.good = fit.run();
  result.resonances = fit.valueOf(kResonances);
  result.mass = fit.valueOf(kFitMass);
  result.width = fit.valueOf(kLogWidth);
  result.stretch = fit.valueOf(kLogStretch);
  result.background = fit.valueOf(kBackground);
  result.slope = fit.valueOf(kSlope);
  result.expected = fit.expected();
  int bins = 0;
  result.chi2 = pearson(counts, result.expected, bins);
  result.freedom = std::max(bins - fit.unknowns(), 1);
  const bool usable = result.mass.error > 0 && std::isfinite(result.mass.error) && std::isfinite(result.chi2);
  result.good = result.good && usable;
  return result;
}

}  // namespace simscope::histograms
