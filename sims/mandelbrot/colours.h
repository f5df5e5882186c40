// Colours and values from a pixel's last z, derivative, and count.
#pragma once

#include <cmath>

#include "sims/compute/host_device.h"
#include "sims/mandelbrot/plane.h"

namespace simscope::mandelbrot {

struct Light {
  float r, g, b;
};

// ν = n - log₂(ln|z| / ln R), n the first with |z| > R: between n - 1 and n, and continuous where n changes, because
// there |z_n+1| = |z_n|² up to the share c/z².
SIMSCOPE_HD inline float smoothCount(double x, double y, int count) {
  const float ratio = logf(static_cast<float>(x * x + y * y)) / 11.0903549f;  // ln R² for R = 256
  return static_cast<float>(count) - log2f(fmaxf(ratio, 1.0f));
}

// The distance to the set in pixels, within a factor of 2: |z| ln|z| / |dz/dc|.
SIMSCOPE_HD inline float distanceInPixels(double x, double y, double dx, double dy) {
  const double norm = x * x + y * y, derivative = sqrt(dx * dx + dy * dy);
  const double distance = sqrt(norm) * 0.5 * static_cast<double>(logf(static_cast<float>(norm))) / derivative;
  return distance < 1e6 ? static_cast<float>(distance) : 1e6f;  // also for NaN: a derivative beyond float64
}

// The colours of a cyclic palette, joined by smooth steps.
SIMSCOPE_HD inline Light paletteColour(const Shading& shading, float cycles) {
  const float at = (cycles - floorf(cycles)) * kPaletteColours;
  const int from = static_cast<int>(at) % kPaletteColours, to = (from + 1) % kPaletteColours;
  const float s = at - floorf(at), t = s * s * (3 - 2 * s);
  const float* const a = shading.colours[from];
  const float* const b = shading.colours[to];
  return {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])};
}

// The light on a slope: a surface that rises towards the set, lit from the side. The normal is z/D, the direction in
// which |z| grows fastest with c.
SIMSCOPE_HD inline float slopeLight(double x, double y, double dx, double dy, float light_x, float light_y) {
  constexpr float kHeight = 1.4f;  // of the light
  const double re = x * dx + y * dy, im = y * dx - x * dy, larger = fmax(fabs(re), fabs(im));
  if (!(larger > 0 && larger < 1e300)) return 1;
  const auto u = static_cast<float>(re / larger), v = static_cast<float>(im / larger);
  const float along = (u * light_x + v * light_y) / sqrtf(u * u + v * v);
  return fmaxf((along + kHeight) / (1 + kHeight), 0.0f);
}

SIMSCOPE_HD inline Light shaded(const Shading& s, double x, double y, double dx, double dy, int count) {
  constexpr Light kInsideLight{0.0012f, 0.0012f, 0.0022f};
  if (count <= 0) return kInsideLight;
  if (s.colouring == Colouring::Distance) {
    const float d = distanceInPixels(x, y, dx, dy), g = fminf(0.09f * log2f(1 + 6 * d), 1.0f);
    return {g * g * 0.95f, g * g * 0.97f, g * (0.35f + 0.65f * g)};
  }
  const Light base = paletteColour(s, s.density * sqrtf(fmaxf(smoothCount(x, y, count), 0.0f)) + s.shift);
  if (s.colouring == Colouring::Smooth) return base;
  const float near = fminf(distanceInPixels(x, y, dx, dy) * 1.5f, 1.0f);  // filaments thinner than a pixel are dim
  const float slope = slopeLight(x, y, dx, dy, s.light_x, s.light_y), light = (0.14f + 0.86f * slope * slope) * near;
  return {base.r * light, base.g * light, base.b * light};
}

}  // namespace simscope::mandelbrot
