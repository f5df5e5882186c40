// Steps of adaptive length for a few bodies, of order 15: collocation of the accelerations at Gauss-Radau's eight
// nodes, solved by iteration, in double precision with compensated sums.
//
// E. Everhart, in Dynamics of Comets, IAU Coll. 83 (1985) 185; H. Rein, D. S. Spiegel, MNRAS 446 (2015) 1424: nodes,
// the choice of the length from the polynomial's last coefficient, and the end of the iteration. Here the polynomial is
// kept as its values at the nodes, so one table of weights takes the place of the conversions between two sets of
// coefficients.
//
// A step dt of the simulation begins anew: it depends on places and velocities alone, so n steps are n times one.
#pragma once

#include <cmath>

#include "sims/compute/elementary.h"
#include "sims/compute/host_device.h"

namespace simscope::nbody {

inline constexpr int kNodes = 8;         // of an interval of length 1; the first is 0
inline constexpr int kRadauForces = 28;  // evaluated in a step that needs one interval, about

// Weights of the accelerations a_j at the nodes h_j.
struct RadauTable {
  double node[kNodes];
  double place[kNodes][kNodes];                    // ∫₀^{h_n} (h_n − s) l_j ds, with Lagrange's polynomials l
  double end_velocity[kNodes], end_place[kNodes];  // ∫₀¹ l_j ds, ∫₀¹ (1 − s) l_j ds
  double last[kNodes];                             // of the coefficient of s⁷
};
const RadauTable& radauTable();

// What one body remembers of an interval.
struct RadauBody {
  double x[3], a[kNodes][3];
  double lost_x[3], lost_v[3];  // by the rounding of sums
};

// sum += term, with what was lost before.
SIMSCOPE_HD inline void addCompensated(double& sum, double& lost, double term) {
  const double wanted = term - lost, former = sum;
  sum = former + wanted;
  lost = (sum - former) - wanted;
}

// A step of length dt. The team: places x() (3 each, of all bodies), v(i), moved(i), body(i), each(f), least(f) and
// largest(f) of f(i) over all bodies, acceleration(i, a) at the places x(), and lasting(i), a time in which body i
// moves little among the others; it needs showVelocities() before.
template <class Team>
SIMSCOPE_HD void radauStep(const RadauTable& table, double dt, Team& team) {
  constexpr double kTolerance = 1e-9;  // of the last coefficient, beside the acceleration
  constexpr double kSafety = 0.25;
  constexpr int kMostIterations = 12, kMostIntervals = 100'000;
  double shortest = dt * 0x1p-40, left = dt;
  const auto size = [](const double* a) {
    return std::fmax(std::fabs(a[0]), std::fmax(std::fabs(a[1]), std::fabs(a[2])));
  };
  team.each([&](int i) {
    RadauBody& b = team.body(i);
    team.acceleration(i, b.a[0]);
    for (int k = 0; k < 3; ++k) {
      b.x[k] = team.x()[3 * i + k];
      b.lost_x[k] = b.lost_v[k] = 0;
    }
  });
  team.showVelocities();
  double h = 0.1 * team.least([&](int i) { return team.lasting(i); });
  for (int made = 0; left > 0; ++made) {
    if (made == kMostIntervals) shortest = left / 1000;  // bodies that would hold up all others
    h = std::fmax(h, shortest);
    if (!(h < 0.99 * left)) h = left;
    team.each([&](int i) {
      RadauBody& b = team.body(i);
      for (int n = 1; n < kNodes; ++n) {
        for (int k = 0; k < 3; ++k) b.a[n][k] = b.a[0][k];
      }
    });
    double before = HUGE_VAL;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      for (int n = 1; n < kNodes; ++n) {
        team.each([&](int i) {
          const RadauBody& b = team.body(i);
          for (int k = 0; k < 3; ++k) {
            double sum = 0;
            for (int j = kNodes - 1; j >= 0; --j) sum += table.place[n][j] * b.a[j][k];
            team.x()[3 * i + k] = b.x[k] + (table.node[n] * h * team.v(i)[k] + h * h * sum);
          }
        });
        team.each([&](int i) {
          RadauBody& b = team.body(i);
          double a[3];
          team.acceleration(i, a);
          for (int k = 0; k < 3; ++k) {
            if (n == kNodes - 1) team.moved(i)[k] = a[k] - b.a[n][k];
            b.a[n][k] = a[k];
          }
        });
      }
      const double change = team.largest([&](int i) { return size(team.moved(i)); }) /
                            team.largest([&](int i) { return size(team.body(i).a[kNodes - 1]); });
      if (!(change > 1e-16) || (iteration > 1 && change >= before)) break;
      before = change;
    }
    const double last = team.largest([&](int i) {
      double sum[3] = {0, 0, 0};
      for (int j = 0; j < kNodes; ++j) {
        for (int k = 0; k < 3; ++k) sum[k] += table.last[j] * team.body(i).a[j][k];
      }
      return size(sum);
    });
    const double error = last / team.largest([&](int i) { return size(team.body(i).a[kNodes - 1]); });
    const double next = error > 0 ? h * compute::power(kTolerance / error, 1.0 / 7) : h / kSafety;
    const bool accepted = !(next < kSafety * h) || !(h > shortest);
    team.each([&](int i) {
      RadauBody& b = team.body(i);
      for (int k = 0; k < 3 && accepted; ++k) {
        double by_v = 0, by_x = 0;
        for (int j = kNodes - 1; j >= 0; --j) {
          by_v += table.end_velocity[j] * b.a[j][k];
          by_x += table.end_place[j] * b.a[j][k];
        }
        addCompensated(b.x[k], b.lost_x[k], h * team.v(i)[k]);
        addCompensated(b.x[k], b.lost_x[k], h * h * by_x);
        addCompensated(team.v(i)[k], b.lost_v[k], h * by_v);
      }
      for (int k = 0; k < 3; ++k) team.x()[3 * i + k] = b.x[k];
    });
    if (accepted) {
      left = h < left ? left - h : 0;
      if (left > 0) team.each([&](int i) { team.acceleration(i, team.body(i).a[0]); });
    }
    h = std::fmin(next, h / kSafety);
  }
}

}  // namespace simscope::nbody
