#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <numbers>
#include <utility>

#include "sims/histograms/spectrum.h"

namespace simscope::histograms {
namespace {

constexpr int kMasses = 24, kPoints = 32768;

// Moments of a standard normal number over where it is above a cut.
struct Moments {
  double zeroth, first, second;
  Moments operator-(const Moments& o) const { return {zeroth - o.zeroth, first - o.first, second - o.second}; }
};
Moments momentsAbove(double cut) {
  if (cut < -9) return {1, 0, 1};
  if (cut > 9) return {0, 0, 0};
  const double share = 0.5 * std::erfc(cut / std::numbers::sqrt2);
  const double density = std::exp(-0.5 * cut * cut) / std::sqrt(2 * std::numbers::pi);
  return {share, density, share + cut * density};
}
// Of the sum of two independent numbers.
Moments momentsOfSum(const Moments& a, const Moments& b) {
  return {a.zeroth * b.zeroth, a.first * b.zeroth + a.zeroth * b.first,
          a.second * b.zeroth + 2 * a.first * b.first + a.zeroth * b.second};
}

struct Sums {
  double found = 0, first = 0, second = 0, angles = 0;
};

// A direction of the decay and a transverse momentum of the boson.
struct PhaseSpacePoint {
  double boson, nx, ny, nz;
};

// Hammersley's points. What is turned over, along the beam or across it, is found as often: a quarter of all directions
// will do.
std::vector<PhaseSpacePoint> pointsOf(const Parameters& p) {
  const auto radical = [](int i, int base) {
    double value = 0, digit = 1;
    for (; i > 0; i /= base) value += (digit /= base) * (i % base);
    return value;
  };
  std::vector<PhaseSpacePoint> points;
  for (int i = 0; i < kPoints; ++i) {
    const double u = (i + 0.5) / kPoints, v = 0.5 + 0.5 * radical(i, 2), turn = std::numbers::pi * radical(i, 3);
    const double c = p.decay == Decay::Polarised ? 2 * std::sinh(std::asinh(4 * v - 2) / 3) : 2 * v - 1;
    const double s = std::sqrt(std::max(0.0, 1 - c * c));
    points.push_back({p.boson_pt * std::sqrt(u / (1 - u)), s * std::cos(turn), s * std::sin(turn), c});
  }
  return points;
}

// What does not depend on the point.
struct Cut {
  explicit Cut(const Parameters& p)
      : eta(p.eta_max), rapidity(p.rapidity), error(std::max(p.pt_resolution, 1e-9)), angle(p.angular_resolution) {
    const double lead_pt = std::max(p.lead_pt, p.pt_min);
    least = p.pt_min > 0 ? std::log(p.pt_min) : -HUGE_VAL;
    lead = lead_pt > 0 ? std::log(lead_pt) : -HUGE_VAL;
  }
  double eta, rapidity, error, angle, least = 0, lead = 0;  // the last two: logarithms
};

void addPoint(const Cut& cut, double m, const PhaseSpacePoint& at, Sums& sums) {
  const double across = 0.5 * std::sqrt(m * m + at.boson * at.boson) * at.nx, y = 0.5 * m * at.ny, z = 0.5 * m * at.nz;
  const double x1 = 0.5 * at.boson + across, x2 = 0.5 * at.boson - across;
  const double square1 = std::max(x1 * x1 + y * y, 1e-12), square2 = std::max(x2 * x2 + y * y, 1e-12);
  const double log1 = 0.5 * std::log(square1), log2 = 0.5 * std::log(square2);
  // z is not below 0: asinh(z/pt) has no cancellation.
  const double eta1 = std::log(z + std::sqrt(square1 + z * z)) - log1;
  const double eta2 = log2 - std::log(z + std::sqrt(square2 + z * z));
  // The rapidities of the boson for which both leptons are within |η| ≤ η_max.
  const double low = std::max({-cut.rapidity, -cut.eta - eta1, -cut.eta - eta2});
  const double high = std::min({cut.rapidity, cut.eta - eta1, cut.eta - eta2});
  if (!(low < high)) return;
  const Moments one = momentsAbove((cut.least - log1) / cut.error),
                other = momentsAbove((cut.least - log2) / cut.error);
  Moments both = momentsOfSum(one, other);
  if (cut.lead > cut.least) {  // less those of which neither leads
    both = both - momentsOfSum(one - momentsAbove((cut.lead - log1) / cut.error),
                               other - momentsAbove((cut.lead - log2) / cut.error));
  }
  const double weight = (high - low) / (2 * cut.rapidity);
  sums.found += weight * both.zeroth;
  sums.first += weight * both.first;
  sums.second += weight * both.second;
  if (cut.angle <= 0 || both.zeroth <= 0) return;
  // d ln m / dΔη = sinh Δη / 2(cosh Δη - cos Δφ), and with the sine for Δφ. The few pairs that lie so close to each
  // other that their angles are worse than their momenta leave the peak: they do not count as its width.
  const double product = std::sqrt(square1 * square2), open = m * m / (2 * product), turn = y * (x1 + x2) / product;
  const double rise = std::sinh(eta1 - eta2), slope = (rise * rise + turn * turn) / (4 * open * open);
  const double spread = 2 * cut.angle * cut.angle * slope, of_pt = 0.5 * cut.error * cut.error;
  sums.angles += weight * both.zeroth * (cut.error > 1e-9 ? std::min(spread, of_pt) : spread);
}

}  // namespace

Acceptance::Acceptance(double error) : nodes_(1, Response{1, 0, error * error}) {}

Acceptance::Acceptance(const Parameters& p) {
  const Window around = resonanceWindow(p.mass, p.width), wide = backgroundWindow(p.mass);
  low_ = std::log(std::min(around.low, wide.low));
  high_ = std::log(std::max(around.high, wide.high));
  // What the integrals depend on. The last ones are kept: runs of equal parameters follow each other.
  const std::vector<double> key = {low_,        high_,     p.boson_pt, p.rapidity,      static_cast<double>(p.decay),
                                   p.pt_min,    p.lead_pt, p.eta_max,  p.pt_resolution, p.angular_resolution,
                                   p.efficiency};
  static std::mutex guard;
  static std::deque<std::pair<std::vector<double>, std::vector<Response>>> kept;
  {
    const std::lock_guard lock(guard);
    for (const auto& [known, nodes] : kept) {
      if (known == key) {
        nodes_ = nodes;
        return;
      }
    }
  }
  const Cut cut(p);
  const std::vector<PhaseSpacePoint> points = pointsOf(p);
  nodes_.resize(kMasses);
  tbb::parallel_for(0, kMasses, [&](int node) {
    const double m = std::exp(low_ + (high_ - low_) * node / (kMasses - 1));
    Sums sums;
    for (const PhaseSpacePoint& each : points) addPoint(cut, m, each, sums);
    const double half = 0.5 * p.pt_resolution;
    Response response{p.efficiency * p.efficiency * sums.found / kPoints, 0, 2 * half * half};
    if (sums.found > 0) {
      response.shift = half * sums.first / sums.found;
      response.angles = sums.angles / sums.found;
      response.variance = half * half * sums.second / sums.found - response.shift * response.shift + response.angles;
    }
    nodes_[static_cast<std::size_t>(node)] = response;
  });
  constexpr std::size_t kKept = 16;
  const std::lock_guard lock(guard);
  kept.emplace_front(key, nodes_);
  if (kept.size() > kKept) kept.pop_back();
}

Response Acceptance::at(double mass) const {
  if (nodes_.empty()) return {1, 0, 0};
  if (nodes_.size() == 1) return nodes_[0];
  const auto last = static_cast<double>(nodes_.size() - 1);
  const double place = std::clamp((std::log(mass) - low_) / (high_ - low_), 0.0, 1.0) * last;
  const double cell = std::min(std::floor(place), last - 1), t = place - cell;
  const auto i = static_cast<std::size_t>(cell);
  const Response &b = nodes_[i], &c = nodes_[i + 1], &a = nodes_[i > 0 ? i - 1 : 0];
  const Response& d = nodes_[std::min(i + 2, nodes_.size() - 1)];
  // Catmull and Rom's cubic for the share, which the spectrum's slope depends on.
  const double cubic =
      b.found +
      0.5 * t *
          (c.found - a.found +
           t * (2 * a.found - 5 * b.found + 4 * c.found - d.found + t * (3 * (b.found - c.found) + d.found - a.found)));
  const auto between = [t](double from, double to) { return from + t * (to - from); };
  return {std::max(cubic, 0.0), between(b.shift, c.shift), between(b.variance, c.variance),
          between(b.angles, c.angles)};
}

}  // namespace simscope::histograms
