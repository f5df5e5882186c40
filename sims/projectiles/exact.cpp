#include "sims/projectiles/exact.h"

#include <algorithm>
#include <array>
#include <limits>

namespace simscope::projectiles {
namespace {

constexpr double kRadians = std::numbers::pi / 180;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

DragLaw<double> dragLaw(const Parameters& p) {
  return {p.gravity, p.linear(), p.quadratic()};
}

// Steps of a 400th of the flight without drag, or of what drag takes to matter, whichever is less.
Landing byFineSteps(const Parameters& p, double vx, double vy) {
  const DragLaw<double> law = dragLaw(p);
  const double flight = (vy + std::sqrt(vy * vy + 2 * p.gravity * p.height)) / p.gravity;
  const double rate = p.linear() + p.quadratic() * std::hypot(vx, vy);
  const double dt = std::min(flight / 100, 0.2 / rate);
  Motion<double> now{0, p.height, vx, vy};
  double time = 0, highest = p.height;
  if (!(flight > 0)) return {0, 0, highest};
  for (int i = 0; i < 1'000'000; ++i) {
    const Motion<double> next = law.step(now, dt);
    if (now.vy > 0 && next.vy <= 0) highest = std::max(highest, law.apex(now, next, dt));
    if (next.y <= 0) {
      Motion<double> landed;
      time += law.landing(now, dt, landed);
      return {landed.x, time, highest};
    }
    now = next;
    time += dt;
  }
  return {now.x, time, highest};
}

// Gauss's rule of n points on [-1, 1].
template <int n>
std::array<std::array<double, 2>, n> gaussRule() {
  std::array<std::array<double, 2>, n> rule;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int trial = 0; trial < 20; ++trial) {
      double before = 1, value = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = n * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    rule[static_cast<std::size_t>(i)] = {x, 2 / ((1 - x * x) * slope * slope)};
  }
  return rule;
}

// The largest value of what rises and then falls.
template <class F>
double largest(double low, double high, const F& value) {
  constexpr double kGolden = 0.6180339887498949;
  double a = low, b = high, x = b - kGolden * (b - a), y = a + kGolden * (b - a), at_x = value(x), at_y = value(y);
  for (int i = 0; i < 40; ++i) {
    if (at_x > at_y) {
      b = y, y = x, at_y = at_x;
      x = b - kGolden * (b - a), at_x = value(x);
    } else {
      a = x, x = y, at_x = at_y;
      y = a + kGolden * (b - a), at_y = value(y);
    }
  }
  return std::max({value(low), value(high), at_x, at_y});
}

double highestThrow(const Parameters& p, double upwards) {
  if (p.drag == Drag::Linear) {
    const double k = p.linear_drag, g = p.gravity;
    const double time = std::log1p(k * upwards / g) / k;  // until it stands still
    return LinearFlight{p.height, g, k}.at(0, upwards, time).y;
  }
  if (p.drag == Drag::Quadratic) {
    return p.height + std::log1p(p.quadratic_drag * upwards * upwards / p.gravity) / (2 * p.quadratic_drag);
  }
  return p.height + upwards * upwards / (2 * p.gravity);
}

}  // namespace

LandingLaw landingLaw(const Parameters& p) {
  return {p.speed_min, p.speed_max, p.angle_min * kRadians, p.angle_max * kRadians, p.angles == Angles::Pair, p.height,
          p.gravity,   p.linear()};
}

Landing land(const Parameters& p, double speed, double angle) {
  const double vx = speed * std::cos(angle), vy = speed * std::sin(angle);
  if (p.drag == Drag::Quadratic) return byFineSteps(p, vx, vy);
  if (p.drag == Drag::Linear) {
    const LinearFlight flight{p.height, p.gravity, p.linear_drag};
    const double duration = flight.duration(vy);
    return {flight.at(vx, vy, duration).x, duration, highestThrow(p, vy)};
  }
  const double duration = (vy + std::sqrt(vy * vy + 2 * p.gravity * p.height)) / p.gravity;
  return {vx * duration, duration, highestThrow(p, vy)};
}

Means exactMeans(const Parameters& p) {
  if (p.drag == Drag::Quadratic) return {kNaN, kNaN};
  const double a = p.angle_min * kRadians, b = p.angle_max * kRadians;
  if (p.drag == Drag::None && p.height == 0) {
    const double u = p.speed_min, w = p.speed_max, square = (u * u + u * w + w * w) / 3, speed = (u + w) / 2;
    double sine = (std::sin(a) + std::sin(b)) / 2, sine_of_twice = (std::sin(2 * a) + std::sin(2 * b)) / 2;
    if (p.angles == Angles::Uniform && b > a) {
      sine = (std::cos(a) - std::cos(b)) / (b - a);
      sine_of_twice = (std::cos(2 * a) - std::cos(2 * b)) / (2 * (b - a));
    }
    return {square * sine_of_twice / p.gravity, 2 * speed * sine / p.gravity};
  }
  static const auto rule = gaussRule<40>();
  Means sum{0, 0};
  const auto add = [&](double angle, double weight) {
    for (const auto& [x, w] : rule) {
      const Landing one = land(p, 0.5 * (p.speed_min + p.speed_max + x * (p.speed_max - p.speed_min)), angle);
      sum.range += 0.5 * w * weight * one.range;
      sum.duration += 0.5 * w * weight * one.duration;
    }
  };
  if (p.angles == Angles::Pair) {
    add(a, 0.5);
    add(b, 0.5);
    return sum;
  }
  for (const auto& [x, w] : rule) add(0.5 * (a + b + x * (b - a)), 0.5 * w);
  return sum;
}

Extremes extremes(const Parameters& p) {
  const double v = p.speed_max, low = p.angle_min * kRadians, high = p.angle_max * kRadians;
  const auto range = [&](double angle) { return land(p, v, angle).range; };
  Extremes found{};
  found.range = p.angles == Angles::Pair ? std::max(range(low), range(high)) : largest(low, high, range);
  const bool quadratic = p.drag == Drag::Quadratic, upright = p.angle_max == 90;
  const Landing steepest = land(p, v, high);
  found.height = quadratic && upright ? highestThrow(p, v) : steepest.height;
  found.duration = std::max(steepest.duration, land(p, v, low).duration);
  found.exact_range = !quadratic;
  found.exact_height = !quadratic || upright;
  return found;
}

std::vector<float> envelope(const Parameters& p, double speed, int points) {
  if (p.drag == Drag::Quadratic) return {};
  const double v = speed, g = p.gravity, k = p.linear();
  const LinearFlight law{p.height, g, k};
  const auto radius = [&](double t) { return v * (k > 0 ? law.reach(t) : t); };
  const auto lift = [&](double t) { return v * v * std::exp(-k * t) / g; };  // of the point above the circle's middle
  const auto height = [&](double t) { return (k > 0 ? law.at(0, 0, t).y : p.height - g * t * t / 2) + lift(t); };
  // From where the circle first meets the axis to where the curve meets the ground: both are crossed once.
  const auto zero = [](double low, double high, const auto& negative) {
    for (int i = 0; i < 100; ++i) {
      const double middle = 0.5 * (low + high);
      (negative(middle) ? low : high) = middle;
    }
    return high;
  };
  const double begin = zero(0, 2 * v / g + 1e-9, [&](double t) { return radius(t) < lift(t); });
  double late = begin + v / g + std::sqrt(2 * p.height / g) + 1e-6;
  while (height(late) > 0) late *= 2;
  const double end = zero(begin, late, [&](double t) { return height(t) > 0; });
  std::vector<float> path;
  for (int i = 0; i < points; ++i) {
    // Closer at the beginning, where x grows as a root.
    const double s = static_cast<double>(i) / (points - 1), t = begin + (end - begin) * s * s;
    const double x2 = radius(t) * radius(t) - lift(t) * lift(t);
    path.push_back(static_cast<float>(std::sqrt(std::max(i == 0 ? 0 : x2, 0.0))));
    path.push_back(static_cast<float>(std::max(height(t), 0.0)));
  }
  return path;
}

double largestDensity(const Parameters& p, double range, int bins) {
  const double cell = range / bins;
  double most = 0;
  if (p.drag != Drag::Quadratic) {
    const LandingLaw law = landingLaw(p);
    double before = 0;
    for (int i = 1; i <= bins; ++i) {
      const double share = law.share(cell * i, LandingLaw::kBeyond);
      most = std::max(most, (share - before) / cell);
      before = share;
    }
    return most;
  }
  // Flights of a grid of speeds and angles, and ranges between them by straight lines.
  constexpr int kGrid = 24, kBetween = 12;
  const bool pair = p.angles == Angles::Pair;
  const int angles = pair ? 1 : kGrid;
  std::vector<double> grid;
  for (int a = 0; a <= angles; ++a) {
    for (int s = 0; s <= kGrid; ++s) {
      const double speed = p.speed_min + (p.speed_max - p.speed_min) * s / kGrid;
      grid.push_back(land(p, speed, (p.angle_min + (p.angle_max - p.angle_min) * a / angles) * kRadians).range);
    }
  }
  std::vector<double> counts(static_cast<std::size_t>(bins));
  const int lines = pair ? 2 : angles * kBetween, columns = kGrid * kBetween;
  for (int line = 0; line < lines; ++line) {
    const double at = pair ? line : (line + 0.5) / kBetween;
    const int a = std::min(static_cast<int>(at), angles - 1);
    for (int column = 0; column < columns; ++column) {
      const double along = (column + 0.5) / kBetween;
      const int s = static_cast<int>(along);
      const auto value = [&](int da) {
        const double* const r = &grid[static_cast<std::size_t>((a + da) * (kGrid + 1) + s)];
        return r[0] + (along - s) * (r[1] - r[0]);
      };
      const double r = value(0) + (at - a) * (value(1) - value(0));
      const int bin = std::clamp(static_cast<int>(r / cell), 0, bins - 1);
      counts[static_cast<std::size_t>(bin)] += 1.0 / (static_cast<double>(lines) * columns);
    }
  }
  return *std::max_element(counts.begin(), counts.end()) / cell;
}

}  // namespace simscope::projectiles
