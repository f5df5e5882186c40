// The parameters of a run of projectiles. Plain numbers, SI units except for angles; any thread.
#pragma once

#include "sims/core/describe.h"

namespace simscope::projectiles {

enum class Drag { None, Linear, Quadratic };
enum class Angles { Uniform, Pair };
enum class Precision { Single, Double };

struct Parameters {
  int launches = 200'000;
  double speed_min = 10, speed_max = 300;  // [m/s], drawn uniformly
  double angle_min = 0, angle_max = 90;    // [°] above the horizon
  Angles angles = Angles::Uniform;         // or the two bounds in turn
  double height = 0;                       // of the launch [m]
  double gravity = 9.81;                   // g [m/s²]
  Drag drag = Drag::None;
  double linear_drag = 0.05;      // k/m [1/s]: a = -(k/m) v
  double quadratic_drag = 0.002;  // k/m [1/m]: a = -(k/m) |v| v
  Precision precision = Precision::Single;
  double time_step = 0.25;  // dt [s]
  int bins = 128;
  int drawn = 50'000;  // flights in a picture, at most

  // The effective rates.
  double linear() const { return drag == Drag::Linear ? linear_drag : 0; }
  double quadratic() const { return drag == Drag::Quadratic ? quadratic_drag : 0; }
};
const Binding<Parameters>& binding();

}  // namespace simscope::projectiles
