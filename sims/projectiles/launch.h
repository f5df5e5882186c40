// How projectiles are launched, and their flight without drag. On host and device; every launch is a pure function of
// seed and number, so that none is stored. Single precision with separate products and sums: the same bits on both
// backends if nothing is fused.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "sims/compute/host_device.h"
#include "sims/compute/random/random.h"
#include "sims/projectiles/parameters.h"

namespace simscope::projectiles {

struct Launch {
  float speed;   // [m/s]
  float tilt;    // angle less 45° [rad]: the series below are about 0
  float vx, vy;  // [m/s]
};

struct LaunchLaw {
  std::uint64_t seed;
  float speed_min, speed_span, tilt_min, tilt_span;
  // Uniform angles: 1 and 0. The two bounds in turn: 0 and 1. They are numbers, so that a loop over launches has no
  // branch.
  float spread, alternation;

  // Two launches share a draw of four numbers; number i takes half of draw i/2.
  SIMSCOPE_HD Launch from(float first, float second, float odd) const {
    Launch launch;
    launch.speed = speed_min + speed_span * first;
    launch.tilt = tilt_min + tilt_span * (spread * second + alternation * odd);
    // Taylor's series on [-π/4, π/4]: the error is below 3e-9.
    const float t = launch.tilt, z = t * t;
    const float sine = t * (1.0f + z * (-1.0f / 6 + z * (1.0f / 120 + z * (-1.0f / 5040 + z * (1.0f / 362880)))));
    const float cosine =
        1.0f + z * (-0.5f + z * (1.0f / 24 + z * (-1.0f / 720 + z * (1.0f / 40320 + z * (-1.0f / 3628800)))));
    const float half = std::numbers::sqrt2_v<float> / 2 * launch.speed;
    launch.vx = half * (cosine - sine);
    launch.vy = half * (cosine + sine);
    return launch;
  }
  SIMSCOPE_HD Launch operator()(std::uint64_t i) const {
    const compute::Uniform4f draw = compute::uniform4f(seed, 0, i / 2);
    return i % 2 != 0 ? from(draw.u[2], draw.u[3], 1.0f) : from(draw.u[0], draw.u[1], 0.0f);
  }
};

inline LaunchLaw launchLaw(const Parameters& p, std::uint64_t seed) {
  constexpr double kPerDegree = std::numbers::pi / 180;
  return {seed,
          static_cast<float>(p.speed_min),
          static_cast<float>(p.speed_max - p.speed_min),
          static_cast<float>((p.angle_min - 45) * kPerDegree),
          static_cast<float>((p.angle_max - p.angle_min) * kPerDegree),
          p.angles == Angles::Pair ? 0.0f : 1.0f,
          p.angles == Angles::Pair ? 1.0f : 0.0f};
}

// Free fall from a height.
struct FreeFlight {
  float height, gravity, inverse_gravity;

  // The time [s] and the place [m] of its landing. raised: false where height is 0, and no root is needed.
  SIMSCOPE_HD float duration(const Launch& launch, bool raised) const {
    const float rise = raised ? std::sqrt(launch.vy * launch.vy + 2.0f * (gravity * height)) : launch.vy;
    const float duration = (launch.vy + rise) * inverse_gravity;
    return duration > 0.0f ? duration : 0.0f;
  }
  // In flight.
  SIMSCOPE_HD float heightAt(const Launch& launch, float time) const {
    return height + time * (launch.vy - 0.5f * gravity * time);
  }
  // The largest height until then.
  SIMSCOPE_HD float highestUntil(const Launch& launch, float time) const {
    const float up = launch.vy * inverse_gravity;
    const float highest = heightAt(launch, time < up ? time : up);
    return highest > height ? highest : height;
  }
};

inline FreeFlight freeFlight(const Parameters& p) {
  return {static_cast<float>(p.height), static_cast<float>(p.gravity), static_cast<float>(1 / p.gravity)};
}

}  // namespace simscope::projectiles
