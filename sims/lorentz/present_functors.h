// The functors of present.cu.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"
#include "sims/lorentz/advance.h"
#include "sims/lorentz/fields.h"

namespace simscope::lorentz::functors {

SIMSCOPE_HD inline float lengthOf(Vec3 a) {
  return rootOf(dot(a, a));
}
// |B| at the weakest point of the field line: the pitch angle there decides whether a particle is trapped. Without a
// mirror: |B| at the particle.
template <class Field>
SIMSCOPE_HD float weakest(const Field& field, Vec3 x) {
  return lengthOf(field.at(x));
}
SIMSCOPE_HD inline float weakest(const BottleField& field, Vec3) {
  return field.b;
}
SIMSCOPE_HD inline float weakest(const DipoleField& field, Vec3 p) {
  const float r2 = dot(p, p), shell = r2 * rootOf(r2) / (p.x * p.x + p.y * p.y);
  return field.b / (shell * shell * shell);
}
SIMSCOPE_HD inline float weakest(const TokamakField& field, Vec3 p) {
  const float outwards = rootOf(p.x * p.x + p.y * p.y) - field.major;
  return lengthOf(field.at({field.major + rootOf(outwards * outwards + p.z * p.z), 0, 0}));
}

// u along B and across it, at the weakest point of the field line; both: u.
struct Split {
  float along, across, square;
};
template <class Field>
SIMSCOPE_HD Split split(const Field& field, Vec3 x, Vec3 u) {
  const Vec3 b = field.at(x);
  const float strength = lengthOf(b), along = dot(u, b) / strength, square = dot(u, u);
  const float least = fminf(1.0f, weakest(field, x) / strength);
  const float across2 = fminf(fmaxf(square - along * along, 0.0f) * least, square);
  return {copysignf(sqrtf(square - across2), along), sqrtf(across2), square};
}

// Pictures hold numbers only.
SIMSCOPE_HD inline float number(float value) {
  return std::isfinite(value) ? value : 0.0f;
}

// One of every `every` particles. Arrays that are not needed are null.
template <class Field>
struct Show {
  Field field;
  Setup setup;
  Particles all;
  std::size_t every;
  float size = 1;
  float *points = nullptr, *section = nullptr, *top = nullptr, *velocities = nullptr;
  float *energy = nullptr, *pitch = nullptr, *charge = nullptr;

  bool any() const { return points || section || top || velocities || energy || pitch || charge; }
  SIMSCOPE_HD void put(float* to, std::size_t shown, float x, float y, float z, float large) const {
    if (!to) return;
    to[4 * shown] = number(x), to[4 * shown + 1] = number(y), to[4 * shown + 2] = number(z), to[4 * shown + 3] = large;
  }
  SIMSCOPE_HD void operator()(std::size_t shown) const {
    const std::size_t i = shown * every, n = static_cast<std::size_t>(all.n);
    const Vec3 x{all.x[i], all.x[n + i], all.x[2 * n + i]}, u{all.u[i], all.u[n + i], all.u[2 * n + i]};
    const bool here = field.inside(x);
    // Particles with trails are drawn larger.
    const float usual = i < kTracers ? fmaxf(1.6f, size) : size, large = here ? usual : 0.6f * usual;
    put(points, shown, x.x, x.y, x.z, large);
    put(top, shown, x.x, x.y, x.z, large);
    put(section, shown, sqrtf(x.x * x.x + x.y * x.y), x.z, 0, large);
    if (velocities || pitch) {
      const Split s = split(field, x, u);
      // Lost particles are not drawn.
      put(velocities, shown, s.along, s.across, 0, here ? usual : 0.0f);
      if (pitch) pitch[shown] = number(57.29578f * atan2f(s.across, fabsf(s.along)));
    }
    if (energy) {
      const float square = dot(u, u);
      energy[shown] = number(square / (sqrtf(1 + square * setup.inverse_c2) + 1));
    }
    if (charge) charge[shown] = setup.both && (i & 1) ? 0.0f : 1.0f;
  }
};

// Sample of a tracer's ring, `age` samples before the newest; a ring that is not full yet begins with repetitions of
// its oldest sample.
SIMSCOPE_HD inline const float* sampleOf(const History& history, int samples, int tracer, int age) {
  const int known = age < samples ? age : samples - 1;
  const int at = (history.next - 1 - known + 2 * kSamples) % kSamples;
  return history.data + 6 * (static_cast<std::int64_t>(tracer) * kSamples + at);
}

// Oldest first.
struct Unroll {
  History history;
  int samples, shown;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int tracer = static_cast<int>(i) / shown, place = static_cast<int>(i) % shown;
    const float* const from = sampleOf(history, samples, tracer, shown - 1 - place);
    for (int k = 0; k < 3; ++k) out[3 * i + static_cast<std::size_t>(k)] = number(from[k]);
  }
};

// The first particle, or its guiding centre x + u × b/(qB), in the plane of R and z or of x and y.
template <class Field>
struct Track {
  Field field;
  History history;
  int samples, shown;
  bool guide, section;
  float* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const float* const s = sampleOf(history, samples, 0, shown - 1 - static_cast<int>(i));
    Vec3 x{s[0], s[1], s[2]};
    const Vec3 b = field.at(x);
    if (guide) x = x + (1.0f / dot(b, b)) * cross({s[3], s[4], s[5]}, b);
    out[2 * i] = section ? sqrtf(x.x * x.x + x.y * x.y) : x.x;
    out[2 * i + 1] = section ? x.z : x.y;
    if (!std::isfinite(out[2 * i] + out[2 * i + 1])) out[2 * i] = out[2 * i + 1] = NAN;
  }
};

// Curves of the first particle over the time before now.
template <class Field>
struct Curves {
  Field field;
  Setup setup;
  History history;
  int samples, plotted;
  double now = 0, spacing = 1, dt = 1;                    // time of the newest sample, and between two
  double speed2 = 0, moment = 0, along = 0, across2 = 0;  // at the start
  double drift = 0, growth = 0, bounce = 0;               // of E×B; of a step; 2π over the period, 0: not known
  bool known = true;
  float *parallel = nullptr, *parallel_exact = nullptr, *moments = nullptr, *moments_exact = nullptr;
  float *error = nullptr, *error_exact = nullptr;

  bool any() const { return parallel || parallel_exact || moments || moments_exact || error || error_exact; }
  // Decimal logarithm of a relative change.
  SIMSCOPE_HD static float decades(double change) {
    const double size = fabs(change);
    return static_cast<float>(size > 1e-9 ? log10(size < 1e30 ? size : 1e30) : -9.0);
  }
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int age = plotted - 1 - static_cast<int>(i), known_age = age < samples ? age : samples - 1;
    const float* const s = sampleOf(history, samples, 0, age);
    const double time = now - known_age * spacing;
    const Vec3 x{s[0], s[1], s[2]}, b = field.at(x);
    const double b2 = static_cast<double>(b.x) * b.x + static_cast<double>(b.y) * b.y + static_cast<double>(b.z) * b.z;
    const double strength = sqrt(b2), ux = s[3], uy = s[4], uz = s[5], u2 = ux * ux + uy * uy + uz * uz;
    const double ahead = (ux * b.x + uy * b.y + uz * b.z) / strength;
    if (parallel) parallel[i] = number(static_cast<float>(ahead));
    if (moments) {
      const double across = Field::kConstant ? ux * ux + (uy - drift) * (uy - drift) : u2 - ahead * ahead;
      moments[i] = number(static_cast<float>(across / (Field::kConstant ? across2 : 2 * strength * moment)));
    }
    if (moments_exact) moments_exact[i] = 1;
    if (parallel_exact) {
      // Closed form in the bottle, else the motion along B at the guiding centre that follows from μ.
      double value = ahead;
      if (bounce > 0) {
        value = along * cos(bounce * time);
      } else if (known) {
        const Vec3 g{static_cast<float>(x.x + (uy * b.z - uz * b.y) / b2),
                     static_cast<float>(x.y + (uz * b.x - ux * b.z) / b2),
                     static_cast<float>(x.z + (ux * b.y - uy * b.x) / b2)};
        const double left = speed2 - 2 * moment * static_cast<double>(lengthOf(field.at(g)));
        value = Field::kConstant ? along : copysign(sqrt(left > 0 ? left : 0.0), ahead);
      }
      parallel_exact[i] = number(static_cast<float>(value));
    }
    if (error || error_exact) {
      const double across = uy - drift;
      const double before = Field::kConstant ? across2 : speed2;
      const double energy = Field::kConstant ? ux * ux + across * across : u2;
      // With E, the energy of the gyration at the start is not u⊥²/2 but that in the drifting frame.
      if (error) error[i] = decades(energy / before - 1);
      if (error_exact) error_exact[i] = decades(pow(1 + growth, round(time / dt)) - 1);
    }
  }
};

}  // namespace simscope::lorentz::functors
