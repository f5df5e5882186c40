#include "sims/tunneling/resonant_integral.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace simscope::tunneling {
namespace {

constexpr std::size_t kTerms = 17;
using Series = std::array<std::complex<double>, kTerms>;

// Chebyshev's points, and the matrices from values there to coefficients of T_m, and from those to powers.
struct Chebyshev {
  std::array<double, kTerms> place;
  std::array<std::array<double, kTerms>, kTerms> coefficient{}, power{};

  Chebyshev() {
    const double n = kTerms, pi = std::acos(-1.0);
    for (std::size_t j = 0; j < kTerms; ++j) {
      const double angle = (static_cast<double>(j) + 0.5) * pi / n;
      place[j] = std::cos(angle);
      for (std::size_t m = 0; m < kTerms; ++m) {
        coefficient[m][j] = (m ? 2.0 : 1.0) / n * std::cos(static_cast<double>(m) * angle);
      }
    }
    power[0][0] = power[1][1] = 1.0;
    for (std::size_t m = 2; m < kTerms; ++m) {
      for (std::size_t j = 0; j < kTerms; ++j) {
        power[m][j] = (j > 0 ? 2.0 * power[m - 1][j - 1] : 0.0) - power[m - 2][j];
      }
    }
  }
};
const Chebyshev& chebyshev() {
  static const Chebyshev table;
  return table;
}

struct GaussPoint {
  double place, weight;
};
constexpr GaussPoint kGauss[] = {{0.1252334085114689, 0.2491470458134028}, {0.3678314989981802, 0.2334925365383548},
                                 {0.5873179542866175, 0.2031674267230659}, {0.7699026741943047, 0.1600783285433462},
                                 {0.9041172563704749, 0.1069393259953184}, {0.9815606342467193, 0.0471753363865118}};

// Σ a_j t^j as a series in (t - middle)/r.
Series about(Series a, double middle, double r) {
  for (std::size_t i = 0; i + 1 < kTerms; ++i) {
    for (std::size_t j = kTerms - 1; j-- > i;) a[j] += middle * a[j + 1];
  }
  double scale = 1.0;
  for (std::complex<double>& each : a) {
    each *= scale;
    scale *= r;
  }
  return a;
}

// Whether b has no zero within 2 of its middle.
bool clear(const Series& b) {
  const double first = std::abs(b[0]);
  if (!(std::abs(b[1]) <= 2.0 * first) || first == 0.0) return false;
  const std::complex<double> turn = -b[1] / b[0];
  Series growth;  // of exp(turn·t)
  growth[0] = 1.0;
  for (std::size_t j = 1; j < kTerms; ++j) growth[j] = growth[j - 1] * turn / static_cast<double>(j);
  double others = 0.0, reach = 2.0;
  for (std::size_t j = 2; j < kTerms && others < first; ++j) {
    std::complex<double> sum = 0.0;
    for (std::size_t i = 0; i <= j; ++i) sum += b[i] * growth[j - i];
    reach *= 2.0;
    others += reach * std::abs(sum);
  }
  return others < 0.8 * first;
}

std::complex<double> at(const Series& b, double t) {
  std::complex<double> sum = b[kTerms - 1];
  for (std::size_t j = kTerms - 1; j-- > 0;) sum = sum * t + b[j];
  return sum;
}

class Integrator {
 public:
  explicit Integrator(const ResonantIntegrand& f) : f_(f), enough_(std::fmax(1e-12, f.noise)) {}

  // `depth`: how often the first panel has been divided.
  void panel(double from, double to, int depth = 0) {
    constexpr int kDeepest = 20;
    calls_ += kTerms;
    if (f_.most > 0 && calls_ > f_.most) integral_.whole = false;
    if (!integral_.whole) return;
    middle_ = 0.5 * (from + to);
    half_ = 0.5 * (to - from);
    std::array<Crossed, kTerms> read;
    for (std::size_t j = 0; j < kTerms; ++j) read[j] = f_.crossed(middle_ + half_ * chebyshev().place[j]);
    scale_ = read[0].scale;
    for (const Crossed& each : read) scale_ = std::fmax(scale_, each.scale);
    for (Crossed& each : read) {
      const double size = std::exp(each.scale - scale_);
      each.under *= size;
      each.back *= size;
    }
    const bool under_resolved = series(read, &Crossed::under, under_);
    const bool back_resolved = series(read, &Crossed::back, back_);
    if (!(under_resolved && back_resolved) && depth < kDeepest) {
      const double middle = middle_;
      panel(from, middle, depth + 1);
      panel(middle, to, depth + 1);
    } else {
      part(0.0, 1.0);
    }
  }

  ResonantIntegral result() const { return integral_; }

 private:
  // Returns whether the last terms have died away.
  bool series(const std::array<Crossed, kTerms>& read, std::complex<double> Crossed::*which, Series& powers) const {
    const Chebyshev& table = chebyshev();
    powers = {};
    double most = 0.0, last = 0.0;
    for (std::size_t m = 0; m < kTerms; ++m) {
      std::complex<double> sum = 0.0;
      for (std::size_t j = 0; j < kTerms; ++j) sum += table.coefficient[m][j] * (read[j].*which);
      most = std::fmax(most, std::abs(sum));
      if (m + 3 >= kTerms) last = std::fmax(last, std::abs(sum));
      for (std::size_t j = m % 2; j <= m; j += 2) powers[j] += table.power[m][j] * sum;
    }
    return last <= enough_ * most;
  }

  // Of the panel, which is from -1 to 1.
  void part(double middle, double r) {
    constexpr double kShortest = 1e-14;
    const Series under = about(under_, middle, r);
    if (2.0 * r * half_ > f_.smooth || (r > kShortest && !clear(under))) {
      part(middle - 0.5 * r, 0.5 * r);
      part(middle + 0.5 * r, 0.5 * r);
      return;
    }
    const Series back = about(back_, middle, r);
    for (const GaussPoint& point : kGauss) {
      for (const double t : {-point.place, point.place}) {
        const double s = middle_ + half_ * (middle + r * t);
        integral_.value += half_ * r * point.weight * f_.value(s, {at(under, t), at(back, t), scale_});
      }
    }
  }

  const ResonantIntegrand& f_;
  double enough_;
  std::int64_t calls_ = 0;
  double middle_ = 0, half_ = 0, scale_ = 0;
  Series under_{}, back_{};
  ResonantIntegral integral_;
};

}  // namespace

ResonantIntegral integrate(const ResonantIntegrand& f, double from, double to) {
  Integrator integrator(f);
  if (!(to > from)) return integrator.result();
  const auto panels = static_cast<std::int64_t>(std::fmax(1.0, std::ceil((to - from) / f.panel)));
  const double width = (to - from) / static_cast<double>(panels);
  for (std::int64_t i = 0; i < panels; ++i) {
    integrator.panel(from + static_cast<double>(i) * width, from + static_cast<double>(i + 1) * width);
  }
  return integrator.result();
}

}  // namespace simscope::tunneling
