// The input of the loops over steps, as plain single-precision numbers. Any thread.
#pragma once

namespace simscope::lorentz {

enum class Configuration { Uniform, Gradient, Bottle, Dipole, Tokamak };
enum class Pusher { Boris, Euler, RungeKutta };

struct Setup {
  Configuration configuration;
  Pusher pusher;
  bool relativistic;
  bool both;              // every second particle has the charge −1, else all have +1
  float time_step;        // dt
  float inverse_c2;       // 1/c², 0 where not relativistic
  float field, electric;  // B₀, E
  float length, wall;     // L of gradient and bottle; |z| of the throats
  float major_radius, minor_radius, safety_factor;

  float charge(unsigned particle) const { return both && (particle & 1) ? -1.0f : 1.0f; }
};

}  // namespace simscope::lorentz
