#include "sims/lorentz/measure.h"

#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/lorentz/fields.h"

namespace simscope::lorentz {
namespace functors {

struct AddTotals {
  SIMSCOPE_HD Totals operator()(const Totals& a, const Totals& b) const {
    return {a.kinetic + b.kinetic,
            a.potential + b.potential,
            a.gyration + b.gyration,
            a.guide + b.guide,
            a.drift + b.drift,
            a.spread2 + b.spread2,
            a.spread2_exact + b.spread2_exact,
            a.moving + b.moving,
            a.coarse + b.coarse,
            a.bad + b.bad,
            a.turn > b.turn ? a.turn : b.turn,
            a.wide + b.wide};
  }
};

// |∇B|/B there, about.
SIMSCOPE_HD inline double changeOf(const UniformField&, const Vec3&, double) {
  return 0;
}
SIMSCOPE_HD inline double changeOf(const GradientField& f, const Vec3&, double strength) {
  return std::fabs(double{f.slope}) / strength;
}
SIMSCOPE_HD inline double changeOf(const BottleField& f, const Vec3&, double) {
  return std::sqrt(double{f.curvature} / f.b);
}
SIMSCOPE_HD inline double changeOf(const DipoleField&, const Vec3& p, double) {
  return 3 / std::sqrt(double{p.x} * p.x + double{p.y} * p.y + double{p.z} * p.z);
}
SIMSCOPE_HD inline double changeOf(const TokamakField&, const Vec3& p, double) {
  return 1 / std::sqrt(double{p.x} * p.x + double{p.y} * p.y);
}

template <class Field>
struct TotalsOf {
  Field field;
  Setup setup;
  Particles all;
  double time, line_y;

  SIMSCOPE_HD Totals operator()(std::size_t i) const {
    const std::size_t n = static_cast<std::size_t>(all.n);
    const Vec3 place{all.x[i], all.x[n + i], all.x[2 * n + i]};
    const double x = place.x, y = place.y, ux = all.u[i], uy = all.u[n + i], uz = all.u[2 * n + i];
    const double u2 = ux * ux + uy * uy + uz * uz, gamma = std::sqrt(1 + u2 * setup.inverse_c2);
    const double charge = setup.both && (i & 1) ? -1 : 1, e = setup.electric;
    const Vec3 b = field.at(place);
    const double strength2 = double{b.x} * b.x + double{b.y} * b.y + double{b.z} * b.z, strength = std::sqrt(strength2);
    Totals t{};
    t.kinetic = u2 / (gamma + 1);
    t.potential = -charge * e * x;
    if (Field::kAlongZ) {
      // The frame of E×B/B² is that of the classical case.
      const double drift = -e / b.z, across = uy - drift, turn = charge * b.z;
      t.gyration = 0.5 * (ux * ux + across * across);
      // Guiding centre: x + u × b/(qB)
      const double guide = y - ux / turn;
      t.guide = Field::kConstant ? guide : charge * guide;
      const double there = Field::kConstant ? b.z : field.at({static_cast<float>(x + uy / turn), 0, 0}).z;
      t.drift =
          Field::kConstant ? drift : (ux * ux + uy * uy) / (2 * gamma) * (setup.field / setup.length) / (there * there);
      const double off = y - (line_y + drift * time), from = x, half = b.z * time / (2 * gamma), s = 2 * std::sin(half);
      t.spread2 = from * from + off * off;
      t.spread2_exact = 2 * t.gyration * s * s / strength2;
    }
    t.moving = field.inside(place) ? 1 : 0;
    t.turn = t.moving > 0 ? setup.time_step * strength / gamma : 0;
    t.coarse = t.turn > kCoarse ? 1 : 0;
    const double along = (ux * b.x + uy * b.y + uz * b.z) / strength, across2 = u2 - along * along;
    const double widest = kWide * strength / changeOf(field, place, strength);
    t.wide = t.moving > 0 && across2 > widest * widest ? 1 : 0;
    t.bad = std::isfinite(x + y + place.z + u2) ? 0 : 1;
    return t;
  }
};

struct CopySample {
  const float* ring;
  std::int64_t first, every, wrap;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const auto sample = static_cast<std::int64_t>(i / 6), number = static_cast<std::int64_t>(i % 6);
    to[i] = ring[6 * ((first + sample * every) % wrap) + number];
  }
};

}  // namespace functors

void copySamples(compute::Device& device, const float* ring, std::int64_t first, std::int64_t every, std::int64_t wrap,
                 float* to, std::int64_t count) {
  if (count <= 0) return;
  compute::parallelFor(device, static_cast<std::size_t>(6 * count), functors::CopySample{ring, first, every, wrap, to});
}

Totals measure(compute::Device& device, const Setup& setup, const Particles& particles, double time, double line_y) {
  Totals totals{};
  withField(setup, [&](const auto& field) {
    using Of = functors::TotalsOf<std::remove_cvref_t<decltype(field)>>;
    totals = compute::reduce(device, static_cast<std::size_t>(particles.n), Totals{},
                             Of{field, setup, particles, time, line_y}, functors::AddTotals{});
  });
  return totals;
}

}  // namespace simscope::lorentz
