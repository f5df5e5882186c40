#include "sims/formula/cell_mean.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace simscope::formula {
namespace {

constexpr double kSlack = 0.1;       // of a difference: so much it may lie beyond those next to it
constexpr double kRounding = 1e-12;  // of the values: no difference
constexpr int kHalvings = 24;
constexpr int kLook = 5;          // the halving after which a jump still has a quarter of the difference
constexpr std::size_t kHalo = 3;  // rows that a row's jumps depend on, on either side
constexpr std::size_t kPerCell = 24, kPerRow = 4096;                 // evaluations of means, on the average over a row
constexpr std::size_t kPerSuspect = 32'768, kForSuspects = 1 << 22;  // more of a cell that may jump, and of all
constexpr std::size_t kPerGap = 1000;                                // evaluations of bounds between two samples
constexpr int kDeeper = 20;       // halvings more of what may jump between equal values, before there is nothing
constexpr double kStandsOut = 4;  // times what the samples around differ by: so much a wall differs from a slope's end
constexpr int kDense = 8;         // of the twelve ways between the nine cells: with more jumps there is no wall

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

// All places where f jumps, by halving what may jump.
class JumpSearch {
 public:
  JumpSearch(const std::function<double(double)>& f, const Bounds& bounds, std::span<const double> x,
             std::span<const double> values)
      : f_(f), bounds_(bounds), x_(x), values_(values), budget_(kPerCell * x.size() + 16 * kPerGap) {}

  // Those between the samples i and j; done(i): what is to do of the interval after the sample i.
  template <class Done>
  void within(std::size_t i, std::size_t j, const Done& done) {
    const Interval line[] = {{x_[i], x_[j], false}};
    if (!bounds_.mayJump(line)) return;
    if (j - i > 1) {
      const std::size_t middle = i + (j - i) / 2;
      within(i, middle, done);
      within(middle, j, done);
      return;
    }
    found_.clear();
    left_ = std::min(kPerGap, budget_);
    budget_ -= left_;
    low_ = std::min(values_[i], values_[j]), high_ = std::max(values_[i], values_[j]);
    halve(x_[i], values_[i], x_[j], values_[j], 0);
    budget_ += left_;
    // What a continuous f changes within a leaf is nothing beside what it changes in the interval.
    std::erase_if(found_,
                  [&](const Jump& jump) { return !(std::fabs(jump.after - jump.before) > 1e-3 * (high_ - low_)); });
    done(i, found_, left_ > 0);
  }

 private:
  void halve(double a, double fa, double b, double fb, int depth) {
    const Interval line[] = {{a, b, false}};
    if (left_ == 0) return;
    --left_;
    if (depth > 0 && !bounds_.mayJump(line)) return;
    const double m = 0.5 * (a + b);
    if (depth >= kHalvings + (fa == fb ? kDeeper : 0) || !(a < m && m < b)) {
      if (std::fabs(fb - fa) > kRounding * std::max(std::fabs(fa), std::fabs(fb)))
        found_.push_back({0, false, m, fa, fb});
      return;
    }
    const double fm = f_(m);
    if (!std::isfinite(fm)) return;
    low_ = std::min(low_, fm), high_ = std::max(high_, fm);
    halve(a, fa, m, fm, depth + 1);
    halve(m, fm, b, fb, depth + 1);
  }

  const std::function<double(double)>& f_;
  const Bounds& bounds_;
  std::span<const double> x_, values_;
  std::size_t budget_, left_ = 0;
  double low_ = 0, high_ = 0;
  std::vector<Jump> found_;
};

// A line of f, and whether it may jump between two of its places; no: what is not known.
template <class F, class MayJump>
struct Line {
  F f;
  MayJump may_jump;
  double operator()(double x) const { return f(x); }
};
template <class F, class MayJump>
Line(F, MayJump) -> Line<F, MayJump>;

// The mean of a function with jumps. Halves are added pairwise, so that a mirrored function has the same bits.
class Averager {
 public:
  // scale: the height of the jumps; 0: not known, so that what may jump is all that is halved. known: whether it is
  // known what may jump.
  Averager(double scale, std::size_t& budget, bool known) : scale_(scale), budget_(budget), known_(known) {}

  // By the trapezoid rule, halved where the ends differ, or where it may jump between them.
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

  // Whether f jumps along a line, and its mean there.
  template <class F>
  bool jumpsAlong(const F& f, double a, double b, int depth, double& mean) {
    const bool before = std::exchange(steep_, false);
    mean = alongLine(f, a, b, depth);
    const bool jumps = steep_;
    steep_ = before || steep_;
    return jumps;
  }

  bool finite() const { return std::isfinite(low_) && std::isfinite(high_); }
  bool enough() const { return enough_; }
  // Whether f differs within the cell by an amount beside which its slope is nothing.
  bool jumps() const { return high_ - low_ > 1e-3 * scale_; }
  // Since this was asked last: whether a shortest piece may still jump.
  bool met() { return std::exchange(met_, false); }
  double range() const { return high_ - low_; }
  // Whether it differs by so much within the shortest pieces.
  bool steep() const { return steep_; }

 private:
  double scale() const { return scale_ > 0 ? scale_ : high_ - low_; }
  bool spent() {
    if (budget_ == 0) {
      enough_ = false;
    } else {
      --budget_;
    }
    return true;
  }
  template <class F>
  double of(const F& f, double x) {
    spent();
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
    const bool differ = std::fabs(fb - fa) > 1e-2 * scale();
    if (depth <= 0) met_ = true;
    if (differ && depth <= 0) steep_ = true;
    if (!enough_ || depth <= (differ ? 0 : -kDeeper)) return 0.5 * (fa + fb);
    if (!(differ && scale_ > 0) && !(known_ && spent() && f.may_jump(a, b))) return 0.5 * (fa + fb);
    const double m = 0.5 * (a + b), fm = of(f, m);
    return 0.5 * (halved(f, a, fa, m, fm, depth - 1) + halved(f, m, fm, b, fb, depth - 1));
  }
  template <class G>
  double simpson(const G& g, double a, double ga, double m, double gm, double b, double gb, double weight) {
    const double l = 0.5 * (a + m), r = 0.5 * (m + b), gl = g(l), gr = g(r);
    const double coarse = ((ga + gb) + 4 * gm) / 6;
    const double fine = 0.5 * (((ga + gm) + 4 * gl) / 6 + ((gm + gb) + 4 * gr) / 6);
    if (!enough_ || weight < 1e-3 || !(std::fabs(fine - coarse) * weight > 2e-4 * scale())) return fine;
    return 0.5 * (simpson(g, a, ga, l, gl, m, gm, 0.5 * weight) + simpson(g, m, gm, r, gr, b, gb, 0.5 * weight));
  }

  double scale_, low_ = INFINITY, high_ = -INFINITY;
  std::size_t& budget_;
  bool known_, enough_ = true, steep_ = false, met_ = false;
};

// The mean over a rectangle of the plane, along lines that cross its walls: f(u, v), may(u0, u1, v0, v1).
template <class F, class May>
class PlaneMean {
 public:
  PlaneMean(Averager& averager, const F& f, const May& may, int depth)
      : averager_(averager), f_(f), may_(may), depth_(depth) {}

  double byColumns(double xa, double xb, double ya, double yb) const {
    return averager_.across([&](double u) { return averager_.alongLine(column(u), ya, yb, depth_); }, xa, xb);
  }
  double byRows(double xa, double xb, double ya, double yb) const {
    return averager_.across([&](double v) { return averager_.alongLine(row(v), xa, xb, depth_); }, ya, yb);
  }

  // Where samples do not say how the walls stand: along the lines that all find one; else in quarters, so that what
  // is small in both directions is found, too.
  double inQuarters(double xa, double xb, double ya, double yb, int depth) const {
    if (!may_(xa, xb, ya, yb)) return cornerMean(xa, xb, ya, yb);
    constexpr int kTried = 3;  // the sides and the middle
    int up = 0, across = 0;
    double means[2][kTried] = {};
    averager_.met();
    const auto equal = [](const double* m) { return m[0] == m[1] && m[1] == m[2]; };
    for (int k = 0; k < kTried; ++k) {
      up += averager_.jumpsAlong(column((1 - 0.5 * k) * xa + 0.5 * k * xb), ya, yb, depth_, means[0][k]);
    }
    if (up == kTried && equal(means[0])) return means[0][0];  // a wall along x
    for (int k = 0; k < kTried; ++k) {
      across += averager_.jumpsAlong(row((1 - 0.5 * k) * ya + 0.5 * k * yb), xa, xb, depth_, means[1][k]);
    }
    if (across == kTried && equal(means[1])) return means[1][0];
    if (up + across == 0 && averager_.met()) return cornerMean(xa, xb, ya, yb);  // a kink
    if (up == kTried && across == kTried) return 0.5 * (byColumns(xa, xb, ya, yb) + byRows(xa, xb, ya, yb));
    if (up == kTried) return byColumns(xa, xb, ya, yb);
    if (across == kTried) return byRows(xa, xb, ya, yb);
    if (depth == 0) return 0.5 * (byColumns(xa, xb, ya, yb) + byRows(xa, xb, ya, yb));
    const double x = 0.5 * (xa + xb), y = 0.5 * (ya + yb);
    const double a = inQuarters(xa, x, ya, y, depth - 1), b = inQuarters(x, xb, ya, y, depth - 1);
    const double c = inQuarters(xa, x, y, yb, depth - 1), d = inQuarters(x, xb, y, yb, depth - 1);
    return 0.25 * ((a + d) + (b + c));
  }

 private:
  auto column(double u) const {
    return Line{[this, u](double v) { return f_(u, v); }, [this, u](double a, double b) { return may_(u, u, a, b); }};
  }
  auto row(double v) const {
    return Line{[this, v](double u) { return f_(u, v); }, [this, v](double a, double b) { return may_(a, b, v, v); }};
  }
  double cornerMean(double xa, double xb, double ya, double yb) const {
    return 0.25 * ((f_(xa, ya) + f_(xb, yb)) + (f_(xb, ya) + f_(xa, yb)));
  }

  Averager& averager_;
  const F& f_;
  const May& may_;
  int depth_;  // of halvings
};

// Puts a mean in place of a sample: not where f has no jump in the cell, is not finite, or takes too long.
template <class Mean>
void average(CellMeans& means, std::size_t at, double scale, std::size_t& budget, bool known, const Mean& mean,
             bool thin = false, double spread = 0) {
  Averager averager(scale, budget, known);
  const double value = mean(averager);
  if (!averager.enough()) {
    ++means.unresolved;
  } else if (averager.finite() && averager.jumps() && (!thin || averager.steep())) {
    if (thin) {
      const double share = std::fabs(value - means.values[at]) / averager.range();
      if (averager.range() > kStandsOut * spread) means.thin_share = std::max(means.thin_share, share);
    } else {
      means.replaced.push_back({at, means.values[at]});
    }
    means.values[at] = value;
  }
}

double stepOf(std::span<const double> x) {
  return x.size() < 2 ? 0 : (x.back() - x.front()) / static_cast<double>(x.size() - 1);
}

}  // namespace

std::vector<Jump> jumpsOf(const std::function<double(double)>& f, std::span<const double> x,
                          std::span<const double> values, const Bounds* bounds, std::size_t* unresolved) {
  std::vector<Jump> jumps;
  std::vector<char> known(x.size());  // whose jumps are those of the bounds
  if (bounds && bounds->hasSteps() && x.size() > 1) {
    JumpSearch(f, *bounds, x, values)
        .within(0, x.size() - 1, [&](std::size_t i, const std::vector<Jump>& found, bool all) {
          if (!all && unresolved) ++*unresolved;
          if (!all || found.empty()) return;
          known[i] = 1;
          for (Jump jump : found) {
            jump.from = i;
            jumps.push_back(jump);
          }
        });
  }
  const std::size_t exact = jumps.size();
  scanLine(
      x, [&](std::size_t i) { return values[i]; }, f, 0, x.size(),
      [&](std::size_t i, Jump jump) {
        if (known[i]) return;
        jump.from = i;
        jumps.push_back(jump);
      });
  std::inplace_merge(jumps.begin(), jumps.begin() + static_cast<std::ptrdiff_t>(exact), jumps.end(),
                     [](const Jump& a, const Jump& b) { return a.from < b.from; });
  return jumps;
}

CellMeans cellMeans(const std::function<double(double)>& f, std::span<const double> x, const Bounds* bounds) {
  CellMeans means;
  for (const double at : x) means.values.push_back(f(at));
  means.jumps = jumpsOf(f, x, means.values, bounds, &means.unresolved);
  const auto may = [bounds](double a, double b) {
    const Interval line[] = {{a, b, false}};
    return bounds && bounds->mayJump(line);
  };
  const double half = 0.5 * stepOf(x);
  std::size_t budget = kPerCell * x.size() + kPerRow;
  std::size_t next = 0;  // cells below have their mean
  for (const Jump& jump : means.jumps) {
    for (std::size_t i = std::max(jump.from, next); i < jump.from + 2; ++i) {
      const double scale = std::fabs(jump.after - jump.before);
      average(means, i, scale, budget, bounds, [&](Averager& averager) {
        return averager.alongLine(Line{std::cref(f), may}, x[i] - half, x[i] + half, kHalvings - 2);
      });
    }
    next = jump.from + 2;
  }
  return means;
}

Suspects::Suspects(const Bounds& of, std::span<const double> x, std::span<const double> y) : bounds(of) {
  const std::size_t n = x.size();
  if (!bounds.hasSteps() || n == 0 || y.empty()) return;
  cells.resize(n * y.size());
  const double half = 0.5 * stepOf(x), half_y = 0.5 * stepOf(y);
  const auto mark = [&](const auto& self, std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) -> void {
    const Interval box[] = {{x[i0] - half, x[i1] + half, false}, {y[j0] - half_y, y[j1] + half_y, false}};
    if (!bounds.mayJump(box)) return;
    if (i0 == i1 && j0 == j1) {
      cells[j0 * n + i0] = 1;
      ++count;
    } else if (i1 - i0 > j1 - j0) {
      const std::size_t middle = i0 + (i1 - i0) / 2;
      self(self, i0, middle, j0, j1), self(self, middle + 1, i1, j0, j1);
    } else {
      const std::size_t middle = j0 + (j1 - j0) / 2;
      self(self, i0, i1, j0, middle), self(self, i0, i1, middle + 1, j1);
    }
  };
  mark(mark, 0, n - 1, 0, y.size() - 1);
}

CellMeans cellMeans(const std::function<double(double, double)>& f, std::span<const double> x,
                    std::span<const double> y, std::size_t first, std::size_t count, const Suspects* suspects) {
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
  const auto may = [suspects](double xa, double xb, double ya, double yb) {
    const Interval box[] = {{xa, xb, false}, {ya, yb, false}};
    return suspects && suspects->bounds.mayJump(box);
  };
  const bool known = suspects && !suspects->cells.empty();
  const auto may_jump = [&](std::size_t i, std::size_t j) { return known && suspects->cells[j * n + i]; };

  for (std::size_t j = first; j < first + count; ++j) {
    std::size_t budget = kPerCell * n + kPerRow;
    if (known && suspects->count > 0) {
      const auto row = suspects->cells.begin() + static_cast<std::ptrdiff_t>(j * n);
      const auto here = static_cast<std::size_t>(std::count(row, row + static_cast<std::ptrdiff_t>(n), 1));
      budget += here * std::min(kPerSuspect, kForSuspects / suspects->count);
    }
    const std::size_t j0 = j > 0 ? j - 1 : 0, j1 = std::min(j + 1, y.size() - 1);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t i0 = i > 0 ? i - 1 : 0, i1 = std::min(i + 1, n - 1);
      int across = 0, up = 0;
      double least = INFINITY, most = -INFINITY;
      bool beside = false;
      for (std::size_t b = j0; b <= j1; ++b) {
        for (std::size_t a = i0; a <= i1; ++a) {
          const std::uint8_t way = ways[(b - low) * n + a];
          across += a < i1 && (way & kRight);
          up += b < j1 && (way & kAbove);
          least = std::min(least, sample(a, b)), most = std::max(most, sample(a, b));
          beside = beside || may_jump(a, b);
        }
      }
      const bool here = may_jump(i, j);
      // The jumps that are seen are those of cells beside this one.
      if (across + up == 0 ? !here : beside && !here) continue;
      if (across + up > kDense) {
        ++means.unresolved;
        continue;
      }
      const bool thin = across + up == 0;
      average(
          means, (j - first) * n + i, thin ? 0 : most - least, budget, known,
          [&](Averager& averager) {
            const double xa = x[i] - half, xb = x[i] + half, ya = y[j] - half_y, yb = y[j] + half_y;
            constexpr int kHalved = 10, kHalvedThin = 14;  // the latter tells a jump from a root's kink
            const PlaneMean plane(averager, f, may, thin ? kHalvedThin : kHalved);
            constexpr int kQuartered = 2;
            if (thin) return plane.inQuarters(xa, xb, ya, yb, kQuartered);
            // Along the lines that the wall crosses; both where neither is better, so that x and y count alike.
            if (up > across) return plane.byColumns(xa, xb, ya, yb);
            if (across > up) return plane.byRows(xa, xb, ya, yb);
            return 0.5 * (plane.byColumns(xa, xb, ya, yb) + plane.byRows(xa, xb, ya, yb));
          },
          thin, most - least);
    }
  }
  return means;
}

}  // namespace simscope::formula
