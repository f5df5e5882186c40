#include "sims/projectiles/flights.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/lanes/instruction_sets.h"
#include "sims/compute/loops/histogram.h"
#include "sims/compute/loops/parallel.h"

namespace simscope::projectiles {
namespace functors {

constexpr std::size_t kGrain = 1024;  // flights that a CPU thread takes at a time

template <class Real>
FlightRows<Real> rowsOf(const Flights<Real>& flights) {
  constexpr int kRows = FlightRows<Real>::kRows;
  return {const_cast<Real*>(flights.data()), flights.size() / kRows};
}

template <class Real>
struct Begin {
  LaunchLaw law;
  Real height;
  FlightRows<Real> flights;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Launch launch = law(i);
    flights.x(i) = 0;
    flights.y(i) = height;
    flights.vx(i) = launch.vx;
    flights.vy(i) = launch.vy;
    flights.duration(i) = -1;
    flights.apex(i) = height;
  }
};

// Steps of all flights in one pass over memory.
template <class Real>
struct Pass {
  FlightRows<Real> flights;
  DragLaw<Real> drag;
  Clock clock;
  std::int64_t first;
  int steps;
  double dt;

  SIMSCOPE_HD void put(std::size_t i, const Motion<Real>& now) const {
    flights.x(i) = now.x;
    flights.y(i) = now.y;
    flights.vx(i) = now.vx;
    flights.vy(i) = now.vy;
  }
  // The events between steps j and j + 1 of the pass. True: it has landed.
  SIMSCOPE_HD bool turnsOrLands(std::size_t i, int j, const Motion<Real>& now, const Motion<Real>& next) const {
    const Real step = static_cast<Real>(dt);
    if (now.vy > 0 && next.vy <= 0) flights.apex(i) = drag.apex(now, next, step);
    if (!(next.y <= 0)) return false;
    Motion<Real> landed;
    const Real within = drag.landing(now, step, landed);
    // The same sum for any division of the steps into passes.
    const double begun = clock.time + static_cast<double>(first + j - clock.step) * dt;
    flights.duration(i) = static_cast<Real>(begun + static_cast<double>(within));
    put(i, landed);
    return true;
  }
};

template <class Real>
struct Fly {
  Pass<Real> pass;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    if (pass.flights.duration(i) >= 0) return;
    Motion<Real> now = pass.flights.motion(i);
    for (int j = 0; j < pass.steps; ++j) {
      const Motion<Real> next = pass.drag.step(now, static_cast<Real>(pass.dt));
      if (pass.turnsOrLands(i, j, now, next)) return;
      now = next;
    }
    pass.put(i, now);
  }
};

// On the CPU flights are advanced side by side, in lanes: a flight that lands leaves its lane empty.
constexpr int kLanes = 32;
template <class Real>
struct Lanes {
  Real x[kLanes], y[kLanes], vx[kLanes], vy[kLanes];
  Motion<Real> motion(int lane) const { return {x[lane], y[lane], vx[lane], vy[lane]}; }
};

template <class Real, bool squared>
SIMSCOPE_WIDEST void stepLanes(const DragLaw<Real>& law, Real dt, const Lanes<Real>& from, Lanes<Real>& to) {
  const DragLaw<Real> drag = law;
  SIMSCOPE_INDEPENDENT
  for (int i = 0; i < kLanes; ++i) {
    const Motion<Real> next = drag.template stepAs<squared>({from.x[i], from.y[i], from.vx[i], from.vy[i]}, dt);
    to.x[i] = next.x;
    to.y[i] = next.y;
    to.vx[i] = next.vx;
    to.vy[i] = next.vy;
  }
}

template <class Real>
struct FlyGroup {
  Pass<Real> pass;

  void operator()(std::size_t group) const {
    const std::size_t end = std::min(pass.flights.count, (group + 1) * kGrain);
    std::size_t in_lane[kLanes];
    int count = 0;
    for (std::size_t i = group * kGrain; i < end; ++i) {
      if (pass.flights.duration(i) < 0) in_lane[count++] = i;
      if (count == kLanes || (i + 1 == end && count > 0)) {
        fly(in_lane, count);
        count = 0;
      }
    }
  }

 private:
  void fly(const std::size_t* in_lane, int count) const {
    const Real dt = static_cast<Real>(pass.dt);
    Lanes<Real> both[2] = {};
    bool flying[kLanes] = {};
    for (int lane = 0; lane < count; ++lane) {
      const Motion<Real> now = pass.flights.motion(in_lane[lane]);
      both[0].x[lane] = now.x, both[0].y[lane] = now.y, both[0].vx[lane] = now.vx, both[0].vy[lane] = now.vy;
      flying[lane] = true;
    }
    for (int j = 0; j < pass.steps; ++j) {
      const Lanes<Real>& now = both[j % 2];
      Lanes<Real>& next = both[1 - j % 2];
      if (pass.drag.quadratic > 0) {
        stepLanes<Real, true>(pass.drag, dt, now, next);
      } else {
        stepLanes<Real, false>(pass.drag, dt, now, next);
      }
      for (int lane = 0; lane < count; ++lane) {
        const bool turns = now.vy[lane] > 0 && next.vy[lane] <= 0;
        if (!(turns || next.y[lane] <= 0) || !flying[lane]) continue;
        if (pass.turnsOrLands(in_lane[lane], j, now.motion(lane), next.motion(lane))) flying[lane] = false;
      }
    }
    for (int lane = 0; lane < count; ++lane) {
      if (flying[lane]) pass.put(in_lane[lane], both[pass.steps % 2].motion(lane));
    }
  }
};

template <class Real>
struct Measure {
  FlightRows<Real> flights;
  LaunchLaw law;
  LinearFlight exact;  // k = 0: none
  double time;
  SIMSCOPE_HD Statistics operator()(std::size_t i) const {
    const Launch launch = law(i);
    const Motion<Real> now = flights.motion(i);
    const double x = now.x, y = now.y, vx = now.vx, vy = now.vy, duration = flights.duration(i);
    const double launch_vx = launch.vx, launch_vy = launch.vy, apex = flights.apex(i);
    Statistics one;
    if (duration >= 0) {
      one.landed = 1;
      one.range = x;
      one.duration = duration;
      one.most_range = x;
    }
    one.highest = vy > 0 && y > apex ? y : apex;
    one.energy = 0.5 * (vx * vx + vy * vy) + exact.gravity * y;
    one.energy_at_launch = 0.5 * (launch_vx * launch_vx + launch_vy * launch_vy) + exact.gravity * exact.height;
    if (exact.k > 0) {
      const double lands = exact.duration(launch_vy);
      const Motion<double> there = exact.at(launch_vx, launch_vy, lands < time ? lands : time);
      const double off_x = x - there.x, off_y = lands < time ? y : y - there.y;
      one.off_exact = std::sqrt(off_x * off_x + off_y * off_y);
    }
    const double sum = x + y + vx + vy + duration + apex;
    one.not_finite = sum - sum == 0 ? 0 : 1;
    return one;
  }
};
struct Gather {
  SIMSCOPE_HD static double larger(double a, double b) { return a > b ? a : b; }
  SIMSCOPE_HD Statistics operator()(const Statistics& a, const Statistics& b) const {
    Statistics sum;
    sum.landed = a.landed + b.landed;
    sum.range = a.range + b.range;
    sum.duration = a.duration + b.duration;
    sum.most_range = larger(a.most_range, b.most_range);
    sum.highest = larger(a.highest, b.highest);
    sum.energy = a.energy + b.energy;
    sum.energy_at_launch = a.energy_at_launch + b.energy_at_launch;
    sum.off_exact = larger(a.off_exact, b.off_exact);
    sum.not_finite = a.not_finite + b.not_finite;
    return sum;
  }
};

template <class Real>
struct BinOfLanding {
  FlightRows<Real> flights;
  double units;
  int bins;
  SIMSCOPE_HD int operator()(std::size_t i) const {
    if (!(flights.duration(i) >= 0)) return -1;
    const double at = static_cast<double>(flights.x(i)) * units;
    if (!(at < Extent::kUnits)) return -1;
    return static_cast<int>(binOf(at > 0 ? static_cast<std::uint32_t>(at) : 0, static_cast<std::uint32_t>(bins)));
  }
};

}  // namespace functors

template <class Real>
void launchAll(const LaunchLaw& law, double height, Flights<Real>& flights) {
  const FlightRows<Real> rows = functors::rowsOf(flights);
  compute::parallelFor(flights.device(), rows.count, functors::Begin<Real>{law, static_cast<Real>(height), rows});
}

template <class Real>
void advance(Flights<Real>& flights, const DragLaw<double>& drag, const Clock& clock, std::int64_t first, int steps,
             double time_step) {
  const FlightRows<Real> rows = functors::rowsOf(flights);
  const DragLaw<Real> law{static_cast<Real>(drag.gravity), static_cast<Real>(drag.linear),
                          static_cast<Real>(drag.quadratic)};
  const functors::Pass<Real> pass{rows, law, clock, first, steps, time_step};
  if (flights.device()->isCuda()) {
    compute::parallelFor(flights.device(), rows.count, functors::Fly<Real>{pass});
  } else {
    const std::size_t groups = (rows.count - 1) / functors::kGrain + 1;
    compute::detail::forEachOnCpu(*flights.device(), groups, functors::FlyGroup<Real>{pass}, 1);
  }
}

template <class Real>
Statistics statistics(const Flights<Real>& flights, const LaunchLaw& law, const Parameters& p, double time) {
  const FlightRows<Real> rows = functors::rowsOf(flights);
  const functors::Measure<Real> measure{rows, law, {p.height, p.gravity, p.linear()}, time};
  return compute::reduce(flights.device(), rows.count, Statistics{}, measure, functors::Gather{});
}

template <class Real>
void countLandings(const Flights<Real>& flights, const Extent& extent, Landings& landings) {
  const FlightRows<Real> rows = functors::rowsOf(flights);
  compute::histogram(flights.device(), rows.count,
                     functors::BinOfLanding<Real>{rows, Extent::kUnits / extent.range, landings.bins()},
                     landings.counts(), landings.bins());
}

#define SIMSCOPE_FLIGHTS(Real)                                                                                  \
  template void launchAll<Real>(const LaunchLaw&, double, Flights<Real>&);                                      \
  template void advance<Real>(Flights<Real>&, const DragLaw<double>&, const Clock&, std::int64_t, int, double); \
  template Statistics statistics<Real>(const Flights<Real>&, const LaunchLaw&, const Parameters&, double);      \
  template void countLandings<Real>(const Flights<Real>&, const Extent&, Landings&)
SIMSCOPE_FLIGHTS(float);
SIMSCOPE_FLIGHTS(double);

}  // namespace simscope::projectiles
