#include "sims/maxwell_boltzmann/present.h"

#include <algorithm>
#include <vector>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"

namespace simscope::maxwell_boltzmann {
namespace functors {

struct Density {
  const std::uint64_t* counts;  // of the first bin
  double scale;
  float* density;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    density[i] = static_cast<float>(static_cast<double>(counts[i]) * scale);
  }
};

SIMSCOPE_HD inline void showAt(float* points, std::size_t i, double x, double y, float size) {
  points[4 * i] = static_cast<float>(x);
  points[4 * i + 1] = static_cast<float>(y);
  points[4 * i + 2] = 0;
  points[4 * i + 3] = size;
}
SIMSCOPE_HD inline void showMolecule(const PointChannels& to, std::size_t i, double x, double y, double vx, double vy,
                                     double speed) {
  if (to.box) showAt(to.box, i, x, y, to.box_size);
  if (to.velocities) showAt(to.velocities, i, vx, vy, to.velocity_size);
  if (to.speed) to.speed[i] = static_cast<float>(speed);
}

struct ShowDisc {
  const Disc* discs;
  PointChannels to;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const Disc d = discs[i * static_cast<std::size_t>(to.every)];
    const double vx = d.vx * kMetresPerSecond, vy = d.vy * kMetresPerSecond;
    showMolecule(to, i, d.x, d.y, vx, vy, std::sqrt(vx * vx + vy * vy));
  }
};

struct ShowMolecule {
  Draw draw;
  double length, sigma;
  PointChannels to;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::uint64_t molecule = i * static_cast<std::size_t>(to.every), group = molecule / kInGroup;
    float z[3];
    for (std::uint64_t k = 0; k < 3; ++k) {
      const std::uint64_t at = molecule % kInGroup * 3 + k;
      z[k] = draw.normals(group, static_cast<std::uint32_t>(at / 4)).z[at % 4];
    }
    // The position is independent of the velocity: random, and constant in time.
    const compute::Uniform4 place = compute::uniform4(draw.seed, kPlaceStream, molecule);
    const double speed = std::sqrt(static_cast<double>(speedSquared(z[0], z[1], z[2])));
    showMolecule(to, i, (place.u[0] - 0.5) * length, (place.u[1] - 0.5) * length, static_cast<double>(z[0]) * sigma,
                 static_cast<double>(z[1]) * sigma, speed * sigma);
  }
};

struct ShowRecords {
  Shown from;
  int span;  // number of records in a mean pressure
  PressureUnits units;
  double discs;
  float *h, *virial, *walls;
  SIMSCOPE_HD const Record& ofAge(int age) const { return from.records[(from.newest - age + 2 * kRecords) % kRecords]; }
  SIMSCOPE_HD void operator()(std::size_t k) const {
    const int last = from.available - 1, age = kRecords - 1 - static_cast<int>(k);
    if (h) {
      h[k] = static_cast<float>(VelocityGrid::hOf(ofAge(age < last ? age : last).logs, discs));
    }
    const int oldest = last - span > 0 ? last - span : 0, to = age < oldest ? age : oldest;
    const Totals now = ofAge(to).totals, before = ofAge(to + span < last ? to + span : last).totals;
    const double time = now.time - before.time, per_time = time > 0 ? 1 / time : 0;
    if (virial) {
      virial[k] =
          static_cast<float>(units.ideal + units.virial * static_cast<double>(now.virial - before.virial) * per_time);
    }
    if (walls) walls[k] = static_cast<float>(units.walls * static_cast<double>(now.walls - before.walls) * per_time);
  }
};

}  // namespace functors

namespace {

constexpr double kToKilometres = 1e3;  // a density in s/m is a thousandth of that in s/km
constexpr int kSpan = 32;              // records
constexpr double kPlaneShare = 0.6;    // of the axis of speeds: extent of the plane of velocities and of the colours

Channel& curve(Frame& frame, const char* key, int width, double x_min, double x_max, double low, double high) {
  Channel& made = frame.channel(key, width);
  made.x_min = x_min;
  made.x_max = x_max;
  made.low = low;
  made.high = high;
  return made;
}

}  // namespace

void presentHistograms(Frame& frame, const Parameters& p, double kelvin, const Counts& counts, double total) {
  const double sigma = p.sigmaAt(kelvin), axis = p.speed_axis;
  const SpeedDistribution speeds(p.dimensions(), sigma);
  const int bins = binsFor(p.molecules);
  // Fixed while the temperature is that of the axis, so that a heated gas visibly spreads.
  const double high_speed = std::max(4.2 / axis, 1.15 * speeds.peak()) * kToKilometres;
  const double high_component = std::max(2.8 / axis, 1.15 * normalDensity(0) / sigma) * kToKilometres;
  const auto bars = [&](const char* key, int histogram, double low, double high) {
    if (!frame.wants(key)) return;
    Channel& made = curve(frame, key, bins, low, axis, 0, high);
    const double width = (axis - low) / bins, scale = total > 0 ? kToKilometres / (total * width) : 0;
    compute::parallelFor(*frame.device, static_cast<std::size_t>(bins),
                         functors::Density{counts.data() + histogram * kPlaces + 1, scale, made.data.data()});
  };
  const auto exact = [&](const char* key, double low, double high, const auto& density) {
    if (!frame.wants(key)) return;
    std::vector<float> values;
    for (int i = 0; i < kCurvePoints; ++i) {
      const double v = low + i * (axis - low) / kCurvePoints;
      values.push_back(static_cast<float>(density(v) * kToKilometres));
    }
    curve(frame, key, kCurvePoints, low, axis, 0, high).data.upload(values);
  };
  bars("speeds", kSpeeds, 0, high_speed);
  exact("speeds_exact", 0, high_speed, [&](double v) { return speeds.density(v); });
  const double step = axis / kCurvePoints, marked[] = {speeds.mostProbable(), speeds.mean(), speeds.rootMeanSquare()};
  exact("marks", 0, high_speed, [&](double v) {
    const bool here =
        std::any_of(std::begin(marked), std::end(marked), [&](double m) { return std::abs(m - v - step) < step; });
    return here ? speeds.density(v) : 0.0;
  });
  const char* const components[] = {"velocity_x", "velocity_y", "velocity_z"};
  for (int k = 0; k < 3; ++k) bars(components[k], k, -axis, high_component);
  exact("velocity_exact", -axis, high_component, [&](double v) { return normalDensity(v / sigma) / sigma; });
}

PointChannels pointChannels(Frame& frame, const Parameters& p, double kelvin) {
  PointChannels to;
  to.every = p.discs() ? 1 : (p.molecules - 1) / kIdealShown + 1;
  to.shown = (p.molecules - 1) / to.every + 1;
  // The figure draws points of size 1 with this share of the box's edge: discs are drawn to scale.
  const double usual = 0.08 / std::cbrt(static_cast<double>(to.shown));
  to.box_size = static_cast<float>(std::clamp((p.discs() ? p.diameter / p.boxLength() : 0.008) / usual, 0.2, 8.0));
  to.velocity_size = static_cast<float>(0.0055 / usual);
  const auto points = [&](const char* key, double half) -> float* {
    if (!frame.wants(key)) return nullptr;
    Channel& made = frame.channel(key, to.shown, 1, 4);
    made.x_min = made.y_min = -half;
    made.x_max = made.y_max = half;
    made.every = to.every;
    made.of = p.molecules;
    return made.data.data();
  };
  to.box = points("box", 0.5 * p.boxLength());
  const double fastest = kPlaneShare * p.speed_axis;
  to.velocities = points("velocities", fastest);
  if (frame.wants("circle")) {
    constexpr int kPoints = 181;
    Channel& circle = frame.channel("circle", kPoints, 1, 2);
    circle.x_min = circle.y_min = -fastest;
    circle.x_max = circle.y_max = fastest;
    std::vector<float> places;
    const double radius = SpeedDistribution(p.dimensions(), p.sigmaAt(kelvin)).mostProbable();
    for (int i = 0; i < kPoints; ++i) {
      const double angle = 2 * std::numbers::pi * i / (kPoints - 1);
      places.push_back(static_cast<float>(radius * std::cos(angle)));
      places.push_back(static_cast<float>(radius * std::sin(angle)));
    }
    circle.data.upload(places);
  }
  if (!frame.wants("speed")) return to;
  Channel& speed = frame.channel("speed", to.shown);
  speed.low = 0;
  speed.high = kPlaneShare * p.speed_axis;
  to.speed = speed.data.data();
  return to;
}

void presentDiscs(compute::Device& device, const DiscBox& box, const PointChannels& to) {
  if (!to.box && !to.velocities && !to.speed) return;
  compute::parallelFor(device, static_cast<std::size_t>(to.shown), functors::ShowDisc{box.discs().data(), to});
}

void presentIdeal(compute::Device& device, const Draw& draw, const Parameters& p, double kelvin,
                  const PointChannels& to) {
  if (!to.box && !to.velocities && !to.speed) return;
  constexpr std::size_t kGrain = 1024;
  compute::parallelFor(device, static_cast<std::size_t>(to.shown),
                       functors::ShowMolecule{draw, p.boxLength(), p.sigmaAt(kelvin), to}, kGrain);
}

PressureUnits pressureUnits(const Parameters& p, double kelvin) {
  // 1 kg nm²/ps² = 10⁶ J; J/nm² = 10²¹ mN/m; kg/ps² = 10²⁷ mN/m.
  return {idealPressure(p, kelvin), 0.5 * p.mass * kImpulse * p.diameter * 1e6 / p.area() * 1e21,
          p.mass * kImpulse / (4 * std::sqrt(p.area())) * 1e27};
}

void presentRecords(Frame& frame, const Parameters& asked, double kelvin, const Shown& shown) {
  const Parameters p = asked.discs() ? asked : Parameters{.model = Model::Discs};  // for axes without discs
  if (!asked.discs()) kelvin = p.temperature;
  const double window = -kRecords * shown.interval, top = 1.6 * pressureOf(p, kelvin);
  const auto made = [&](const char* key, int width, double low, double high) -> float* {
    return frame.wants(key) ? curve(frame, key, width, window, 0, low, high).data.data() : nullptr;
  };
  const auto level = [&](const char* key, double low, double high, double value) {
    if (!made(key, kRecords, low, high)) return;
    frame.channel(key, kRecords).data.upload(std::vector<float>(kRecords, static_cast<float>(value)));
  };
  const double rest = equilibriumH(p.molecules), low = rest - 0.15, high = std::max(shown.h_start, rest + 0.4) + 0.15;
  level("h_exact", low, high, rest);
  level("pressure_exact", 0, top, pressureOf(p, kelvin));
  level("pressure_ideal", 0, top, idealPressure(p, kelvin));
  functors::ShowRecords show{shown,
                             kSpan,
                             pressureUnits(p, kelvin),
                             static_cast<double>(p.molecules),
                             made("h", kRecords, low, high),
                             made("pressure", kRecords, 0, top),
                             made("pressure_walls", kRecords, 0, top)};
  if (shown.records) {
    compute::parallelFor(*frame.device, kRecords, show);
    return;
  }
  for (const char* const key : {"h", "pressure", "pressure_walls"}) {
    if (frame.wants(key)) frame.channel(key, kRecords).data.zero();
  }
}

}  // namespace simscope::maxwell_boltzmann
