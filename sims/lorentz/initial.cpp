#include "sims/lorentz/initial.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/compute/elementary.h"
#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/random/random.h"
#include "sims/lorentz/exact.h"
#include "sims/lorentz/fields.h"

namespace simscope::lorentz {
namespace {

struct Three {
  double x, y, z;
};
Three crossed(Three a, Three b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

struct Maker {
  const Parameters& p;
  Setup setup;
  std::uint64_t seed;
  std::int64_t n;
  double first_cosine;  // of Weyl's sequence
  float *x, *u;

  static constexpr std::int64_t kBlock = 4096;
  static void run(const void* context, std::size_t block) {
    const Maker& self = *static_cast<const Maker*>(context);
    const auto begin = static_cast<std::int64_t>(block) * kBlock;
    withField(self.setup, [&](const auto& field) {
      for (std::int64_t i = begin; i < std::min(self.n, begin + kBlock); ++i) self.make(field, i);
    });
  }

  // A beam's place, or else the guiding centre.
  Three centre(std::int64_t i) const {
    const auto index = static_cast<std::uint64_t>(i);
    const auto drawn = compute::normal4(seed, 0, index);
    const double wide = i == 0 ? 0 : p.cloud, a = wide * drawn.z[0], b = wide * drawn.z[1], c = wide * drawn.z[2];
    switch (p.configuration) {
      case Configuration::Bottle:
        return {a, b, 0};
      case Configuration::Dipole:
        return {std::max(p.shell + a, 0.5 * (1 + p.shell)), b, 0};
      case Configuration::Tokamak: {
        const double most = 0.85 * p.minorRadius(), radius = p.major_radius + std::clamp(most / 1.7 + a, -most, most);
        const double turn = i == 0 ? 0 : compute::uniform4(seed, 2, index).u[3];
        return {radius * compute::cosineOfTurns(turn), radius * compute::sineOfTurns(turn), 0};
      }
      default:
        break;
    }
    // Where E makes them drift, they begin on the other side; a beam begins below.
    const double side = setup.electric * setup.field > 0 ? 0.6 : setup.electric * setup.field < 0 ? -0.6 : 0;
    const double across = p.in(Configuration::Gradient) ? 0 : side * p.extent;
    return {a, across + b, p.beam() ? (p.pitch == 90 ? 0 : -0.85 * p.extent) : c};
  }

  template <class Field>
  void make(const Field& field, std::int64_t i) const {
    const auto index = static_cast<std::uint64_t>(i);
    Three at = centre(i);
    const Vec3 b = field.at({static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
    const double strength = std::sqrt(double{b.x} * b.x + double{b.y} * b.y + double{b.z} * b.z);
    const Three along{b.x / strength, b.y / strength, b.z / strength};
    const bool upright = std::abs(along.z) > 0.5;
    Three e1 = crossed(upright ? Three{0, 1, 0} : Three{0, 0, 1}, along);
    const double length = std::sqrt(e1.x * e1.x + e1.y * e1.y + e1.z * e1.z);
    e1 = {e1.x / length, e1.y / length, e1.z / length};
    const Three e2 = crossed(along, e1);

    const auto drawn = compute::uniform4(seed, 1, index);
    const double pitch = p.pitch * std::numbers::pi / 180;
    double speed = p.speed, cosine = compute::cosine(pitch), sine = compute::sine(pitch), turn = drawn.u[0];
    if (i == 0) {
      turn = 0;
    } else if (p.beam()) {
      sine *= std::sqrt(drawn.u[1]);
    } else {
      constexpr double kGolden = 0.6180339887498949;
      const double place = first_cosine + kGolden * static_cast<double>(i);
      cosine = 2 * (place - std::floor(place)) - 1;
      sine = std::sqrt(std::max(0.0, 1 - cosine * cosine));
      const auto z = compute::normal4(seed, 3, index);
      if (p.velocities == Velocities::Maxwell) {
        speed *= std::sqrt(z.z[0] * z.z[0] + z.z[1] * z.z[1] + z.z[2] * z.z[2]);
      }
    }
    const double ahead = speed * cosine, s1 = speed * sine * compute::cosineOfTurns(turn),
                 s2 = speed * sine * compute::sineOfTurns(turn);
    const Three v{ahead * along.x + s1 * e1.x + s2 * e2.x, ahead * along.y + s1 * e1.y + s2 * e2.y,
                  ahead * along.z + s1 * e1.z + s2 * e2.z};
    if (!p.beam() || !p.in(Configuration::Uniform)) {
      // The particle is at b × u/(qB) from its guiding centre.
      const Three from = crossed(along, v);
      const double radius = setup.charge(static_cast<unsigned>(i)) / strength;
      const Three place{at.x + radius * from.x, at.y + radius * from.y, at.z + radius * from.z};
      // Where B is another there (next to a zero of B, infinitely far away), it is no circle, and has no centre.
      const double change = strengthAt(setup, {place.x, place.y, place.z}) / strength;
      constexpr double kOther = 3;
      if (change < kOther && change > 1 / kOther) at = place;
    }
    const double place[] = {at.x, at.y, at.z}, velocity[] = {v.x, v.y, v.z};
    for (int k = 0; k < 3; ++k) {
      x[k * n + i] = static_cast<float>(place[k]);
      u[k * n + i] = static_cast<float>(velocity[k]);
    }
  }
};

}  // namespace

Start makeStart(const compute::DevicePtr& device, const Parameters& p, std::uint64_t seed) {
  Start start;
  const auto n = static_cast<std::size_t>(p.particles);
  start.x.resize(3 * n);
  start.u.resize(3 * n);
  const Maker maker{
      p, p.setup(), seed, p.particles, compute::uniform4(seed, 4, 0).u[0], start.x.data(), start.u.data()};
  const std::size_t blocks = (n + Maker::kBlock - 1) / Maker::kBlock;
  const auto make = [&](compute::Device& host) { compute::detail::runBlocks(host, blocks, &Maker::run, &maker); };
  if (!device->isCuda()) {
    make(*device);
  } else {
    const compute::DevicePtr host = compute::Device::open("cpu");
    host->run([&] { make(*host); });
  }
  return start;
}

}  // namespace simscope::lorentz
