#include "sims/projectiles/present.h"

#include <algorithm>

#include "sims/compute/loops/parallel.h"

namespace simscope::projectiles {
namespace functors {

// One of every `every` launches. Arrays that are not wanted are null.
struct ShownLaunch {
  LaunchLaw law;
  std::size_t every;
  float *points, *launch_speed, *launch_angle, *speed;

  SIMSCOPE_HD void write(std::size_t shown, const Launch& launch, float x, float y, float vx, float vy,
                         bool in_flight) const {
    if (points) {
      points[4 * shown] = x;
      points[4 * shown + 1] = y;
      points[4 * shown + 2] = 0.0f;
      points[4 * shown + 3] = in_flight ? 1.0f : 0.0f;
    }
    if (launch_speed) launch_speed[shown] = launch.speed;
    if (launch_angle) launch_angle[shown] = 45.0f + launch.tilt * (180 / std::numbers::pi_v<float>);
    if (speed) speed[shown] = std::sqrt(vx * vx + vy * vy);
  }
};

struct ShowFree {
  ShownLaunch shown;
  FreeFlight flight;
  float time;
  bool raised;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Launch launch = shown.law(i * shown.every);
    const float lands = flight.duration(launch, raised);
    const bool in_flight = time < lands;
    const float now = in_flight ? time : lands, y = flight.heightAt(launch, now);
    shown.write(i, launch, launch.vx * now, in_flight && y > 0.0f ? y : 0.0f, launch.vx,
                launch.vy - flight.gravity * now, in_flight);
  }
};

template <class Real>
struct ShowFlown {
  ShownLaunch shown;
  FlightRows<Real> flights;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t from = i * shown.every;
    const Motion<Real> now = flights.motion(from);
    shown.write(i, shown.law(from), static_cast<float>(now.x), static_cast<float>(now.y), static_cast<float>(now.vx),
                static_cast<float>(now.vy), !(flights.duration(from) >= 0));
  }
};

struct DensityOf {
  const std::uint32_t* counts;
  double unit;
  float* density;
  SIMSCOPE_HD void operator()(std::size_t bin) const { density[bin] = static_cast<float>(counts[bin] * unit); }
};

// The law's share up to the edges of cells about the places 0, w, 2w, ...; the first cell is half a cell.
struct ShareAtEdge {
  LandingLaw law;
  double spacing, time;
  double* shares;
  SIMSCOPE_HD void operator()(std::size_t edge) const {
    shares[edge] = edge == 0 ? 0 : law.share((static_cast<double>(edge) - 0.5) * spacing, time);
  }
};
struct DensityBetweenEdges {
  const double* shares;
  double spacing;
  float* density;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double share = shares[i + 1] - shares[i], cell = i == 0 ? 0.5 * spacing : spacing;
    density[i] = static_cast<float>(share > 0 ? share / cell : 0);
  }
};

}  // namespace functors

namespace {

constexpr std::size_t kPointGrain = 4096, kEdgeGrain = 4;

template <class Real>
void showFlown(compute::Device& device, std::size_t drawn, const functors::ShownLaunch& shown,
               const Flights<Real>& flights) {
  // Read only.
  const FlightRows<Real> rows{const_cast<Real*>(flights.data()), flights.size() / FlightRows<Real>::kRows};
  compute::parallelFor(device, drawn, functors::ShowFlown<Real>{shown, rows}, kPointGrain);
}

Channel& curve(Frame& frame, const char* key, int points, const Presented& what) {
  Channel& channel = frame.channel(key, points);
  channel.x_min = 0;
  channel.x_max = what.width;
  channel.low = 0;
  channel.high = what.density;
  return channel;
}

}  // namespace

void presentPoints(Frame& frame, const Presented& what) {
  const std::uint64_t every = (what.launches + what.most_drawn - 1) / what.most_drawn;
  const std::uint64_t drawn = (what.launches + every - 1) / every;
  const auto wanted = [&](const char* key, int components, double low, double high) -> float* {
    if (!frame.wants(key)) return nullptr;
    Channel& channel = frame.channel(key, static_cast<int>(drawn), 1, components);
    channel.low = low;
    channel.high = high > low ? high : low + 1;
    channel.x_min = channel.y_min = 0;
    channel.x_max = what.width;
    channel.y_max = what.height;
    channel.every = static_cast<int>(every);
    channel.of = static_cast<std::int64_t>(what.launches);
    return channel.data.data();
  };
  functors::ShownLaunch shown{what.law, every, nullptr, nullptr, nullptr, nullptr};
  shown.points = wanted("points", 4, 0, 1);
  shown.launch_speed = wanted("launch_speed", 1, what.speed_min, what.speed_max);
  shown.launch_angle = wanted("launch_angle", 1, what.angle_min, what.angle_max);
  shown.speed = wanted("speed", 1, 0, what.speed_max);
  if (!shown.points && !shown.launch_speed && !shown.launch_angle && !shown.speed) return;
  if (what.single_flights) return showFlown(*frame.device, drawn, shown, *what.single_flights);
  if (what.double_flights) return showFlown(*frame.device, drawn, shown, *what.double_flights);
  const functors::ShowFree free{shown, what.flight, static_cast<float>(what.time), what.flight.height > 0.0f};
  compute::parallelFor(*frame.device, drawn, free, kPointGrain);
}

void presentLandings(Frame& frame, const Presented& what, Landings& landings) {
  Channel& bars = curve(frame, "landings", landings.bins(), what);
  const double unit = landings.bins() / (what.width * static_cast<double>(what.launches));
  compute::parallelFor(*frame.device, static_cast<std::size_t>(landings.bins()),
                       functors::DensityOf{landings.counts(), unit, bars.data.data()});
}

void presentExact(Frame& frame, const Presented& what, const LandingLaw& law, double time,
                  compute::Buffer<double>& edges, bool known) {
  Channel& line = curve(frame, "landings_exact", kExactPoints, what);
  const double spacing = what.width / kExactPoints;
  if (!known) {
    compute::parallelFor(*frame.device, kExactPoints + 1, functors::ShareAtEdge{law, spacing, time, edges.data()},
                         kEdgeGrain);
  }
  compute::parallelFor(*frame.device, kExactPoints,
                       functors::DensityBetweenEdges{edges.data(), spacing, line.data.data()});
}

}  // namespace simscope::projectiles
