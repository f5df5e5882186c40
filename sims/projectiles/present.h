// Writes the views' channels: the launches in flight, the histogram of landings with the exact density over it, and the
// envelope. Thread: inside Device::run; enqueued. Channel data lies on the device.
#pragma once

#include <vector>

#include "sims/core/frame.h"
#include "sims/projectiles/evaluation.h"
#include "sims/projectiles/exact.h"
#include "sims/projectiles/flights.h"

namespace simscope::projectiles {

// At most; of more launches, every second, third, ... is drawn, which shows as much.
inline constexpr int kMostDrawn = 1 << 20;
inline constexpr int kExactPoints = 256, kEnvelopePoints = 200;

struct Presented {
  LaunchLaw law;
  FreeFlight flight;  // without drag; else
  const Flights<float>* single_flights = nullptr;
  const Flights<double>* double_flights = nullptr;
  double time = 0;
  std::uint64_t launches = 0, most_drawn = 1;
  double speed_min = 0, speed_max = 1, angle_min = 0, angle_max = 90;  // colours [m/s], [°]
  double width = 1, height = 1;  // of the picture [m]; the histogram ends at the width
  double density = 1;            // end of the histogram's axis [1/m]
};
// The channels "points", "launch_speed", "launch_angle", "speed".
void presentPoints(Frame& frame, const Presented& what);

// "landings": the share of launches in each bin, over its width.
void presentLandings(Frame& frame, const Presented& what, Landings& landings);
// "landings_exact": likewise by the law, around each of kExactPoints places. `edges`: room for kExactPoints + 1
// numbers; where `known`, they already hold the law's shares at that time.
void presentExact(Frame& frame, const Presented& what, const LandingLaw& law, double time,
                  compute::Buffer<double>& edges, bool known);

}  // namespace simscope::projectiles
