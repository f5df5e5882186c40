#include "sims/lorentz/orbit.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/lorentz/fields.h"

namespace simscope::lorentz {
namespace {

// Of one sample: the guiding centre x + u × B/B², and μ, in the frame that drifts along y.
struct Guide {
  double x[3], moment;
};
template <class Field>
Guide guideOf(const Field& field, Sample s, double drift) {
  s.u[1] -= drift;
  const Vec3 b = field.at({static_cast<float>(s.x[0]), static_cast<float>(s.x[1]), static_cast<float>(s.x[2])});
  const double b2 = double{b.x} * b.x + double{b.y} * b.y + double{b.z} * b.z;
  const double u2 = s.u[0] * s.u[0] + s.u[1] * s.u[1] + s.u[2] * s.u[2];
  const double along = s.u[0] * b.x + s.u[1] * b.y + s.u[2] * b.z;
  return {{s.x[0] + (s.u[1] * b.z - s.u[2] * b.y) / b2, s.x[1] + (s.u[2] * b.x - s.u[0] * b.z) / b2,
           s.x[2] + (s.u[0] * b.y - s.u[1] * b.x) / b2},
          (u2 - along * along / b2) / (2 * std::sqrt(b2))};
}

double turnedBy(double from, double to) {
  return std::remainder(to - from, 2 * std::numbers::pi);
}

double turnRate(const Parameters& p, const std::vector<Sample>& past) {
  const double drift = p.relativistic ? 0 : -p.electric_field / p.field;
  const auto phase = [&](const Sample& s) { return -std::atan2(s.u[1] - drift, s.u[0]); };
  double angle = 0;
  for (std::size_t i = 1; i < past.size(); ++i) angle += turnedBy(phase(past[i - 1]), phase(past[i]));
  return angle / (past.back().time - past.front().time);
}

double circleThrough(const Sample& a, const Sample& b, const Sample& c) {
  const auto way = [](const Sample& from, const Sample& to) {
    return std::hypot(to.x[0] - from.x[0], to.x[1] - from.x[1]);
  };
  const double doubled = (b.x[0] - a.x[0]) * (c.x[1] - a.x[1]) - (b.x[1] - a.x[1]) * (c.x[0] - a.x[0]);
  return way(a, b) * way(b, c) * way(c, a) / (2 * std::abs(doubled));
}

struct Passage {
  double time, longitude, distance;  // unwrapped; from the z-axis
  bool up;
};
std::vector<Passage> passages(const std::vector<Sample>& past, const std::vector<Guide>& guides) {
  std::vector<Passage> found;
  double longitude = 0;
  for (std::size_t i = 1; i < past.size(); ++i) {
    const Guide &a = guides[i - 1], &b = guides[i];
    const double step = turnedBy(std::atan2(a.x[1], a.x[0]), std::atan2(b.x[1], b.x[0]));
    if ((a.x[2] < 0) != (b.x[2] < 0)) {
      const double share = a.x[2] / (a.x[2] - b.x[2]), ra = std::hypot(a.x[0], a.x[1]), rb = std::hypot(b.x[0], b.x[1]);
      found.push_back({past[i - 1].time + share * (past[i].time - past[i - 1].time), longitude + share * step,
                       ra + share * (rb - ra), b.x[2] > a.x[2]});
    }
    longitude += step;
  }
  return found;
}

void measurePassages(const Parameters& p, const std::vector<Passage>& all, Measured& m) {
  if (all.size() >= 3) {
    // An even number of half periods.
    const Passage &first = all[0], &last = all[(all.size() - 1) / 2 * 2];
    const double periods = static_cast<double>((all.size() - 1) / 2);
    m.bounce_period = (last.time - first.time) / periods;
    if (p.in(Configuration::Dipole)) m.longitude_rate = (last.longitude - first.longitude) / (last.time - first.time);
  }
  if (!p.in(Configuration::Tokamak)) return;
  double sums[2] = {}, counts[2] = {};
  for (const Passage& each : all) {
    if (each.distance < p.major_radius) {  // it is not trapped
      m.bounce_period = kNaN;
      return;
    }
    sums[each.up] += each.distance, ++counts[each.up];
  }
  if (counts[0] > 0 && counts[1] > 0) m.banana_width = std::abs(sums[0] / counts[0] - sums[1] / counts[1]);
}

}  // namespace

Measured measureOrbit(const Parameters& p, const std::vector<Sample>& past) {
  Measured m{kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, kNaN};
  if (past.size() < 3) return m;
  const bool drifting = p.in(Configuration::Uniform) && !p.relativistic;
  const double drift = drifting ? -p.electric_field / p.field : 0;
  std::vector<Guide> guides;
  guides.reserve(past.size());
  withField(p.setup(), [&](const auto& field) {
    for (const Sample& each : past) guides.push_back(guideOf(field, each, drift));
  });
  if (p.in(Configuration::Uniform)) {
    m.turn_rate = turnRate(p, past);
    // A third of a turn apart, as nearly as there are samples.
    const double spacing = past[1].time - past[0].time, third = 2 * std::numbers::pi / std::abs(3 * m.turn_rate);
    const auto apart = static_cast<std::size_t>(std::clamp(std::round(third / spacing), 1.0, 1e6));
    const bool drifts = p.electric_field != 0;
    if (!drifts && past.size() > 2 * apart) m.radius = circleThrough(past[0], past[apart], past[2 * apart]);
  } else if (!p.in(Configuration::Gradient)) {
    measurePassages(p, passages(past, guides), m);
  }
  double least = HUGE_VAL, most = 0, sums[2] = {};
  const std::size_t half = past.size() / 2;
  for (std::size_t i = 0; i < past.size(); ++i) {
    least = std::min(least, guides[i].moment), most = std::max(most, guides[i].moment);
    if (i < 2 * half) sums[i / half] += guides[i].moment;
  }
  const double mean = sums[0] / static_cast<double>(half);
  if (mean > 0) {
    m.moment_variation = (most - least) / mean;
    if (past.size() > 256) m.moment_drift = sums[1] / sums[0] - 1;
  }
  return m;
}

}  // namespace simscope::lorentz
