#include "tests/figure/point_sample.h"

#include <cmath>
#include <numbers>
#include <random>

namespace simscope::render {
namespace {

using std::numbers::pi;

Description makeDescription() {
  Description d;
  d.id = "points";
  d.title = "Gravity of many bodies";
  d.summary = "A sample";
  d.equation = "d²rᵢ/dt² = −G Σ mⱼ (rᵢ − rⱼ)/(|rᵢ − rⱼ|² + ε²)^(3/2)";
  auto parameters = std::make_shared<std::vector<ParameterInfo>>();
  ParameterInfo info;
  info.key = "bodies";
  info.title = "Bodies";
  info.kind = Kind::Integer;
  info.initial = std::int64_t{8192};
  info.minimum = 1;
  info.maximum = 1e8;
  parameters->push_back(info);
  d.parameters = parameters;
  PointView bodies;
  bodies.space = {"", "length"};
  bodies.value = {"speed", "length/time"};
  bodies.channel = "bodies";
  bodies.value_channel = "speed";
  bodies.kind_channel = "speed";
  bodies.trail_channel = "trails";
  PointView plain = bodies;
  plain.value_channel.clear();
  plain.trail_channel.clear();
  d.views = {{"bodies", "Bodies by speed", bodies}, {"plain", "Bodies", plain}};
  return d;
}

// Numbers from 0 to 1 that are the same everywhere, which distributions of the standard library are not.
class Random {
 public:
  double operator()() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log((*this)())) * std::cos(2 * pi * (*this)()); }

 private:
  std::mt19937_64 engine_{42};
};

}  // namespace

const Description& pointDescription() {
  static const Description description = makeDescription();
  return description;
}

Frame pointFrame(const compute::DevicePtr& device, const std::vector<SamplePoint>& points, double half_edge, double low,
                 double high) {
  Frame frame;
  frame.device = device;
  frame.time = 1.25;
  frame.steps = 100;
  frame.time_step = frame.time / 100;
  std::vector<float> places, values;
  for (const SamplePoint& p : points) {
    for (const double v : {p.x, p.y, p.z, p.size}) places.push_back(static_cast<float>(v));
    values.push_back(static_cast<float>(p.value));
  }
  Channel& bodies = frame.channel("bodies", static_cast<int>(points.size()), 1, 4);
  bodies.data.upload(places);
  bodies.x_min = -half_edge;
  bodies.x_max = half_edge;
  Channel& speed = frame.channel("speed", static_cast<int>(points.size()));
  speed.data.upload(values);
  speed.low = low;
  speed.high = high;
  frame.ready = compute::Fence(*device);
  return frame;
}

void addTrails(Frame& frame, const std::vector<std::vector<Place>>& trails) {
  std::vector<float> all;
  for (const auto& trail : trails) {
    for (const Place& place : trail) {
      for (const double c : place) all.push_back(static_cast<float>(c));
    }
  }
  Channel& channel =
      frame.channel("trails", static_cast<int>(trails.front().size()), static_cast<int>(trails.size()), 3);
  channel.data.upload(all);
  frame.ready = compute::Fence(*frame.device);
}

std::vector<SamplePoint> plummerSphere(int count) {
  Random random;
  std::vector<SamplePoint> points;
  while (static_cast<int>(points.size()) < count) {
    const double radius = 0.59 / std::sqrt(std::pow(random(), -2.0 / 3) - 1);
    const double cosine = 2 * random() - 1, angle = 2 * pi * random(), sine = std::sqrt(1 - cosine * cosine);
    const double escape = std::sqrt(2.0) * std::pow(1 + radius * radius / 0.348, -0.25);
    if (radius > 12) continue;
    points.push_back({radius * sine * std::cos(angle), radius * sine * std::sin(angle), radius * cosine, 1,
                      escape * std::sqrt(random()) * 0.9});
  }
  return points;
}

std::vector<SamplePoint> twoDiscs(int count) {
  Random random;
  std::vector<SamplePoint> points;
  for (int i = 0; i < count; ++i) {
    const bool second = i % 2 == 1;
    const double radius = -0.35 * std::log(random() * random()), angle = 2 * pi * random();
    const double arm = 0.35 * std::cos(2 * (angle - 3 * std::log(radius + 0.1)));
    const double x = radius * std::cos(angle + arm), y = radius * std::sin(angle + arm), z = 0.03 * random.normal();
    const double tilt = second ? 1.1 : 0.2, c = std::cos(tilt), s = std::sin(tilt);
    const double speed = std::sqrt(radius / (radius + 0.3)) * (0.9 + 0.1 * random.normal());
    points.push_back({x + (second ? 1.3 : -1.3), y * c - z * s + (second ? 0.5 : -0.5), y * s + z * c, 1, speed});
  }
  return points;
}

Frame threeBodies(const compute::DevicePtr& device) {
  constexpr int kSamples = 200;
  const std::array<double, 3> radii = {0.35, 0.8, 1.3}, sizes = {1.6, 1, 0.7}, values = {0.95, 0.55, 0.15};
  std::vector<SamplePoint> points;
  std::vector<std::vector<Place>> trails(3);
  for (std::size_t k = 0; k < 3; ++k) {
    for (int i = 0; i <= kSamples; ++i) {
      const double angle = 2.1 * static_cast<double>(k) + 0.022 * i / std::pow(radii[k], 0.8);
      const Place place = {radii[k] * std::cos(angle), radii[k] * std::sin(angle),
                           0.3 * radii[k] * std::sin(2 * angle)};
      if (i < kSamples) {
        trails[k].push_back(place);
      } else {
        points.push_back({place[0], place[1], place[2], sizes[k], values[k]});
      }
    }
  }
  Frame frame = pointFrame(device, points, 1.5);
  addTrails(frame, trails);
  return frame;
}

}  // namespace simscope::render
