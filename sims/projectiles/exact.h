// Exact results for launches whose speeds and angles are drawn uniformly: where they have landed at any time, their
// means, and the extremes. README.md derives it. SI units, angles in radians; double precision.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "sims/compute/host_device.h"
#include "sims/projectiles/drag.h"
#include "sims/projectiles/parameters.h"

namespace simscope::projectiles {

// The joint distribution of range R and flight time T, without drag (k = 0) or with linear drag. At a fixed angle both
// grow with the speed, so that {R ≤ r, T ≤ t} is an interval of speeds; there remains an integral over the angle, piece
// by piece between the angles where the interval meets the bounds of the speeds.
struct LandingLaw {
  double speed_min, speed_max, angle_min, angle_max;
  bool pair;
  double height, gravity, k;

  // The speed that reaches `range` (kBeyond: any) at this angle; every slower one falls short. Infinite where none
  // reaches it.
  SIMSCOPE_HD double speedForRange(double range, double cosine, double sine) const {
    const double drop = cosine * (height * cosine + range * sine);
    if (!(range < kBeyond) || !(drop > 0)) return kBeyond;
    if (k > 0) return LinearFlight{height, gravity, k}.speedFor(range, cosine, sine);
    return range * std::sqrt(gravity / (2 * drop));
  }
  // Likewise the speed that stays in the air for `time`.
  SIMSCOPE_HD double speedForTime(double time, double sine) const {
    const double rise = risingSpeed(time);
    if (!(rise >= 0)) return -1;
    return sine > 0 ? rise / sine : kBeyond;
  }
  // The share of launches at this angle that have landed within the range and the time.
  SIMSCOPE_HD double shareAt(double angle, double range, double time) const {
    const double cosine = std::cos(angle), sine = std::sin(angle);
    const double most = std::fmin(speedForRange(range, cosine, sine), speedForTime(time, sine));
    if (!(speed_max > speed_min)) return most >= speed_max ? 1 : 0;
    return std::fmin(std::fmax((most - speed_min) / (speed_max - speed_min), 0), 1);
  }
  // P(R ≤ range, T ≤ time).
  SIMSCOPE_HD double share(double range, double time) const {
    if (!(range > 0) || !(time > 0)) return 0;
    if (pair) return 0.5 * (shareAt(angle_min, range, time) + shareAt(angle_max, range, time));
    if (!(angle_max > angle_min)) return shareAt(angle_min, range, time);
    double at[kMostPieces + 1];
    const int pieces = split(range, time, at);
    double sum = 0;
    for (int i = 0; i < pieces; ++i) sum += piece(at[i], at[i + 1], range, time);
    return sum / (angle_max - angle_min);
  }

  static constexpr double kBeyond = 1e300;

 private:
  // Speeds in equal ratios between the bounds, at whose angles pieces also end: within each piece the integrand is
  // close to a polynomial. With drag the angles are those without drag, and there are further equal pieces.
  static constexpr int kSpeeds = 5, kEqualPieces = 10;
  static constexpr int kMostPieces = 3 * kSpeeds + 1 + kEqualPieces;

  // The vertical speed that stays in the air for `time`; negative: even a fall takes longer.
  SIMSCOPE_HD double risingSpeed(double time) const {
    if (!(time < kBeyond)) return kBeyond;
    if (!(k > 0)) return gravity * time / 2 - height / time;
    const double reach = LinearFlight{height, gravity, k}.reach(time);
    return (gravity / k * (time - reach) - height) / reach;
  }

  // Adds an angle between the bounds, in order.
  SIMSCOPE_HD void insert(double angle, double* at, int& count) const {
    if (!(angle > angle_min && angle < angle_max)) return;
    int place = count++;
    for (; place > 0 && at[place - 1] > angle; --place) at[place] = at[place - 1];
    at[place] = angle;
  }
  // The angles at which the integrand has kinks, and some between; returns the number of pieces.
  SIMSCOPE_HD int split(double range, double time, double* at) const {
    int count = 1;
    at[0] = angle_min;
    const double rise = risingSpeed(time), slowest = std::fmax(speed_min, speed_max / 256);
    const double ratio = std::pow(speed_max / slowest, 1.0 / (kSpeeds - 1));
    double speed = slowest;
    for (int i = 0; i < kSpeeds; ++i, speed *= ratio) {
      if (i == kSpeeds - 1) speed = speed_max;
      if (range < kBeyond) {  // q tan²θ - r tan θ + q - h = 0, q = g r²/(2 v²)
        const double q = gravity * range * range / (2 * speed * speed), root = range * range - 4 * q * (q - height);
        if (root >= 0) {
          insert(std::atan((range + std::sqrt(root)) / (2 * q)), at, count);
          insert(std::atan((range - std::sqrt(root)) / (2 * q)), at, count);
        }
      }
      if (rise >= 0 && rise < speed) insert(std::asin(rise / speed), at, count);
    }
    if (range < kBeyond && time < kBeyond) insert(std::atan(rise * time / range), at, count);
    if (k > 0) {
      for (int i = 1; i < kEqualPieces; ++i) {
        insert(angle_min + (angle_max - angle_min) * i / kEqualPieces, at, count);
      }
    }
    at[count] = angle_max;
    return count;
  }
  // ∫ share dθ between two kinks, by Gauss's rule of 8 points.
  SIMSCOPE_HD double piece(double from, double to, double range, double time) const {
    constexpr double kNodes[] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    constexpr double kWeights[] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    if (!(half > 0)) return 0;
    const double plain = shareAt(middle, range, time);
    if (!(k > 0) && (plain <= 0 || plain >= 1)) return plain * 2 * half;  // constant over the piece
    double sum = 0;
    for (int i = 0; i < 4; ++i) {
      sum += kWeights[i] *
             (shareAt(middle - half * kNodes[i], range, time) + shareAt(middle + half * kNodes[i], range, time));
    }
    return sum * half;
  }
};

// Without drag or with linear drag.
LandingLaw landingLaw(const Parameters& parameters);

// Expected values over all launches: without drag from h = 0 by closed forms, else by Gauss's rule over speed and
// angle. Quadratic drag: NaN.
struct Means {
  double range, duration;
};
Means exactMeans(const Parameters& parameters);

// Over all speeds and angles that can be drawn. Quadratic drag: range and duration by steps of Runge and Kutta's
// scheme, fine enough for a picture; the height is exact where a launch can be vertical.
struct Extremes {
  double range, height, duration;
  bool exact_range, exact_height;
};
Extremes extremes(const Parameters& parameters);

// Range and duration of a single flight, by the closed forms, or fine steps.
struct Landing {
  double range, duration, height;
};
Landing land(const Parameters& parameters, double speed, double angle);

// The envelope of all trajectories of one speed, from circles of radius v reach(t) about a point that falls from rest.
// Points (x, y), from the highest to the ground. Quadratic drag: empty.
std::vector<float> envelope(const Parameters& parameters, double speed, int points);

// The largest expected share of launches in one of `bins` cells of [0, range], divided by the cell's width.
double largestDensity(const Parameters& parameters, double range, int bins);

}  // namespace simscope::projectiles
