#include "sims/formula/cell_mean.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

namespace simscope::formula {
namespace {

constexpr double kSlack = 0.1;       // of a difference: so much it may lie beyond those next to it
constexpr double kRounding = 1e-12;  // of the values: no difference
constexpr int kHalvings = 24;
constexpr int kLook = 5;          // the halving after which a jump still has a quarter of the difference
constexpr std::size_t kHalo = 3;  // rows that a row's jumps depend on, on either side
constexpr std::size_t kPerCell = 24, kPerRow = 4096;  // evaluations of means, on the average over a row
constexpr int kDense = 8;  // of the twelve ways between the nine cells: with more jumps there is no wall

template <class F>
std::optional<Jump> jumpBetween(const F& f, double a, double fa, double b, double fb) {
  const double all = std::fabs(fb - fa);
  Jump jump;
  for (int i = 1; i <= kHalvings; ++i) {
    const double middle = 0.5 * (a + b), fm = f(middle);
    if (!std::isfinite(fm)) return std::nullopt;
    const bool first = std::fabs(fm - fa) >= std::fabs(fb - fm);
    (first ? b : a) = middle;
    (first ? fb : fa) = fm;
    if (i != kLook) continue;
    // Towards a pole it grows.
    if (std::fabs(fb - fa) < 0.25 * all || std::fabs(fb - fa) > 2 * all) return std::nullopt;
    jump.before = fa;
    jump.after = fb;
  }
  jump.at = 0.5 * (a + b);
  return jump;
}

// found(i, jump) for each jump between the places i and i + 1 of a line of n; value(i) is f's there.
template <class Value, class F, class Found>
void scanLine(std::span<const double> x, const Value& value, const F& f, std::size_t from, std::size_t to,
              const Found& found) {
  const auto n = static_cast<std::ptrdiff_t>(x.size());
  const auto rise = [&](std::ptrdiff_t i) {
    return value(static_cast<std::size_t>(i) + 1) - value(static_cast<std::size_t>(i));
  };
  // The difference of a smooth function lies between those that are as far to the left and to the right, or nearly.
  const auto fits = [&](std::ptrdiff_t i, std::ptrdiff_t away) {
    const bool left = i >= away, right = i + away + 1 < n;
    if (!left && !right) return false;
    const double here = rise(i), l = rise(left ? i - away : i + away), r = rise(right ? i + away : i - away);
    const double slack = kSlack * static_cast<double>(away * away) * std::fabs(here);
    return here >= std::min(l, r) - slack && here <= std::max(l, r) + slack;
  };
  for (std::size_t at = from; at + 1 < x.size() && at < to; ++at) {
    const double a = value(at), b = value(at + 1);
    if (!(std::fabs(b - a) > kRounding * std::max(std::fabs(a), std::fabs(b)))) continue;
    const auto i = static_cast<std::ptrdiff_t>(at);
    if (fits(i, 1) && fits(i, 2)) continue;
    if (const auto jump = jumpBetween(f, x[at], a, x[at + 1], b)) found(at, *jump);
  }
}

// The mean of a function with jumps. Halves are added pairwise, so that a mirrored function has the same bits.
class Averager {
 public:
  // scale: the height of the jumps.
  Averager(double scale, std::size_t& budget) : scale_(scale), budget_(budget) {}

  // By the trapezoid rule, halved where the ends differ.
  template <class F>
  double alongLine(const F& f, double a, double b, int depth) {
    constexpr int kParts = 4;
    double values[kParts + 1], sums[kParts];
    for (int i = 0; i <= kParts; ++i) values[i] = of(f, (1 - 0.25 * i) * a + 0.25 * i * b);
    for (int i = 0; i < kParts; ++i) {
      const double from = (1 - 0.25 * i) * a + 0.25 * i * b, to = (0.75 - 0.25 * i) * a + (0.25 * i + 0.25) * b;
      sums[i] = halved(f, from, values[i], to, values[i + 1], depth);
    }
    return 0.25 * ((sums[0] + sums[3]) + (sums[1] + sums[2]));
  }

  // Of what alongLine() gives, by Simpson's rule: it is smooth but for kinks, or jumps, too.
  template <class G>
  double across(const G& g, double a, double b) {
    const double ga = g(a), m = 0.5 * (a + b), gm = g(m), gb = g(b);
    return simpson(g, a, ga, m, gm, b, gb, 1);
  }

  bool finite() const { return std::isfinite(low_) && std::isfinite(high_); }
  bool enough() const { return enough_; }
  // Whether f differs within the cell by an amount beside which its slope is nothing.
  bool jumps() const { return high_ - low_ > 1e-3 * scale_; }

 private:
  template <class F>
  double of(const F& f, double x) {
    if (budget_ == 0) {
      enough_ = false;
    } else {
      --budget_;
    }
    const double value = f(x);
    if (!std::isfinite(value)) {
      low_ = -INFINITY;
    } else {
      low_ = std::min(low_, value), high_ = std::max(high_, value);
    }
    return value;
  }
  template <class F>
  double halved(const F& f, double a, double fa, double b, double fb, int depth) {
    if (depth == 0 || !enough_ || !(std::fabs(fb - fa) > 1e-2 * scale_)) return 0.5 * (fa + fb);
    const double m = 0.5 * (a + b), fm = of(f, m);
    return 0.5 * (halved(f, a, fa, m, fm, depth - 1) + halved(f, m, fm, b, fb, depth - 1));
  }
  template <class G>
  double simpson(const G& g, double a, double ga, double m, double gm, double b, double gb, double weight) {
    const double l = 0.5 * (a + m), r = 0.5 * (m + b), gl = g(l), gr = g(r);
    const double coarse = ((ga + gb) + 4 * gm) / 6;
    const double fine = 0.5 * (((ga + gm) + 4 * gl) / 6 + ((gm + gb) + 4 * gr) / 6);
    if (!enough_ || weight < 1e-3 || !(std::fabs(fine - coarse) * weight > 2e-4 * scale_)) return fine;
    return 0.5 * (simpson(g, a, ga, l, gl, m, gm, 0.5 * weight) + simpson(g, m, gm, r, gr, b, gb, 0.5 * weight));
  }

  double scale_, low_ = INFINITY, high_ = -INFINITY;
  std::size_t& budget_;
  bool enough_ = true;
};

// Puts a mean in place of a sample: not where f has no jump in the cell, is not finite, or takes too long.
template <class Mean>
void average(CellMeans& means, std::size_t at, double scale, std::size_t& budget, const Mean& mean) {
  Averager averager(scale, budget);
  const double value = mean(averager);
  if (!averager.enough()) {
    ++means.unresolved;
  } else if (averager.finite() && averager.jumps()) {
    means.replaced.push_back({at, means.values[at]});
    means.values[at] = value;
  }
}

double stepOf(std::span<const double> x) {
  return x.size() < 2 ? 0 : (x.back() - x.front()) / static_cast<double>(x.size() - 1);
}

}  // namespace

std::vector<Jump> jumpsOf(const std::function<double(double)>& f, std::span<const double> x,
                          std::span<const double> values) {
  std::vector<Jump> jumps;
  scanLine(
      x, [&](std::size_t i) { return values[i]; }, f, 0, x.size(),
      [&](std::size_t i, Jump jump) {
        jump.from = i;
        jumps.push_back(jump);
      });
  return jumps;
}

CellMeans cellMeans(const std::function<double(double)>& f, std::span<const double> x) {
  CellMeans means;
  for (const double at : x) means.values.push_back(f(at));
  means.jumps = jumpsOf(f, x, means.values);
  const double half = 0.5 * stepOf(x);
  std::size_t budget = kPerCell * x.size() + kPerRow;
  std::size_t next = 0;  // cells below have their mean
  for (const Jump& jump : means.jumps) {
    for (std::size_t i = std::max(jump.from, next); i < jump.from + 2; ++i) {
      const double scale = std::fabs(jump.after - jump.before);
      average(means, i, scale, budget,
              [&](Averager& averager) { return averager.alongLine(f, x[i] - half, x[i] + half, kHalvings - 2); });
    }
    next = jump.from + 2;
  }
  return means;
}

CellMeans cellMeans(const std::function<double(double, double)>& f, std::span<const double> x,
                    std::span<const double> y, std::size_t first, std::size_t count) {
  CellMeans means;
  const std::size_t n = x.size(), low = first > kHalo ? first - kHalo : 0,
                    high = std::min(first + count + kHalo, y.size());
  std::vector<double> samples;
  samples.reserve((high - low) * n);
  for (std::size_t j = low; j < high; ++j) {
    for (const double at : x) samples.push_back(f(at, y[j]));
  }
  const auto sample = [&](std::size_t i, std::size_t j) { return samples[(j - low) * n + i]; };
  const auto own = [&](std::size_t j) { return j >= first && j < first + count; };

  // Bits of a cell: a jump between it and the next one to the right, or above.
  enum : std::uint8_t { kRight = 1, kAbove = 2 };
  std::vector<std::uint8_t> ways(samples.size());
  const auto note = [&](std::size_t i, std::size_t j, std::uint8_t way, Jump jump) {
    ways[(j - low) * n + i] |= way;
    if (!own(j)) return;
    jump.from = (j - first) * n + i;
    jump.along_y = way == kAbove;
    means.jumps.push_back(jump);
  };
  const std::size_t below = first > 0 ? first - 1 : 0, above = std::min(first + count + 1, y.size());
  for (std::size_t j = below; j < above; ++j) {
    scanLine(
        x, [&](std::size_t i) { return sample(i, j); }, [&](double at) { return f(at, y[j]); }, 0, n,
        [&](std::size_t i, const Jump& jump) { note(i, j, kRight, jump); });
  }
  for (std::size_t i = 0; i < n; ++i) {
    scanLine(
        y, [&](std::size_t j) { return sample(i, j); }, [&](double at) { return f(x[i], at); }, below, first + count,
        [&](std::size_t j, const Jump& jump) { note(i, j, kAbove, jump); });
  }

  means.values.assign(samples.begin() + static_cast<std::ptrdiff_t>((first - low) * n),
                      samples.begin() + static_cast<std::ptrdiff_t>((first - low + count) * n));
  const double half = 0.5 * stepOf(x), half_y = 0.5 * stepOf(y);
  for (std::size_t j = first; j < first + count; ++j) {
    std::size_t budget = kPerCell * n + kPerRow;
    const std::size_t j0 = j > 0 ? j - 1 : 0, j1 = std::min(j + 1, y.size() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t i0 = i > 0 ? i - 1 : 0, i1 = std::min(i + 1, n - 1);
      int across = 0, up = 0;
      double least = INFINITY, most = -INFINITY;
      for (std::size_t b = j0; b <= j1; ++b) {
        for (std::size_t a = i0; a <= i1; ++a) {
          const std::uint8_t way = ways[(b - low) * n + a];
          across += a < i1 && (way & kRight);
          up += b < j1 && (way & kAbove);
          least = std::min(least, sample(a, b)), most = std::max(most, sample(a, b));
        }
      }
      if (across + up == 0) continue;
      if (across + up > kDense) {
        ++means.unresolved;
        continue;
      }
      constexpr int kDepth = 10;
      average(means, (j - first) * n + i, most - least, budget, [&](Averager& averager) {
        const double xa = x[i] - half, xb = x[i] + half, ya = y[j] - half_y, yb = y[j] + half_y;
        const auto byColumns = [&] {
          return averager.across(
              [&](double u) { return averager.alongLine([&](double v) { return f(u, v); }, ya, yb, kDepth); }, xa, xb);
        };
        const auto byRows = [&] {
          return averager.across(
              [&](double v) { return averager.alongLine([&](double u) { return f(u, v); }, xa, xb, kDepth); }, ya, yb);
        };
        // Along the lines that the wall crosses; both where neither is better, so that x and y count alike.
        return up > across ? byColumns() : across > up ? byRows() : 0.5 * (byColumns() + byRows());
      });
    }
  }
  return means;
}

}  // namespace simscope::formula
