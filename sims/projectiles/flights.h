// Flights with drag: the motion of every launch in device memory, advanced by Runge and Kutta's scheme until it lands.
//
// Thread: inside Device::run; enqueued, except statistics(), which waits. Owner: Flights owns its buffer.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sims/compute/buffer.h"
#include "sims/core/clock.h"
#include "sims/projectiles/drag.h"
#include "sims/projectiles/evaluation.h"
#include "sims/projectiles/launch.h"

namespace simscope::projectiles {

// Rows of `count` numbers each, so that neighbours are read together.
template <class Real>
struct FlightRows {
  Real* rows;
  std::size_t count;

  static constexpr int kRows = 6;
  SIMSCOPE_HD Real& x(std::size_t i) const { return rows[i]; }
  SIMSCOPE_HD Real& y(std::size_t i) const { return rows[count + i]; }
  SIMSCOPE_HD Real& vx(std::size_t i) const { return rows[2 * count + i]; }
  SIMSCOPE_HD Real& vy(std::size_t i) const { return rows[3 * count + i]; }
  SIMSCOPE_HD Real& duration(std::size_t i) const { return rows[4 * count + i]; }  // of the flight; -1: not landed
  SIMSCOPE_HD Real& apex(std::size_t i) const { return rows[5 * count + i]; }      // known once it sinks; before, h
  SIMSCOPE_HD Motion<Real> motion(std::size_t i) const { return {x(i), y(i), vx(i), vy(i)}; }
};

template <class Real>
using Flights = compute::Buffer<Real>;  // FlightRows::kRows · launches

struct Statistics {
  double landed = 0, range = 0, duration = 0;  // how many, and sums over them
  double most_range = 0, highest = 0;
  double energy = 0, energy_at_launch = 0;  // per unit of mass, now or at landing: ½v² + g y
  double off_exact = 0;                     // linear drag: the largest distance from the closed form [m]
  double not_finite = 0;
};

template <class Real>
void launchAll(const LaunchLaw& law, double height, Flights<Real>& flights);

// `steps` steps from `first` on, in one pass over memory.
template <class Real>
void advance(Flights<Real>& flights, const DragLaw<double>& drag, const Clock& clock, std::int64_t first, int steps,
             double time_step);

template <class Real>
Statistics statistics(const Flights<Real>& flights, const LaunchLaw& law, const Parameters& parameters, double time);

// The histogram of the landed launches; Landings' tally is unchanged.
template <class Real>
void countLandings(const Flights<Real>& flights, const Extent& extent, Landings& landings);

}  // namespace simscope::projectiles
