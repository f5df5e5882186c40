// The parameters of a run. Units: the mass and the size of the charge of a particle are 1 (so is q/m), and the units of
// length and time follow: in a field of 1 a particle turns once in a time of 2π, at a radius equal to its speed.
// README.md explains the conversion to metres, seconds, and tesla.
#pragma once

#include <limits>

#include "sims/core/describe.h"
#include "sims/lorentz/setup.h"

namespace simscope::lorentz {

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();  // a value that has no meaning here

enum class Velocities { Maxwell, Isotropic, Beam };
enum class Charges { Positive, Both };

struct Parameters {
  Configuration configuration = Configuration::Bottle;
  double field = 1, electric_field = 0;  // B₀ [mass/(charge·time)], E [mass·length/(charge·time²)]
  double length = 6, mirror_ratio = 3;   // L of gradient and bottle [length]; B at the throats over B in the middle
  double shell = 4;                      // where the particles start in the dipole [planet's radii]
  double major_radius = 3, aspect_ratio = 3, safety_factor = 1;  // R₀ [length], R₀/a; q on the axis

  int particles = 12000;
  Charges charges = Charges::Positive;
  Velocities velocities = Velocities::Maxwell;
  double speed = 0.4, pitch = 60;   // [length/time]; of the first particle and of beams [degrees]
  double cloud = 1.4, extent = 10;  // spread of the start along each direction, half edge of the picture [length]

  Pusher pusher = Pusher::Boris;
  bool relativistic = false;
  double light_speed = 1, time_step = 0.1;  // c [length/time], dt [time]

  bool in(Configuration which) const { return configuration == which; }
  bool beam() const { return velocities == Velocities::Beam; }
  double c2() const { return light_speed * light_speed; }
  double minorRadius() const { return major_radius / aspect_ratio; }  // a [length]
  double wall() const;                                                // |z| of the bottle's throats
  double halfEdge() const;                                            // of the cube that is shown
  double typicalSpeed() const;                                        // that few particles exceed
  Setup setup() const;
};
const Binding<Parameters>& binding();

}  // namespace simscope::lorentz
